import type { Disposable } from '../base/disposable.ts';
import { HostError, errorMessage } from '../base/errors.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { StateFile } from './stateFile.ts';

/** What a stored text was found to be. */
export type ReadState<T> =
  | { readonly kind: 'state'; readonly state: T }
  /** Written by a newer version of this extension: not ours to read or overwrite. */
  | { readonly kind: 'newer' }
  | { readonly kind: 'corrupt'; readonly problem: string };

/** Turns state into text and back. `parse` never throws. */
export interface StateCodec<T> {
  readonly empty: T;
  parse(text: string): ReadState<T>;
  format(state: T): string;
}

/** Stored state that cannot be used, for the person. It counts as empty. */
export interface StorageProblem {
  readonly kind: 'corrupt' | 'newer' | 'unreadable' | 'unwritable';
  /** One or two sentences: what, where, and what has been done about it. */
  readonly message: string;
  /** The file to look at: a broken one is kept under this name. */
  readonly place: string;
}

type UpdateOutcome<T> =
  | { readonly kind: 'stored'; readonly state: T }
  | { readonly kind: 'newer' }
  | { readonly kind: 'corrupt'; readonly text: string | undefined };

const refusals = {
  newer: 'it was written by a newer version of Countersign.',
  corrupt: 'it is damaged and could not be moved aside.',
} as const;

/**
 * State that several windows share through a file. The value in memory is never newer than the file; `refresh`
 * brings it up to date and costs one look at the file's mark if nothing happened.
 */
export class StateStore<T> implements Disposable {
  readonly #file: StateFile;
  readonly #codec: StateCodec<T>;
  readonly #changed = new Emitter<void>();
  readonly #problem = new Emitter<StorageProblem>();
  #value: T;
  #mark: string | undefined;
  #lastProblem: StorageProblem | undefined;
  #working: Promise<unknown> = Promise.resolve();

  constructor(file: StateFile, codec: StateCodec<T>) {
    this.#file = file;
    this.#codec = codec;
    this.#value = codec.empty;
  }

  /** The state has changed, here or in another window. */
  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** Something is wrong with the stored state. The latest is also in `problem`, until it is over. */
  get onProblem(): Event<StorageProblem> {
    return this.#problem.event;
  }

  get problem(): StorageProblem | undefined {
    return this.#lastProblem;
  }

  get value(): T {
    return this.#value;
  }

  /** Takes over what other windows stored. Never rejects: what cannot be read counts as empty and is reported. */
  refresh(): Promise<void> {
    return this.#inTurn(async () => {
      try {
        const mark = await this.#file.mark();
        if (mark === this.#mark && this.#lastProblem?.kind !== 'unreadable') return;
        const stored = await this.#file.read();
        this.#mark = stored?.mark;
        await this.#takeOver(stored?.text);
      } catch (error) {
        this.#mark = undefined;
        this.#set(this.#codec.empty);
        this.#report('unreadable', `${this.#file.place} cannot be read: ${errorMessage(error)}`);
      }
    });
  }

  /**
   * Changes the newest state, whoever stored it. `change` may run more than once; returning its argument leaves all
   * as it is. Rejects if the change could not be stored; then it is not in memory either.
   */
  update(change: (state: T) => T): Promise<void> {
    return this.#inTurn(async () => {
      try {
        let outcome = await this.#tryUpdate(change);
        if (outcome.kind === 'corrupt') {
          await this.#takeOver(outcome.text);
          outcome = await this.#tryUpdate(change);
        }
        if (outcome.kind !== 'stored') throw new HostError('closed', refusals[outcome.kind]);
        if (this.#lastProblem?.kind === 'unwritable') this.#lastProblem = undefined;
        this.#set(outcome.state);
      } catch (error) {
        this.#report('unwritable', `${this.#file.place} cannot be written: ${errorMessage(error)}`);
        throw error;
      }
    });
  }

  dispose(): void {
    this.#changed.dispose();
    this.#problem.dispose();
  }

  async #tryUpdate(change: (state: T) => T): Promise<UpdateOutcome<T>> {
    let outcome: UpdateOutcome<T> = { kind: 'stored', state: this.#value };
    this.#mark = await this.#file.update((text) => {
      const read = this.#parse(text);
      if (read.kind !== 'state') {
        outcome = read.kind === 'newer' ? read : { kind: 'corrupt', text };
        return undefined;
      }
      const state = change(read.state);
      outcome = { kind: 'stored', state };
      return state === read.state ? undefined : this.#format(state);
    });
    return outcome;
  }

  /** What could not be read again must not take the place of what can: everything in it would be lost. */
  #format(state: T): string {
    const text = this.#codec.format(state);
    const again = this.#codec.parse(text);
    if (again.kind === 'state') return text;
    const why = again.kind === 'corrupt' ? again.problem : again.kind;
    throw new HostError('invalidConfiguration', `it could not be read again: ${why}.`);
  }

  #parse(text: string | undefined): ReadState<T> {
    return text === undefined ? { kind: 'state', state: this.#codec.empty } : this.#codec.parse(text);
  }

  async #takeOver(text: string | undefined): Promise<void> {
    const read = this.#parse(text);
    if (read.kind === 'state') {
      if (this.#lastProblem?.kind === 'unreadable' || this.#lastProblem?.kind === 'newer') {
        this.#lastProblem = undefined;
      }
      return this.#set(read.state);
    }
    this.#set(this.#codec.empty);
    if (read.kind === 'newer') {
      return this.#report(
        'newer',
        `${this.#file.place} was written by a newer version of Countersign and is left alone.`,
      );
    }
    const kept = text === undefined ? undefined : await this.#file.setAside(text);
    // `undefined`: another window has already moved it away and told its person.
    if (kept === undefined) return;
    this.#mark = undefined;
    this.#report(
      'corrupt',
      `${this.#file.place} is damaged (${read.problem}) and counts as empty. It is kept as ${kept}.`,
      kept,
    );
  }

  #set(value: T): void {
    if (value === this.#value) return;
    this.#value = value;
    this.#changed.fire();
  }

  #report(kind: StorageProblem['kind'], message: string, place = this.#file.place): void {
    const repeated = this.#lastProblem?.kind === kind && this.#lastProblem.message === message;
    this.#lastProblem = { kind, message, place };
    if (!repeated) this.#problem.fire(this.#lastProblem);
  }

  /** One after the other, so that an older text never overwrites a newer one in memory. */
  #inTurn<R>(run: () => Promise<R>): Promise<R> {
    const result = this.#working.then(run);
    this.#working = result.catch(() => undefined);
    return result;
  }
}
