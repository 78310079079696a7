/**
 * A rough count of the tokens that a text costs a model: four ASCII characters to one, one for every other character.
 * An estimate for people to compare by; back ends count differently.
 */
export function estimateTokens(text: string): number {
  let other = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) > 127) other += 1;
  }
  return Math.ceil((text.length - other) / 4 + other);
}
