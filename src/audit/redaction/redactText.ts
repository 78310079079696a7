import { findSecrets } from './findSecrets.ts';
import type { KeyedDigest } from './keyedDigest.ts';
import type { KnownSecrets } from './knownSecrets.ts';
import { cutPlaceholder, secretPlaceholder } from './placeholder.ts';

export interface TextRules {
  readonly known: KnownSecrets;
  /** Whether to look for the shapes of secrets too. */
  readonly shapes: boolean;
  readonly digest: KeyedDigest;
}

/** How far beyond the kept part secrets are looked for, so that none is cut in two and half of it kept. */
const margin = 16_384;

/** Replaces the secrets in a text and cuts it to about `limit` characters. */
export function redactText(text: string, limit: number, rules: TextRules): string {
  if (rules.known.whole.has(text)) return secretPlaceholder('configured', text, rules.digest);
  const cut = text.length > limit;
  const seen = cut ? text.slice(0, limit + Math.max(margin, rules.known.longest)) : text;
  const spans = findSecrets(seen, rules.known, rules.shapes);
  if (spans.length === 0 && !cut) return text;
  let kept = '';
  let at = 0;
  for (const { start, end, type } of spans) {
    if (start >= limit) break;
    const secret = seen.slice(start, end);
    const original = rules.known.originals.get(secret) ?? secret;
    kept += seen.slice(at, start) + secretPlaceholder(type, original, rules.digest);
    at = end;
  }
  kept += seen.slice(at, Math.max(at, limit));
  return cut ? kept + cutPlaceholder('text', text, rules.digest) : kept;
}
