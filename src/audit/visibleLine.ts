/**
 * Foreign text for one line of a log: no line breaks, no control, bidirectional or invisible characters as such,
 * and not longer than `limit` characters.
 */
export function visibleLine(text: string, limit: number): string {
  const shown = text
    .slice(0, limit)
    .replace(
      /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/gu,
      (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
    );
  return text.length > limit ? `${shown}…` : shown;
}
