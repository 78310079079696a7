import { digestText } from '../base/canonicalJson.ts';
import { decode } from '../shared/decode.ts';
import { type PromptCard, promptCard } from '../shared/promptCard.ts';
import type { CardContent } from './prompt.ts';

/**
 * The card that a person will see: a frozen snapshot of the content, with the digest of its very text.
 * Undefined if the content is not JSON, or is beyond what the page accepts: then nobody may decide on it.
 */
export function shownCard(content: CardContent): PromptCard | undefined {
  let text: string;
  try {
    text = JSON.stringify(content);
  } catch {
    return undefined;
  }
  // Not the canonical form: that refuses lone surrogates, and the order of keys is part of what is shown.
  const snapshot: unknown = Object.assign(JSON.parse(text), { digest: digestText(text) });
  const decoded = decode(promptCard, snapshot);
  return decoded.ok ? deepFreeze(decoded.value) : undefined;
}

/** Freezes a JSON value and all that it holds. Walks without recursion: depth is the servers' choice. */
function deepFreeze<T extends object>(root: T): T {
  const waiting: object[] = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    Object.freeze(next);
    for (const child of Object.values(next)) {
      if (typeof child === 'object' && child !== null) waiting.push(child);
    }
  }
  return root;
}
