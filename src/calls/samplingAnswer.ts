import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { ReviewCard } from '../shared/inputCards.ts';

/** The content of a CreateMessageResult as a person reads it. */
export function answerParts(result: JsonObject): ReviewCard['parts'] {
  return blocksOf(result).map((block) => {
    if (isJsonObject(block) && block['type'] === 'text' && typeof block['text'] === 'string') {
      return { kind: 'text', text: block['text'] };
    }
    const type = isJsonObject(block) && typeof block['type'] === 'string' ? block['type'] : 'unknown';
    return {
      kind: 'other',
      label: `Part of type ${JSON.stringify(type)}`,
      text: JSON.stringify(block, undefined, 2),
    };
  });
}

/** The same result with other words; only for an answer of a single text. */
export function withAnswerText(result: JsonObject, text: string): JsonObject {
  const content = { type: 'text', text };
  // Whatever ended the model's words, the person's are whole.
  return {
    ...result,
    content: Array.isArray(result['content']) ? [content] : content,
    stopReason: 'endTurn',
  };
}

function blocksOf(result: JsonObject): readonly JsonValue[] {
  const { content } = result;
  if (content === undefined) return [];
  return Array.isArray(content) ? (content as readonly JsonValue[]) : [content];
}
