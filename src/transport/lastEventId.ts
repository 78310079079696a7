/** Longer ids are not kept: they would not fit into the header of a reconnection. */
const maxIdLength = 1024;
/** As much of a line as can matter: the field name, an id of full length, and one character more. */
const keptOfLine = maxIdLength + 5;

/**
 * Follows which event a stream has got to, across its connections (HTML: "last event ID"). Works beside the
 * parser, which forgets ids of blocks without data, while such blocks are how servers mark a place to resume from.
 */
export class LastEventId {
  #value = '';
  #inBlock: string | undefined;
  #line = '';

  /** What `Last-Event-ID` has to say; undefined if there is nothing to say. */
  get value(): string | undefined {
    return this.#value === '' ? undefined : this.#value;
  }

  /** A new connection begins: what was cut off in the last one is forgotten. */
  begin(): void {
    this.#inBlock = undefined;
    this.#line = '';
  }

  /** Takes the next text of the stream, its lines ended by LF. */
  follow(text: string): void {
    const lines = (this.#line + text).split('\n');
    this.#line = (lines.pop() ?? '').slice(0, keptOfLine);
    for (const line of lines) {
      if (line === '') this.#endOfBlock();
      else if (line === 'id' || line.startsWith('id:')) this.#id(line.slice(line[3] === ' ' ? 4 : 3));
    }
  }

  #id(id: string): void {
    if (id.includes('\0')) return;
    // A header can carry no more than this, so there would be no way back to the event.
    this.#inBlock = id.length <= maxIdLength && /^[\x20-\x7e]*$/.test(id) ? id : '';
  }

  #endOfBlock(): void {
    this.#value = this.#inBlock ?? this.#value;
    this.#inBlock = undefined;
  }
}
