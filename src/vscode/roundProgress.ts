import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';

/** What one call says of itself. */
export interface ToldCall {
  /** It waits for a person; `what` names it. */
  waiting(what: string): void;
  /** Its server asks a person for something; told once a call, however often it asks. */
  asked(what: string): void;
  ended(): void;
}

/**
 * Long enough for the prompt to be on screen before the chat, which draws in the same window, is given work;
 * short enough to be told at once. Milliseconds.
 */
const pauseMs = 200;

/**
 * Tells the chat of the calls that a model makes at once: which they are, and which of them wait for a person. What
 * was said stays in the transcript, so each line tells only of calls that it is the first to tell of.
 */
export class RoundProgress {
  readonly #say: (text: string) => void;
  readonly #clock: Clock;
  readonly #names: string[] = [];
  /** What waits for a person and was not told of yet. */
  #untold: string[] = [];
  /** The same, of what servers ask in the middle of calls. */
  #untoldInput: string[] = [];
  #pause: Disposable | undefined;
  #said: 'nothing' | 'calling' | 'waiting' = 'nothing';

  constructor(say: (text: string) => void, clock: Clock) {
    this.#say = say;
    this.#clock = clock;
  }

  begin(name: string): ToldCall {
    this.#names.push(name);
    this.#later();
    let isAsked = false;
    return {
      waiting: (what) => {
        this.#untold.push(what);
        this.#later();
      },
      asked: (what) => {
        if (isAsked) return;
        isAsked = true;
        this.#untoldInput.push(what);
        this.#later();
      },
      // A call that is over sooner than the pause belongs in the transcript all the same.
      ended: () => this.#tell(),
    };
  }

  #later(): void {
    this.#pause ??= this.#clock.after(pauseMs, () => this.#tell());
  }

  #tell(): void {
    this.#pause?.dispose();
    this.#pause = undefined;
    const waiting = together(this.#untold);
    const asking = together(this.#untoldInput);
    this.#untold = [];
    this.#untoldInput = [];
    if (waiting !== undefined) {
      this.#say(`${this.#said === 'waiting' ? 'Also waiting' : 'Waiting'} for you in Approvals: ${waiting}`);
      this.#said = 'waiting';
    }
    if (asking !== undefined) {
      this.#say(`Waiting for your input in Approvals: ${asking}`);
      if (this.#said === 'nothing') this.#said = 'calling';
    }
    if (this.#said === 'nothing') {
      this.#say(`Calling ${listed(this.#names)}…`);
      this.#said = 'calling';
    }
  }
}

function together([first, ...others]: readonly string[]): string | undefined {
  return others.length === 0 ? first : `${others.length + 1} calls`;
}

/** Names that fit into one line. */
function listed(names: readonly string[]): string {
  const more = names.length - mostNames;
  return names.slice(0, mostNames).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

const mostNames = 3;
