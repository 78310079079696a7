import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';

/** What one call says of itself. */
export interface ToldCall {
  /** It waits for a person; `what` names it. */
  waiting(what: string): void;
  ended(): void;
}

/**
 * Long enough for the prompt to be on screen before the chat, which draws in the same window, is given work;
 * short enough to be told at once. Milliseconds.
 */
const pauseMs = 200;

/** One line in the chat for all calls that a model makes at once: which they are, and whether a person is waited for. */
export class RoundProgress {
  readonly #say: (text: string) => void;
  readonly #clock: Clock;
  readonly #names: string[] = [];
  readonly #waiting = new Set<string>();
  #pause: Disposable | undefined;
  #said: 'nothing' | 'calling' | 'waiting' = 'nothing';

  constructor(say: (text: string) => void, clock: Clock) {
    this.#say = say;
    this.#clock = clock;
  }

  begin(name: string): ToldCall {
    this.#names.push(name);
    this.#later();
    const key = `${this.#names.length}`;
    let label = '';
    return {
      waiting: (what) => {
        label = `${key} ${what}`;
        this.#waiting.add(label);
        this.#later();
      },
      ended: () => {
        // A call that is over sooner than the pause belongs in the transcript all the same.
        this.#tell();
        this.#waiting.delete(label);
      },
    };
  }

  #later(): void {
    this.#pause ??= this.#clock.after(pauseMs, () => this.#tell());
  }

  #tell(): void {
    this.#pause?.dispose();
    this.#pause = undefined;
    const [first] = this.#waiting;
    const next = first === undefined ? 'calling' : 'waiting';
    if (this.#said === 'waiting' || this.#said === next) return;
    this.#said = next;
    if (first === undefined) return this.#say(`Calling ${listed(this.#names)}…`);
    const { size } = this.#waiting;
    const what = size === 1 ? first.slice(first.indexOf(' ') + 1) : `${size} calls`;
    this.#say(`Waiting for you in Approvals: ${what}`);
  }
}

/** Names that fit into one line. */
function listed(names: readonly string[]): string {
  const more = names.length - mostNames;
  return names.slice(0, mostNames).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

const mostNames = 3;
