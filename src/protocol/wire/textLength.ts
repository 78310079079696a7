const lengths = new WeakMap<object, number>();
/** Results in shorter texts are not remembered: they are counted as this long. Characters. */
const shortText = 4_096;

/** Remembers how long the JSON text was that a result came in. */
export function noteTextLength(result: object, length: number): void {
  if (length > shortText) lengths.set(result, length);
}

/** About how long the JSON text of a received result was, without writing it again. Characters. */
export function textLengthOf(result: object): number {
  return lengths.get(result) ?? shortText;
}
