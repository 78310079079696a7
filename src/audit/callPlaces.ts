import type { AuditEvent } from './events.ts';
import type { CallPlace } from './record.ts';

const maximumOpen = 10_000;
/** Few, because each one is kept through several garbage collections. */
const rememberedEnded = 500;

/** Numbers the calls of a session and the records of each call, so that a reader knows a call's beginning. */
export class CallPlaces {
  #count = 0;
  #open = new Map<string, CallPlace>();
  // Two generations: a map that loses its oldest entry at every call would walk over the holes each time.
  #ended = new Map<string, CallPlace>();
  #endedBefore = new Map<string, CallPlace>();

  /** How many calls have begun and not ended. */
  get open(): number {
    return this.#open.size;
  }

  /** The place of the next record; `undefined` for one that belongs to no call. */
  next(event: AuditEvent): CallPlace | undefined {
    const callId = 'callId' in event ? event.callId : undefined;
    if (callId === undefined) return undefined;
    const open = this.#open.get(callId);
    const last = open ?? this.#ended.get(callId) ?? this.#endedBefore.get(callId);
    const place =
      last === undefined ? { call: ++this.#count, step: 1 } : { call: last.call, step: last.step + 1 };
    if (isEnding(event)) {
      if (open !== undefined) this.#open.delete(callId);
      this.#noteEnded(callId, place);
    } else this.#noteOpen(callId, place);
    return place;
  }

  #noteEnded(callId: string, place: CallPlace): void {
    this.#ended.set(callId, place);
    if (this.#ended.size < rememberedEnded) return;
    // A very late record of a forgotten call begins a new number, with the same call id.
    this.#endedBefore = this.#ended;
    this.#ended = new Map();
  }

  #noteOpen(callId: string, place: CallPlace): void {
    this.#open.set(callId, place);
    if (this.#open.size <= maximumOpen) return;
    // Most of so many have ended without a word; the oldest go first, many at once.
    for (const id of this.#open.keys()) {
      if (this.#open.size <= maximumOpen - 1_000) return;
      this.#open.delete(id);
    }
  }
}

const endings = new Set<AuditEvent['kind']>([
  'result',
  'error',
  'cancelled',
  'callRefused',
  'resultWithheld',
]);

/** Whether nearly always nothing of the call follows. What follows all the same opens it again. */
function isEnding(event: AuditEvent): boolean {
  return event.kind === 'decision' ? event.decision.outcome === 'deny' : endings.has(event.kind);
}
