import { abortError, delay } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import { HostError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { ResultOutcome, WireCodec } from '../protocol/wire/codec.ts';
import { encodeInputResponse } from '../protocol/wire/inputRequests.ts';
import { askForInput, refusalError } from './askForInput.ts';
import type { InputHandler } from './mcpClient.ts';

export interface RoundsOptions {
  readonly method: string;
  /** As the caller gave them; sent again unchanged with each retry. */
  readonly params: JsonObject;
  readonly codec: WireCodec;
  readonly handler: InputHandler;
  readonly clock: Clock;
  readonly callId: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Fires with a HostError when the connection ends. */
  readonly ended: AbortSignal;
  /** More rounds than this end the call. */
  readonly maxRounds: number;
  /** Milliseconds for all requests together; waiting for a person does not count. */
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
 * Sends a request and answers what the server asks for until it has a result (specification: MRTR).
 * Everything a round brings stays in this call: parallel calls share nothing.
 * @throws HostError `tooManyRounds`, `inputRefused`, `protocolViolation`, and whatever `send` rejects with
 */
export async function runInputRounds(options: RoundsOptions): Promise<RoundsResult> {
  let params = options.params;
  let budget = options.maxTimeoutMs;
  for (let round = 0; ; round++) {
    const started = options.clock.monotonic();
    let result: JsonObject;
    try {
      result = await options.send(params, budget);
    } catch (error) {
      budget -= options.clock.monotonic() - started;
      if (round < options.maxRounds && (await options.recover(error))) continue;
      throw error;
    }
    budget -= options.clock.monotonic() - started;
    const outcome = options.codec.readOutcome(options.method, result);
    if (outcome.kind === 'complete') return { result, retried: round > 0 };
    if (outcome.kind === 'invalid') throw new HostError('protocolViolation', outcome.reason);
    if (round >= options.maxRounds) throw tooManyRounds(options.maxRounds);
    const inputResponses = await answer(outcome, options);
    if (Object.keys(inputResponses).length === 0) await waitBeforeRound(options, round);
    params = {
      ...options.params,
      ...(outcome.requests.length === 0 ? undefined : { inputResponses }),
      ...(outcome.requestState === undefined ? undefined : { requestState: outcome.requestState }),
    };
  }
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
        const encoded = encodeInputResponse(response);
        if (response.kind === 'refused' || encoded === undefined) throw refusal(response);
        return [key, encoded];
      }),
    );
    return Object.fromEntries(answers);
  } finally {
    // One refusal ends the call: the other questions are taken back.
    stop.abort(new HostError('cancelled', 'Another question of the same call was refused.'));
  }
}

function refusal(response: Parameters<typeof encodeInputResponse>[0]): HostError {
  return response.kind === 'refused'
    ? refusalError(response)
    : new HostError('inputRefused', 'What the server asked for cannot be answered.');
}

async function waitBeforeRound({ clock, signal, ended }: RoundsOptions, round: number): Promise<void> {
  const wait = Math.min(firstWait * 2 ** round, longestWait);
  await delay(clock, wait, signal === undefined ? ended : AbortSignal.any([signal, ended]));
}

function tooManyRounds(limit: number): HostError {
  return new HostError('tooManyRounds', `The server asked for input more than ${limit} times in one call.`, {
    details: { limit },
  });
}
