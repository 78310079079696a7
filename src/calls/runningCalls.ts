import type { CallSubject } from '../audit/events.ts';

interface Running {
  readonly subject: CallSubject;
  readonly onInput: (() => void) | undefined;
}

/** The calls that are on the wire, so that what a server asks in the middle of one can be told by its call. */
export class RunningCalls {
  readonly #calls = new Map<string, Running>();

  /** `onInput`: its server asks a person for something. */
  begin(subject: CallSubject, onInput?: () => void): void {
    this.#calls.set(subject.callId, { subject, onInput });
  }

  end(callId: string): void {
    this.#calls.delete(callId);
  }

  get(callId: string | undefined): CallSubject | undefined {
    return callId === undefined ? undefined : this.#calls.get(callId)?.subject;
  }

  /** A person is asked for something that the call needs. */
  asks(callId: string): void {
    this.#calls.get(callId)?.onInput?.();
  }
}
