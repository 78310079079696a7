/** Longer texts are not looked at, in characters. */
const longest = 1_000_000;

/**
 * True for a text that is a JSON object or array and loses nothing when it is read as such: no key twice, no number
 * that changes, no other order. A person must not see less in a tree than the model sees in the text.
 */
export function isFaithfulJson(text: string): boolean {
  if (text.length > longest || !/^\s*[[{]/.test(text)) return false;
  try {
    return JSON.stringify(JSON.parse(text)) === text.replaceAll(/("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g, '$1');
  } catch {
    return false;
  }
}
