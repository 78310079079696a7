import type { ModelPart } from '../tools/resultForModel.ts';

/** A result as text for the list of finished calls. */
export function summaryOf(parts: readonly ModelPart[]): string {
  return parts
    .map((part) => (part.kind === 'text' ? part.text : `[${part.mimeType}, ${part.data.length} bytes]`))
    .join('\n');
}
