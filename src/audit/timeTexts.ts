/** Times as ISO 8601 in UTC. Of all records within one millisecond the text is made once. */
export class TimeTexts {
  #time = Number.NaN;
  #text = '';

  /** `time`: milliseconds since 1970. */
  text(time: number): string {
    if (time !== this.#time) {
      this.#text = new Date(time).toISOString();
      this.#time = time;
    }
    return this.#text;
  }
}
