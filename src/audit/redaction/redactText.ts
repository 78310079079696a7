import type { KeyedDigest } from './keyedDigest.ts';
import type { KnownSecrets } from './knownSecrets.ts';
import { cutPlaceholder, secretPlaceholder } from './placeholder.ts';

export interface TextRules {
  readonly known: KnownSecrets;
  /** Whether to look for the shapes of secrets too. */
  readonly shapes: boolean;
  readonly digest: KeyedDigest;
}

/** Replaces the secrets in a text and cuts it to `limit` characters. */
export function redactText(text: string, limit: number, rules: TextRules): string {
  if (rules.known.whole.has(text)) return secretPlaceholder('configured', text, rules.digest);
  const kept = replaceKnown(text, rules);
  return kept.length > limit ? `${kept.slice(0, limit)}${cutPlaceholder('text', text, rules.digest)}` : kept;
}

function replaceKnown(text: string, rules: TextRules): string {
  const { anywhere } = rules.known;
  if (anywhere === undefined) return text;
  return text.replace(anywhere, (found) => secretPlaceholder('configured', found, rules.digest));
}
