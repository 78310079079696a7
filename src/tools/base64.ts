import type { TimeSlice } from '../base/timeSlice.ts';

/** Decoded base64, or what is wrong with it. */
export type Base64Verdict =
  | { readonly kind: 'decoded'; readonly bytes: Uint8Array }
  | { readonly kind: 'wrong'; readonly reason: string };

/** Decodes base64 (RFC 4648, both alphabets); line breaks are tolerated, any other foreign character is not. */
export function decodeBase64(text: string): Base64Verdict {
  if (text.length === 0) return { kind: 'wrong', reason: 'It is empty.' };
  if (/^data:/i.test(text)) return { kind: 'wrong', reason: 'It is a data: URL, not base64.' };
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === expectedLength(text)) return { kind: 'decoded', bytes };
  // The decoder skips what it does not know, so a difference in length shows that something was skipped.
  const { characters, spaces } = measure(text);
  return spaces > 0 && bytes.length === decodedLength(characters) ? { kind: 'decoded', bytes } : notBase64;
}

/** Characters that are decoded at a stretch: a whole number of groups of four. */
const usualPiece = 512 * 1024;

/** As `decodeBase64`, with pauses, which a long text needs above all if it has line breaks. */
export async function decodeLargeBase64(
  text: string,
  slice: TimeSlice,
  piece: number = usualPiece,
): Promise<Base64Verdict> {
  if (text.length <= piece) return decodeBase64(text);
  if (/^data:/i.test(text)) return decodeBase64(text.slice(0, 10));
  const bytes = Buffer.alloc(Math.ceil((text.length * 3) / 4));
  let length = 0;
  let rest = '';
  let isPadded = false;
  for (let from = 0; from < text.length; from += piece) {
    const characters = rest + text.slice(from, from + piece).replaceAll(/[ \t\r\n]+/g, '');
    // Only the end may have padding and an incomplete group.
    const whole =
      from + piece < text.length ? characters.length - (characters.length % 4) : characters.length;
    rest = characters.slice(whole);
    if (whole === 0) continue;
    if (isPadded) return notBase64;
    const verdict = decodeBase64(characters.slice(0, whole));
    if (verdict.kind === 'wrong') return verdict;
    isPadded = characters[whole - 1] === '=';
    bytes.set(verdict.bytes, length);
    length += verdict.bytes.length;
    if (slice.isUsedUp) await slice.pause();
  }
  return { kind: 'decoded', bytes: bytes.subarray(0, length) };
}

const notBase64: Base64Verdict = { kind: 'wrong', reason: 'It is not valid base64.' };

/** Characters that carry bytes: neither white space nor the padding at the end. Counted, because a copy takes long. */
function measure(text: string): { readonly characters: number; readonly spaces: number } {
  let spaces = 0;
  for (let at = 0; at < text.length; at += 1) if (isSpace(text.charCodeAt(at))) spaces += 1;
  let padding = 0;
  for (let at = text.length - 1; at >= 0 && padding < 2; at -= 1) {
    if (text.charCodeAt(at) === PADDING) padding += 1;
    else if (!isSpace(text.charCodeAt(at))) break;
  }
  return { characters: text.length - spaces - padding, spaces };
}

const PADDING = 0x3d;

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function expectedLength(text: string): number {
  let length = text.length;
  while (length > text.length - 2 && text[length - 1] === '=') length -= 1;
  return decodedLength(length);
}

function decodedLength(characters: number): number {
  // A single character left over carries no whole byte.
  return characters % 4 === 1 ? -1 : Math.floor((characters * 3) / 4);
}
