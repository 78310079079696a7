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

/** The error that ends a call when one of its input requests was refused. */
export function refusalError(response: Extract<InputResponse, { readonly kind: 'refused' }>): HostError {
  return new HostError('inputRefused', `What the server asked for was refused: ${response.message}`, {
    details: { code: response.code },
  });
}
