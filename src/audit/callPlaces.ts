import type { CallPlace } from './record.ts';

const maximumCalls = 20_000;

/** Numbers the calls of a session and the records of each call, so that a reader knows a call's beginning. */
export class CallPlaces {
  #count = 0;
  readonly #last = new Map<string, CallPlace>();

  next(callId: string): CallPlace {
    const last = this.#last.get(callId);
    const place =
      last === undefined ? { call: ++this.#count, step: 1 } : { call: last.call, step: last.step + 1 };
    this.#last.set(callId, place);
    if (this.#last.size > maximumCalls) {
      // The oldest call has long ended; a late record of it would begin a new number, with the same call id.
      const oldest = this.#last.keys().next();
      if (oldest.done !== true) this.#last.delete(oldest.value);
    }
    return place;
  }
}
