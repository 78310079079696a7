import { raceAbort, throwIfAborted } from '../base/abort.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { JsonObject } from '../base/json.ts';
import { nextTurn } from '../base/nextTurn.ts';
import { type JsonBounds, beyondWords, measureJson } from './jsonMeasure.ts';
import type { SchemaCompiler } from './schemaCompile.ts';
import { validationSteps } from './schemaCost.ts';
import { type SchemaPlan, planSchema } from './schemaPlan.ts';
import { type CompiledSchema, compileSchema, readSchema } from './schemaReading.ts';
import type { SchemaState, SchemaVerdict } from './schemaVerdict.ts';
import { type LaneOutcome, WorkerLane } from './workerLane.ts';

/** What a value may measure to be checked at all. */
export const VALUE_BOUNDS: JsonBounds = { depth: 1000, values: 100_000, characters: 8 * 1024 * 1024 };

/** Steps (some tens of nanoseconds each) that one validation may take on the host's thread. */
const MAX_STEPS_HERE = 300_000;

export interface SchemaCheckerOptions {
  /** The worker's program; without one, what needs the worker is refused. */
  readonly workerUrl?: URL;
  readonly clock?: Clock;
  /** Milliseconds that a compilation may take in the worker. */
  readonly compileMs?: number;
  /** Milliseconds that a validation may take in the worker. */
  readonly checkMs?: number;
}

interface Known {
  readonly key: number;
  readonly plan: SchemaPlan;
  state?: Promise<SchemaState>;
  /** True while only the background works on `state`. */
  isBackground: boolean;
  compiler?: SchemaCompiler;
  compiled?: CompiledSchema;
  /** The turn that others get after the compilation; whoever checks meanwhile waits in order. */
  turn?: Promise<void>;
}

/**
 * Checks values against tools' schemas without ever blocking the host's thread for long. A schema whose cost is
 * bounded (`planSchema`) is compiled and used in the process, as long as the value is small enough for it; everything
 * else goes to a worker thread, where each step has a deadline. What is known of a schema goes when the schema goes.
 */
export class SchemaChecker implements Disposable {
  readonly #known = new WeakMap<JsonObject, Known>();
  readonly #lane: WorkerLane | undefined;
  /** For schemas that nobody waits for, so that they never delay a call. */
  readonly #backgroundLane: WorkerLane | undefined;
  readonly #compileMs: number;
  readonly #checkMs: number;
  #lastKey = 0;

  constructor(options: SchemaCheckerOptions = {}) {
    const { workerUrl: url, clock = systemClock, compileMs = 2000, checkMs = 500 } = options;
    this.#compileMs = compileMs;
    this.#checkMs = checkMs;
    if (url === undefined) return;
    this.#lane = new WorkerLane({ url, clock, startMs: 15_000, idleMs: 60_000 });
    this.#backgroundLane = new WorkerLane({ url, clock, startMs: 15_000, idleMs: 2000 });
  }

  /** Where the schema will be compiled and used; takes no longer than a walk through it. */
  plan(schema: JsonObject): SchemaPlan {
    return this.#know(schema).plan;
  }

  /** Says whether a schema can be used. `background`: a call that needs it may overtake. Never rejects. */
  admit(schema: JsonObject, background = false): Promise<SchemaState> {
    return this.#admit(schema, this.#know(schema), background);
  }

  /** Checks a value. Rejects only when the signal fires. */
  async check(schema: JsonObject, value: unknown, signal?: AbortSignal): Promise<SchemaVerdict> {
    throwIfAborted(signal);
    const known = this.#know(schema);
    const state = await raceAbort(this.#admit(schema, known, false), signal);
    if (state.kind === 'unusable') return { kind: 'refused', reason: state.reason };
    return (
      (await this.#checkHere(schema, known, value)) ??
      raceAbort(this.#checkThere(schema, known, value), signal)
    );
  }

  /** As `check`, at once; undefined when the answer takes more: a first use, a costly schema, a large value. */
  checkNow(schema: JsonObject, value: unknown): SchemaVerdict | undefined {
    const known = this.#known.get(schema);
    if (known?.compiled?.kind !== 'compiled' || known.turn !== undefined) return undefined;
    const refusal = this.#refusalHere(known, value);
    return refusal === 'worker' ? undefined : (refusal ?? known.compiled.checkQuickly(value));
  }

  dispose(): void {
    this.#lane?.dispose();
    this.#backgroundLane?.dispose();
  }

  #know(schema: JsonObject): Known {
    let known = this.#known.get(schema);
    if (known === undefined) {
      this.#lastKey += 1;
      known = { key: this.#lastKey, plan: planSchema(schema), isBackground: false };
      this.#known.set(schema, known);
    }
    return known;
  }

  #admit(schema: JsonObject, known: Known, background: boolean): Promise<SchemaState> {
    if (known.state !== undefined && (background || !known.isBackground)) return known.state;
    const { plan } = known;
    if (plan.kind === 'unusable') known.state = Promise.resolve({ kind: 'unusable', reason: plan.reason });
    else if (plan.kind === 'here') known.state = this.#admitHere(schema, known);
    else {
      known.isBackground = background;
      const state = this.#admitThere(schema, known, background);
      known.state = state;
      void state.finally(() => {
        if (known.state === state) known.isBackground = false;
      });
    }
    return known.state;
  }

  async #admitHere(schema: JsonObject, known: Known): Promise<SchemaState> {
    const reading = await readSchema(schema);
    if (reading.kind === 'unusable') return reading;
    known.compiler = reading.compiler;
    return { kind: 'usable', ...(reading.note === undefined ? {} : { note: reading.note }) };
  }

  async #admitThere(schema: JsonObject, known: Known, background: boolean): Promise<SchemaState> {
    const lane = background ? this.#backgroundLane : this.#lane;
    if (lane === undefined) return { kind: 'unusable', reason: NO_WORKER };
    const outcome = await lane.send({ kind: 'admit', key: known.key, schema }, this.#compileMs);
    if (outcome.kind === 'replied' && outcome.reply.kind === 'admitted') return outcome.reply.state;
    // What lies in the machine and not in the schema may be better the next time.
    if (outcome.kind === 'failed') delete known.state;
    return { kind: 'unusable', reason: outcomeReason(outcome, 'The schema') };
  }

  /** The verdict of the host's thread, in several turns if there is much to do; undefined when it could take long. */
  async #checkHere(schema: JsonObject, known: Known, value: unknown): Promise<SchemaVerdict | undefined> {
    const refusal = this.#refusalHere(known, value);
    if (refusal !== undefined) return refusal === 'worker' ? undefined : refusal;
    if (known.compiler === undefined) return undefined;
    let { compiled } = known;
    if (compiled === undefined) {
      compiled = compileSchema(schema, known.compiler);
      known.compiled = compiled;
      known.turn = nextTurn().then(() => {
        delete known.turn;
      });
    }
    // A later value must not overtake the one that it was compiled for: calls are asked about in their order.
    if (known.turn !== undefined) await known.turn;
    if (compiled.kind === 'unusable') return { kind: 'refused', reason: compiled.reason };
    const verdict = compiled.checkQuickly(value);
    if (verdict !== undefined) return verdict;
    await nextTurn();
    return compiled.check(value);
  }

  /** Why a value is not checked on the host's thread; undefined if it may be. */
  #refusalHere(known: Known, value: unknown): SchemaVerdict | 'worker' | undefined {
    const measure = measureJson(value, VALUE_BOUNDS);
    if (measure.kind === 'beyond') {
      return { kind: 'refused', reason: `The value has ${beyondWords(measure, VALUE_BOUNDS)}.` };
    }
    const isCheap = known.plan.kind === 'here' && validationSteps(known.plan.cost, measure) <= MAX_STEPS_HERE;
    return isCheap ? undefined : 'worker';
  }

  async #checkThere(schema: JsonObject, known: Known, value: unknown): Promise<SchemaVerdict> {
    const lane = this.#lane;
    if (lane === undefined) return { kind: 'refused', reason: NO_WORKER };
    // Twice, because the worker may have been replaced or have made room between the two requests.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      if (!lane.knows(known.key)) {
        const state = await this.#admitThere(schema, known, false);
        if (state.kind === 'unusable') return { kind: 'refused', reason: state.reason };
      }
      const outcome = await lane.send({ kind: 'check', key: known.key, value }, this.#checkMs);
      if (outcome.kind !== 'replied') return { kind: 'refused', reason: outcomeReason(outcome, 'The value') };
      if (outcome.reply.kind === 'checked') return outcome.reply.verdict;
      lane.forget(known.key);
    }
    return { kind: 'refused', reason: 'The check gave no verdict.' };
  }
}

const NO_WORKER = 'The schema may take long to check, and there is no worker to check it.';

function outcomeReason(outcome: LaneOutcome, what: string): string {
  switch (outcome.kind) {
    case 'timedOut':
      return `${what} could not be checked within ${outcome.budgetMs} milliseconds.`;
    case 'failed':
      return `${what} could not be checked. ${outcome.reason}`;
    case 'replied':
      return 'The check gave no verdict.';
  }
}
