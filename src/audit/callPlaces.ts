import type { CallPlace } from './record.ts';

const generationSize = 10_000;

/** Numbers the calls of a session and the records of each call, so that a reader knows a call's beginning. */
export class CallPlaces {
  #count = 0;
  // Two generations: a map that loses its oldest entry at every call would walk over the holes each time.
  #young = new Map<string, CallPlace>();
  #old = new Map<string, CallPlace>();

  next(callId: string): CallPlace {
    const last = this.#young.get(callId) ?? this.#old.get(callId);
    const place =
      last === undefined ? { call: ++this.#count, step: 1 } : { call: last.call, step: last.step + 1 };
    this.#young.set(callId, place);
    if (this.#young.size >= generationSize) {
      // A very late record of a forgotten call begins a new number, with the same call id.
      this.#old = this.#young;
      this.#young = new Map();
    }
    return place;
  }
}
