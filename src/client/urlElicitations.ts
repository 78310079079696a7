import { abortError } from '../base/abort.ts';
import { HostError, RpcError } from '../base/errors.ts';
import { isJsonObject } from '../base/json.ts';
import { errorCode } from '../protocol/errorCodes.ts';
import { method } from '../protocol/methods.ts';
import type { ClientCapabilities, InputRequest } from '../protocol/model.ts';
import { readInputRequest } from '../protocol/wire/inputRequests.ts';
import { askForInput } from './askForInput.ts';
import type { InputHandler } from './mcpClient.ts';

const maxElicitations = 16;

type UrlElicitation = Extract<InputRequest, { readonly kind: 'elicitationUrl' }>;

/** The pages that a call needs a person to visit first (specification 2025-11-25: "URL Elicitation Required Error"). */
export function readUrlElicitations(
  error: unknown,
  declared: ClientCapabilities,
): readonly UrlElicitation[] | undefined {
  if (!(error instanceof RpcError) || error.code !== errorCode.urlElicitationRequired) return undefined;
  const list = isJsonObject(error.data) ? error.data['elicitations'] : undefined;
  if (!Array.isArray(list) || list.length === 0 || list.length > maxElicitations) return undefined;
  const elicitations: UrlElicitation[] = [];
  for (const item of list) {
    const params = isJsonObject(item) ? { ...item, mode: 'url' } : undefined;
    const reading = readInputRequest(method.elicit, params, declared);
    // All or nothing: the call would fail again for the one that was left out.
    if (reading.kind !== 'request' || reading.request.kind !== 'elicitationUrl') return undefined;
    elicitations.push(reading.request);
  }
  return elicitations;
}

export interface VisitOptions {
  readonly handler: InputHandler;
  readonly callId: string | undefined;
  /** Fires when the call is cancelled or the connection ends; its reason is a HostError. */
  readonly signal: AbortSignal;
}

/**
 * Asks a person to visit the pages; true when all are finished with and the call may be tried again. When that is,
 * the handler knows: the person says so, or the server does (`notifications/elicitation/complete`).
 */
export async function visitUrls(
  elicitations: readonly UrlElicitation[],
  { handler, callId, signal: outer }: VisitOptions,
): Promise<boolean> {
  const stop = new AbortController();
  const signal = AbortSignal.any([outer, stop.signal]);
  const asked = elicitations.map(async (request, index) => {
    const key = request.elicitationId ?? String(index);
    const context = { key, signal, retries: true } as const;
    const answer = await askForInput(
      handler,
      request,
      callId === undefined ? context : { ...context, callId },
    );
    const agreed = answer.kind === 'elicitation' && answer.action === 'accept';
    // One refusal ends the call: the other pages need not be visited any more.
    if (!agreed) stop.abort(new HostError('cancelled', 'Another page of the same call was refused.'));
    return agreed;
  });
  const answers = await Promise.all(asked);
  if (outer.aborted) throw abortError(outer);
  return answers.every(Boolean);
}
