import type { HostError } from '../base/errors.ts';
import type { Listening, TransportEvents } from './transport.ts';

/** Events of a transport that keep the promise "no event follows the end" whatever is still in flight. */
export interface MuteableEvents extends TransportEvents {
  listening(state: Listening): void;
  /** From now on nothing but the end is reported. */
  mute(): void;
  /** Reports the end, once. */
  end(error: HostError | undefined): void;
}

/** Wraps the owner's events. */
export function muteable(events: TransportEvents): MuteableEvents {
  let muted = false;
  let ended = false;
  return {
    message(message, origin) {
      if (!muted) events.message(message, origin);
    },
    requestFailed(id, error) {
      if (!muted) events.requestFailed(id, error);
    },
    listening(state) {
      if (!muted) events.listening?.(state);
    },
    dropped(problem) {
      if (!muted) events.dropped(problem);
    },
    closed(error) {
      this.end(error);
    },
    mute() {
      muted = true;
    },
    end(error) {
      muted = true;
      if (ended) return;
      ended = true;
      events.closed(error);
    },
  };
}
