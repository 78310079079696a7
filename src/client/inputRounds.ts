import { abortError, delay } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import { HostError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { ResultOutcome, WireCodec } from '../protocol/wire/codec.ts';
import { encodeInputResponse } from '../protocol/wire/inputRequests.ts';
import { askForInput, refusalError } from './askForInput.ts';
import type { InputHandler } from './mcpClient.ts';

/** How one request of a call ended. */
export type Attempt =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly error: unknown };

export interface RoundsOptions {
  readonly method: string;
  /** As the caller gave them; sent again unchanged with each retry. */
  readonly params: JsonObject;
  /** How the first request ended, which has been sent already. */
  readonly first: Attempt;
  readonly codec: WireCodec;
  readonly handler: InputHandler;
  readonly clock: Clock;
  readonly callId: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Fires with a HostError when the connection ends. */
  readonly ended: AbortSignal;
  /** More rounds than this end the call. */
  readonly maxRounds: number;
  /** Milliseconds left for all requests together; waiting for a person does not count. */
  readonly maxTimeoutMs: number;
  /** One request and its result. */
  readonly send: (params: JsonObject, maxTimeoutMs: number) => Promise<JsonObject>;
  /** Does what an error asks for; true when the same request may be sent again. */
  readonly recover: (error: unknown) => Promise<boolean>;
}

export interface RoundsResult {
  readonly result: JsonObject;
  /** The result depends on more than the original parameters: it must not be cached (specification: caching). */
  readonly retried: boolean;
}

type InputRequired = Extract<ResultOutcome, { readonly kind: 'inputRequired' }>;

/** Waiting between rounds in which nobody is asked. Milliseconds. */
const firstWait = 200;
const longestWait = 5_000;

/**
 * Answers what the server asks for, and sends the request again, until there is a result
 * (specification: MRTR). Everything a round brings stays in this call: parallel calls share nothing.
 * @throws HostError `tooManyRounds`, `inputRefused`, `protocolViolation`, and whatever `send` rejects with
 */
export async function runInputRounds(options: RoundsOptions): Promise<RoundsResult> {
  const { clock, codec, maxRounds, method } = options;
  let attempt = options.first;
  let params = options.params;
  let budget = options.maxTimeoutMs;
  for (let round = 0; ; round++) {
    if (attempt.kind === 'error') {
      if (round >= maxRounds || !(await options.recover(attempt.error))) throw attempt.error;
    } else {
      const outcome = codec.readOutcome(method, attempt.result);
      if (outcome.kind === 'complete') return { result: attempt.result, retried: round > 0 };
      if (outcome.kind === 'invalid') throw new HostError('protocolViolation', outcome.reason);
      if (round >= maxRounds) throw tooManyRounds(maxRounds);
      params = await nextParams(outcome, options, round);
    }
    // Nothing is sent that would have to be taken back at once.
    if (budget <= 0) throw outOfTime(method);
    const started = clock.monotonic();
    attempt = await options.send(params, budget).then(
      (result): Attempt => ({ kind: 'result', result }),
      (error: unknown): Attempt => ({ kind: 'error', error }),
    );
    budget -= clock.monotonic() - started;
  }
}

async function nextParams(
  required: InputRequired,
  options: RoundsOptions,
  round: number,
): Promise<JsonObject> {
  const inputResponses = await answer(required, options);
  if (required.requests.length === 0) await waitBeforeRound(options, round);
  return {
    ...options.params,
    ...(required.requests.length === 0 ? undefined : { inputResponses }),
    ...(required.requestState === undefined ? undefined : { requestState: required.requestState }),
  };
}

async function answer(required: InputRequired, options: RoundsOptions): Promise<JsonObject> {
  const { handler, callId } = options;
  const stop = new AbortController();
  const signals = [stop.signal, options.ended];
  if (options.signal !== undefined) signals.push(options.signal);
  const signal = AbortSignal.any(signals);
  try {
    const answers = await Promise.all(
      required.requests.map(async ({ key, request }): Promise<[string, JsonObject]> => {
        const context = callId === undefined ? { key, signal } : { key, signal, callId };
        const response = await askForInput(handler, request, context);
        if (signal.aborted) throw abortError(signal);
        if (response.kind === 'refused') throw refusalError(response);
        return [key, encodeInputResponse(response)];
      }),
    );
    return Object.fromEntries(answers);
  } finally {
    // One refusal ends the call: the other questions are taken back.
    stop.abort(new HostError('cancelled', 'Another question of the same call was refused.'));
  }
}

async function waitBeforeRound({ clock, signal, ended }: RoundsOptions, round: number): Promise<void> {
  const wait = Math.min(firstWait * 2 ** round, longestWait);
  await delay(clock, wait, signal === undefined ? ended : AbortSignal.any([signal, ended]));
}

function outOfTime(name: string): HostError {
  return new HostError('timeout', `The server took all the time that "${name}" may take.`, {
    details: { method: name },
  });
}

function tooManyRounds(limit: number): HostError {
  return new HostError('tooManyRounds', `The server asked for input more than ${limit} times in one call.`, {
    details: { limit },
  });
}
