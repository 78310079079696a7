import type { Clock } from './clock.ts';
import { HostError } from './errors.ts';

/** Throws `HostError('cancelled')` if the signal has fired. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw abortError(signal);
}

/** What an aborted signal stands for: its own `HostError` reason, else `HostError('cancelled')`. */
export function abortError(signal: AbortSignal): HostError {
  const reason: unknown = signal.reason;
  if (reason instanceof HostError) return reason;
  return new HostError('cancelled', 'The operation was cancelled.', { cause: reason });
}

/** Settles with the promise, or rejects as soon as the signal fires. The promise itself is not stopped. */
export function raceAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(abortError(signal));
    if (signal.aborted) {
      // Nobody waits for it any more, so its failure is nobody's either.
      promise.catch(() => undefined);
      return onAbort();
    }
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Resolves after `ms` milliseconds; rejects as soon as the signal fires. */
export function delay(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    if (signal?.aborted === true) return reject(abortError(signal));
    const timer = clock.after(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    const onAbort = (): void => {
      timer.dispose();
      if (signal !== undefined) reject(abortError(signal));
    };
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
