import { errorMessage, RpcError } from '../base/errors.ts';
import { measureJson } from '../tools/jsonMeasure.ts';
import type { ModelPart } from '../tools/resultForModel.ts';

/** A result as text for the list of finished calls. */
export function summaryOf(parts: readonly ModelPart[]): string {
  return parts
    .map((part) => (part.kind === 'text' ? part.text : `[${part.mimeType}, ${part.data.length} bytes]`))
    .join('\n');
}

/** What an error shows in that list: of one that the server reports, its code and what comes with it too. */
export function errorSummary(error: unknown): string {
  const message = errorMessage(error);
  if (!(error instanceof RpcError)) return message;
  const { code, data } = error;
  const lines = [message, `Protocol error ${code} from the server.`];
  if (data !== undefined) {
    const isShort = measureJson(data, { depth: 50, values: 2_000, characters: 20_000 }).kind === 'within';
    lines.push(
      isShort ? JSON.stringify(data, undefined, 2) : 'What comes with it is too large to be shown here.',
    );
  }
  return lines.join('\n');
}
