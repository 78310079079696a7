import { type Disposable, toDisposable } from './disposable.ts';

/** Time as a port, so that tests decide when it passes. */
export interface Clock {
  /** Wall clock, milliseconds since 1970. May jump. */
  now(): number;
  /** Milliseconds that only grow; for durations. */
  monotonic(): number;
  /** Runs once after `ms`; disposing prevents it. Never keeps the process alive. */
  after(ms: number, run: () => void): Disposable;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    timer.unref();
    return toDisposable(() => clearTimeout(timer));
  },
};
