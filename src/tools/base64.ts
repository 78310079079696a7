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
  const compact = text.replace(/[\r\n\t ]/g, '');
  if (compact.length < text.length && bytes.length === expectedLength(compact))
    return { kind: 'decoded', bytes };
  return { kind: 'wrong', reason: 'It is not valid base64.' };
}

function expectedLength(text: string): number {
  let length = text.length;
  while (length > text.length - 2 && text[length - 1] === '=') length -= 1;
  // A single character left over carries no whole byte.
  return length % 4 === 1 ? -1 : Math.floor((length * 3) / 4);
}
