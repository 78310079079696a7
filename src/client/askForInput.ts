import { errorMessage, HostError } from '../base/errors.ts';
import { errorCode } from '../protocol/errorCodes.ts';
import type { InputRequest, InputResponse } from '../protocol/model.ts';
import type { InputContext, InputHandler } from './mcpClient.ts';

/**
 * Asks the handler, and makes sure that the answer fits the question: a handler that fails or answers
 * something else counts as a refusal.
 */
export async function askForInput(
  handler: InputHandler,
  request: InputRequest,
  context: InputContext,
): Promise<InputResponse> {
  try {
    const response = await handler(request, context);
    return fits(request, response)
      ? response
      : { kind: 'refused', code: errorCode.internalError, message: 'The answer does not fit the question.' };
  } catch (error) {
    if (context.signal.aborted) return { kind: 'elicitation', action: 'cancel' };
    return { kind: 'refused', code: errorCode.internalError, message: errorMessage(error) };
  }
}

function fits(request: InputRequest, response: InputResponse): boolean {
  if (response.kind === 'refused') return true;
  switch (request.kind) {
    case 'elicitationForm':
    case 'elicitationUrl':
      return response.kind === 'elicitation';
    case 'sampling':
    case 'roots':
      return response.kind === request.kind;
  }
}

/**
 * The error that ends a call when one of its input requests was refused. A modern server has no form for a refusal and
 * waits for none: the call is not made again (specification: client/sampling and client/roots, "Error Handling").
 */
export function refusalError({
  code,
  message,
}: Extract<InputResponse, { readonly kind: 'refused' }>): HostError {
  const next = code === errorCode.rejectedByUser ? ' Do not make it again unless the user asks for it.' : '';
  return new HostError(
    'inputRefused',
    `The call ended without a result, because what the server asked for was refused: ${message}${next}`,
    { details: { code } },
  );
}
