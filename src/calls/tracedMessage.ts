import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { JsonRpcMessage } from '../protocol/jsonRpc.ts';
import { textLengthOf } from '../protocol/wire/textLength.ts';

/** Characters; what is longer would only be cut again, after long work. */
const mostTraced = 1_000_000;

/** A raw message as the record may have it. What a person typed for the server is theirs and stays out. */
export function tracedMessage(message: JsonRpcMessage): JsonValue {
  if ('result' in message && textLengthOf(message.result) > mostTraced) {
    return { ...message, result: `[cut: about ${textLengthOf(message.result)} characters]` };
  }
  const params = 'params' in message ? message.params : undefined;
  const answers = params?.['inputResponses'];
  if (params === undefined || answers === undefined) return { ...message };
  return { ...message, params: { ...params, inputResponses: withoutAnswers(answers) } };
}

function withoutAnswers(answers: JsonValue): JsonValue {
  if (!isJsonObject(answers)) return notKept;
  const kept: JsonObject = Object.fromEntries(Object.keys(answers).map((key) => [key, notKept]));
  return kept;
}

const notKept = '[not kept: an answer to the server]';
