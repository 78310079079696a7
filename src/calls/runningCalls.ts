import type { CallSubject } from '../audit/events.ts';

/** The calls that are on the wire, so that what a server asks in the middle of one can be told by its call. */
export class RunningCalls {
  readonly #subjects = new Map<string, CallSubject>();

  begin(subject: CallSubject): void {
    this.#subjects.set(subject.callId, subject);
  }

  end(callId: string): void {
    this.#subjects.delete(callId);
  }

  get(callId: string | undefined): CallSubject | undefined {
    return callId === undefined ? undefined : this.#subjects.get(callId);
  }
}
