import type { StateFile, StoredText } from '../../src/policy/stateFile.ts';

/** A state file in memory, shared by the stores that are given it; failures on request. */
export class MemoryStateFile implements StateFile {
  readonly place = 'memory';
  text: string | undefined;
  /** Thrown by every access while set. */
  failure: Error | undefined;
  writes = 0;
  readonly aside: string[] = [];
  #turn: Promise<unknown> = Promise.resolve();

  constructor(text?: string) {
    this.text = text;
  }

  async read(): Promise<StoredText | undefined> {
    const mark = await this.mark();
    return this.text === undefined || mark === undefined ? undefined : { text: this.text, mark };
  }

  mark(): Promise<string | undefined> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    return Promise.resolve(this.text === undefined ? undefined : `${this.writes}:${this.text.length}`);
  }

  update(change: (text: string | undefined) => string | undefined): Promise<string | undefined> {
    const done = this.#turn.then(() => {
      if (this.failure !== undefined) throw this.failure;
      const text = change(this.text);
      if (text !== undefined) this.store(text);
      return this.mark();
    });
    this.#turn = done.catch(() => undefined);
    return done;
  }

  setAside(text: string): Promise<string | undefined> {
    if (this.text !== text) return Promise.resolve(undefined);
    this.aside.push(text);
    this.text = undefined;
    return Promise.resolve(`memory.broken-${this.aside.length}`);
  }

  /** As if another window, or a person with an editor, had written it. */
  store(text: string): void {
    this.writes += 1;
    this.text = text;
  }
}
