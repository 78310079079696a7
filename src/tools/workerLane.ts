import { Worker } from 'node:worker_threads';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { errorMessage } from '../base/errors.ts';
import { type SchemaReply, type SchemaRequest, isSchemaReply } from './schemaMessages.ts';

/** How a request to the worker ended. */
export type LaneOutcome =
  | { readonly kind: 'replied'; readonly reply: SchemaReply }
  | { readonly kind: 'timedOut'; readonly budgetMs: number }
  /** The worker died (it may have run out of memory) or could not be started. */
  | { readonly kind: 'failed'; readonly reason: string };

interface Job {
  readonly request: SchemaRequest;
  readonly budgetMs: number;
  readonly settle: (outcome: LaneOutcome) => void;
}

interface Running {
  readonly worker: Worker;
  isReady: boolean;
}

export interface LaneOptions {
  /** The worker's program: `schemaWorker.ts` under plain Node, `schemaWorker.cjs` beside the bundle. */
  readonly url: URL;
  readonly clock: Clock;
  /** Milliseconds until a started worker must be ready. */
  readonly startMs: number;
  /** Milliseconds without work after which the worker is let go. */
  readonly idleMs: number;
}

/** The memory of a worker; a schema that needs more ends the worker and nothing else. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

/** One worker thread and the requests that wait for it, taken one at a time, each with a deadline. */
export class WorkerLane implements Disposable {
  readonly #options: LaneOptions;
  readonly #queue: Job[] = [];
  readonly #known = new Set<number>();
  #running: Running | undefined;
  #current: Job | undefined;
  #timer: Disposable | undefined;
  #isDisposed = false;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** True if the worker was given this schema and still lives. */
  knows(key: number): boolean {
    return this.#known.has(key);
  }

  /** Takes note that the worker let a schema go. */
  forget(key: number): void {
    this.#known.delete(key);
  }

  /** Sends a request when its turn comes; the deadline counts from then. Never rejects. */
  send(request: SchemaRequest, budgetMs: number): Promise<LaneOutcome> {
    return new Promise((settle) => {
      if (this.#isDisposed) return settle({ kind: 'failed', reason: 'Schema checks have ended.' });
      this.#queue.push({ request, budgetMs, settle });
      this.#next();
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    const waiting = this.#current === undefined ? this.#queue : [this.#current, ...this.#queue];
    this.#current = undefined;
    this.#stop();
    for (const job of waiting) job.settle({ kind: 'failed', reason: 'Schema checks have ended.' });
    this.#queue.length = 0;
  }

  #next(): void {
    if (this.#current !== undefined || this.#isDisposed) return;
    const job = this.#queue[0];
    if (job === undefined) return this.#rest();
    const running = this.#running ?? this.#start();
    if (running?.isReady !== true) return;
    this.#queue.shift();
    this.#current = job;
    running.worker.ref();
    this.#setTimer(job.budgetMs, () => {
      this.#stop();
      this.#finish({ kind: 'timedOut', budgetMs: job.budgetMs });
    });
    try {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the other end is a thread, not a window
      running.worker.postMessage(job.request);
      if (job.request.kind === 'admit') this.#known.add(job.request.key);
    } catch (error) {
      // What cannot be cloned is not JSON.
      this.#finish({ kind: 'failed', reason: errorMessage(error) });
    }
  }

  #finish(outcome: LaneOutcome): void {
    const job = this.#current;
    this.#current = undefined;
    this.#timer?.dispose();
    job?.settle(outcome);
    this.#next();
  }

  #start(): Running | undefined {
    let worker: Worker;
    try {
      worker = new Worker(this.#options.url, { resourceLimits: RESOURCE_LIMITS, stdout: true, stderr: true });
    } catch (error) {
      this.#failAll(errorMessage(error));
      return undefined;
    }
    const running: Running = { worker, isReady: false };
    this.#running = running;
    worker.on('message', (message: unknown) => this.#receive(running, message));
    worker.on('error', (error) => this.#lost(running, errorMessage(error)));
    worker.on('exit', () => this.#lost(running, 'The schema worker ended.'));
    this.#setTimer(this.#options.startMs, () =>
      this.#lost(running, 'The schema worker did not start in time.'),
    );
    return running;
  }

  #receive(running: Running, message: unknown): void {
    if (this.#running !== running || !isSchemaReply(message)) return;
    if (message.kind === 'ready') {
      running.isReady = true;
      this.#timer?.dispose();
      this.#next();
    } else this.#finish({ kind: 'replied', reply: message });
  }

  #lost(running: Running, reason: string): void {
    if (this.#running !== running) return;
    this.#stop();
    // A worker that never became ready will not do so for the next job either.
    if (!running.isReady) this.#failAll(reason);
    else if (this.#current !== undefined) this.#finish({ kind: 'failed', reason });
  }

  #failAll(reason: string): void {
    for (const job of this.#queue.splice(0)) job.settle({ kind: 'failed', reason });
  }

  /** Nothing to do: the worker must not keep the program alive, and is let go after a while. */
  #rest(): void {
    this.#running?.worker.unref();
    if (this.#running !== undefined) this.#setTimer(this.#options.idleMs, () => this.#stop());
  }

  #stop(): void {
    this.#timer?.dispose();
    this.#known.clear();
    const running = this.#running;
    this.#running = undefined;
    void running?.worker.terminate();
  }

  #setTimer(ms: number, run: () => void): void {
    this.#timer?.dispose();
    this.#timer = this.#options.clock.after(ms, run);
  }
}
