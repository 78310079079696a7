/** Why a character is shown as an escape instead of as itself. */
export type HiddenKind =
  'control' | 'bidirectional' | 'tag' | 'invisible' | 'space' | 'private' | 'unassigned';

/** A piece of a text in reading order. `escape` stands for the one character `raw`. */
export type TextSegment =
  | { readonly kind: 'plain'; readonly text: string }
  | { readonly kind: 'hidden'; readonly hidden: HiddenKind; readonly raw: string; readonly escape: string };

/** A hidden character and where it stands, in UTF-16 code units. */
export interface HiddenCharacter {
  readonly hidden: HiddenKind;
  readonly index: number;
  readonly codePoint: number;
}

/*
 * Everything that draws nothing, draws differently from what it is, or moves its neighbours. Assigned letters,
 * marks, digits, symbols and the plain space stay; so do the few format characters of Arabic and Syriac that draw.
 */
const candidate =
  /(?![\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}])[\p{C}\p{Zl}\p{Zp}\p{DI}\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\u2800]/u;
const candidates = new RegExp(candidate.source, 'gu');

const bidirectional = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
const tag = /[\u{E0000}-\u{E007F}]/u;
const names: Readonly<Record<number, string>> = {
  0x00: 'NUL',
  0x08: 'BS',
  0x09: 'TAB',
  0x0a: 'LF',
  0x0d: 'CR',
  0x1b: 'ESC',
  0x7f: 'DEL',
  0xa0: 'NBSP',
  0xad: 'SHY',
  0x061c: 'ALM',
  0x200b: 'ZWSP',
  0x200c: 'ZWNJ',
  0x200d: 'ZWJ',
  0x200e: 'LRM',
  0x200f: 'RLM',
  0x2028: 'LS',
  0x2029: 'PS',
  0x202a: 'LRE',
  0x202b: 'RLE',
  0x202c: 'PDF',
  0x202d: 'LRO',
  0x202e: 'RLO',
  0x2060: 'WJ',
  0x2066: 'LRI',
  0x2067: 'RLI',
  0x2068: 'FSI',
  0x2069: 'PDI',
  0xfeff: 'BOM',
};

/** True when the text holds a character that `visibleText` would replace. */
export function hasHidden(text: string): boolean {
  return hiddenCharacters(text, 1).length > 0;
}

/** The hidden characters of a text in order, at most `limit` of them. Line feeds and tabs are not hidden. */
export function hiddenCharacters(text: string, limit = 1000): readonly HiddenCharacter[] {
  const found: HiddenCharacter[] = [];
  for (const match of text.matchAll(candidates)) {
    if (found.length >= limit) break;
    if (isHarmless(text, match.index, match[0])) continue;
    const codePoint = match[0].codePointAt(0) ?? 0;
    found.push({ hidden: kindOf(match[0]), index: match.index, codePoint });
  }
  return found;
}

/** Splits a text for display, so that escapes can be styled apart from a text that merely looks like one. */
export function visibleSegments(text: string): readonly TextSegment[] {
  if (!candidate.test(text)) return text === '' ? [] : [{ kind: 'plain', text }];
  const segments: TextSegment[] = [];
  let from = 0;
  for (const match of text.matchAll(candidates)) {
    if (isHarmless(text, match.index, match[0])) continue;
    if (match.index > from) segments.push({ kind: 'plain', text: text.slice(from, match.index) });
    const raw = match[0];
    segments.push({ kind: 'hidden', hidden: kindOf(raw), raw, escape: escapeOf(raw) });
    from = match.index + raw.length;
  }
  if (from < text.length) segments.push({ kind: 'plain', text: text.slice(from) });
  return segments;
}

/** The text with every hidden character replaced by an escape such as `⟦U+202E RLO⟧`. */
export function visibleText(text: string): string {
  if (!candidate.test(text)) return text;
  return visibleSegments(text)
    .map((segment) => (segment.kind === 'plain' ? segment.text : segment.escape))
    .join('');
}

/** Indented JSON of the very same value, in which every hidden character is spelled as JSON can: `\u202e`. */
export function visibleJson(value: unknown): string {
  return visibleSegments(JSON.stringify(value, undefined, 2))
    .map((segment) => (segment.kind === 'plain' ? segment.text : unitEscapes(segment.raw)))
    .join('');
}

function unitEscapes(raw: string): string {
  return raw
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** As `visibleText`, on one line: line feeds and tabs are escaped too, and what is longer than `max` is cut. */
export function visibleLine(text: string, max = 200): string {
  // Cut first, so that a huge text costs nothing; a pair of surrogates is not torn apart.
  const torn = /[\uD800-\uDBFF]$/.test(text.slice(0, max)) ? 1 : 0;
  const head = text.length > max ? text.slice(0, max - torn) : text;
  const line = visibleText(head).replace(/[\t\n\r]/g, escapeOf);
  return text.length > max ? `${line}… (${text.length} characters)` : line;
}

/** What runs of Unicode tag characters spell in ASCII: the usual way to hide words from a person. */
export function tagMessage(text: string): string {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const tagged = codes.filter((code) => code >= 0xe0020 && code <= 0xe007e);
  return String.fromCodePoint(...tagged.slice(0, 1000).map((code) => code - 0xe0000));
}

function escapeOf(raw: string): string {
  const code = raw.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase().padStart(4, '0');
  const spelled =
    code >= 0xe0021 && code <= 0xe007e ? `tag ${String.fromCodePoint(code - 0xe0000)}` : names[code];
  return spelled === undefined ? `⟦U+${hex}⟧` : `⟦U+${hex} ${spelled}⟧`;
}

function kindOf(raw: string): HiddenKind {
  if (bidirectional.test(raw)) return 'bidirectional';
  if (tag.test(raw)) return 'tag';
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(raw)) return 'control';
  if (/\p{Co}/u.test(raw)) return 'private';
  if (/\p{Zs}/u.test(raw)) return 'space';
  if (/\p{Cf}|\p{DI}|\u2800/u.test(raw)) return 'invisible';
  return 'unassigned';
}

/** Line breaks and tabs; the joiners and selectors of an emoji; one joiner between letters of a script that joins. */
function isHarmless(text: string, index: number, raw: string): boolean {
  if (raw === '\n' || raw === '\t') return true;
  if (raw === '\r') return text[index + 1] === '\n';
  if (raw === '\uFE0E' || raw === '\uFE0F') return /[\p{ExtPict}0-9#*]$/u.test(before(text, index));
  if (raw !== '\u200C' && raw !== '\u200D') return false;
  const next = String.fromCodePoint(text.codePointAt(index + 1) ?? 0);
  if (raw === '\u200D' && /[\p{ExtPict}\u2640\u2642\u2695\u2696\u2708]/u.test(next)) {
    return /[\p{ExtPict}\p{EMod}]\uFE0F?$/u.test(text.slice(Math.max(0, index - 3), index));
  }
  return joining.test(before(text, index)) && joining.test(next);
}

/** Scripts whose ordinary spelling needs the joiners. */
const joining =
  /[\p{sc=Arab}\p{sc=Syrc}\p{sc=Nkoo}\p{sc=Mong}\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Khmr}]$/u;

/** The whole character before an index. */
function before(text: string, index: number): string {
  const unit = text.charCodeAt(index - 1);
  const low = unit >= 0xdc00 && unit <= 0xdfff;
  return text.slice(Math.max(0, index - (low ? 2 : 1)), index);
}
