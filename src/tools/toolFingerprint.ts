import { digest, digestText } from '../base/canonicalJson.ts';
import type { JsonObject } from '../base/json.ts';
import { type JsonBounds, beyondWords, measureJson } from './jsonMeasure.ts';

/** What a tool's definition may measure; real ones stay below a tenth of it. */
export const DEFINITION_BOUNDS: JsonBounds = { depth: 200, values: 60_000, characters: 2 * 1024 * 1024 };

/** The fingerprint of a definition, or why there is none. */
export type Fingerprint =
  | { readonly kind: 'taken'; readonly digest: string; readonly wellFormed: boolean }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Digest of a tool's definition as the server sent it, unknown members included: what grants are pinned to.
 * Never throws. `wellFormed` is false if a string or key holds half a surrogate pair.
 */
export function toolFingerprint(definition: JsonObject): Fingerprint {
  const measure = measureJson(definition, DEFINITION_BOUNDS);
  if (measure.kind === 'beyond') {
    return { kind: 'refused', reason: `The definition has ${beyondWords(measure, DEFINITION_BOUNDS)}.` };
  }
  try {
    return { kind: 'taken', digest: digest(definition), wellFormed: true };
  } catch {
    // RFC 8785 has no form for a lone surrogate, which a server makes by cutting a text in the middle of an emoji.
  }
  try {
    return { kind: 'taken', digest: digestText(`escaped:${escapedJson(definition)}`), wellFormed: false };
  } catch {
    return { kind: 'refused', reason: 'The definition is not JSON.' };
  }
}

/** Canonical JSON in which a lone surrogate is written as its escape, so that different values keep different texts. */
function escapedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(escapedJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError('not JSON');
    const text: string | undefined = JSON.stringify(value);
    if (text === undefined) throw new TypeError('not JSON');
    return text;
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${escapedJson(member)}`);
  return `{${members.join(',')}}`;
}
