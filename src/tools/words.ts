/** Scripts that are written without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** No description is read further than this, in characters. */
const MAX_TEXT = 40_000;

/**
 * The words of a text for searching: lower case, without accents, `camelCase` and `snake_case` taken apart; where a
 * script has no spaces, every pair of characters and the last one.
 */
export function wordsOf(text: string): string[] {
  const plain = text
    .slice(0, MAX_TEXT)
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i');
  const words: string[] = [];
  for (const [word] of plain.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (UNSPACED.test(word)) {
      const characters = Array.from(word);
      for (let at = 0; at + 1 < characters.length; at += 1) {
        words.push(`${characters[at] ?? ''}${characters[at + 1] ?? ''}`);
      }
      // So that each character begins a word, and can be looked for by itself.
      words.push(...characters.slice(-1));
    } else words.push(word.slice(0, 64));
  }
  return words;
}
