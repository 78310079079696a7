import { abortError, delay } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import { HostError, RpcError } from '../base/errors.ts';
import type { Event } from '../base/event.ts';
import { isJsonObject } from '../base/json.ts';
import { errorCode } from '../protocol/errorCodes.ts';
import { method } from '../protocol/methods.ts';
import type { ClientCapabilities, InputRequest } from '../protocol/model.ts';
import { readInputRequest } from '../protocol/wire/inputRequests.ts';
import { askForInput } from './askForInput.ts';
import type { InputHandler } from './mcpClient.ts';

const maxElicitations = 16;
/** How long a server may take to say that the page is finished with, before the call is tried anyway. */
const longestWait = 120_000;

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
  readonly clock: Clock;
  /** Announces the ids of elicitations that the server has seen finished. */
  readonly completed: Event<string>;
}

/** Asks a person to visit the pages; true when all agreed and the call may be tried again. */
export async function visitUrls(
  elicitations: readonly UrlElicitation[],
  { handler, callId, signal, clock, completed }: VisitOptions,
): Promise<boolean> {
  const waiting = new Set(elicitations.flatMap(({ elicitationId }) => elicitationId ?? []));
  const allCompleted = new AbortController();
  // Listening begins before the question, because the answer to it may come after the notice.
  const listener = completed((id) => {
    waiting.delete(id);
    if (waiting.size === 0) allCompleted.abort(new HostError('cancelled', 'All pages are finished with.'));
  });
  try {
    const answers = await Promise.all(
      elicitations.map((request, index) => {
        const key = request.elicitationId ?? String(index);
        return askForInput(
          handler,
          request,
          callId === undefined ? { key, signal } : { key, signal, callId },
        );
      }),
    );
    const agreed = answers.every((answer) => answer.kind === 'elicitation' && answer.action === 'accept');
    if (signal.aborted) throw abortError(signal);
    if (!agreed) return false;
    await delay(clock, longestWait, AbortSignal.any([signal, allCompleted.signal])).catch(() => undefined);
    if (signal.aborted) throw abortError(signal);
    return true;
  } finally {
    listener.dispose();
  }
}
