import type { JsonObject } from '../base/json.ts';
import { stopsOf } from '../prompts/samplingWishes.ts';

/** What a model sends while it answers. */
export type SampledPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'toolUse'; readonly id: string; readonly name: string; readonly input: JsonObject };

/** What the server has set for the answer; the editor's models know no such limits, so they are held here. */
export interface SampledLimits {
  /** Most tokens of text. */
  readonly maxTokens: number;
  /** Texts at which the answer ends; they are no part of it. */
  readonly stopSequences: readonly string[];
  /** Tokens in a text by the model's own count. */
  readonly countTokens: (text: string) => Promise<number>;
}

/** Between two counts of a long answer at least so many characters are read. */
const countEvery = 200;

/** No model counts the tokens of its uses of tools, so what it may send of them is bounded here. */
const mostUses = 128;
/** UTF-16 units of all their inputs together. */
const longestInputs = 1_000_000;

/** The limits that the parameters of `sampling/createMessage` set. */
export function sampledLimits(params: JsonObject): Pick<SampledLimits, 'maxTokens' | 'stopSequences'> {
  const { maxTokens } = params;
  return { maxTokens: typeof maxTokens === 'number' ? maxTokens : Infinity, stopSequences: stopsOf(params) };
}

/**
 * Reads a model's answer into a CreateMessageResult (specification: client/sampling). Stops reading where the answer
 * has to end, and says why it ended: `endTurn`, `toolUse`, `stopSequence` or `maxTokens`.
 */
export async function readSampledAnswer(
  stream: AsyncIterable<SampledPart>,
  limits: SampledLimits,
  model: string,
): Promise<JsonObject> {
  let text = '';
  let stopReason = 'endTurn';
  let countAt = limits.maxTokens;
  const uses: JsonObject[] = [];
  let inputs = 0;
  for await (const part of stream) {
    if (part.kind === 'toolUse') {
      inputs += JSON.stringify(part.input).length;
      if (uses.length >= mostUses || inputs > longestInputs) {
        stopReason = 'maxTokens';
        break;
      }
      uses.push({ type: 'tool_use', id: part.id, name: part.name, input: part.input });
      continue;
    }
    text += part.text;
    const stop = firstStop(text, limits.stopSequences, part.text.length);
    if (stop !== undefined) {
      text = text.slice(0, stop);
      stopReason = 'stopSequence';
      break;
    }
    // A token has at least one character in nearly every text: short answers are counted once, at the end.
    if (text.length <= countAt) continue;
    const tokens = await limits.countTokens(text);
    if (tokens > limits.maxTokens) break;
    countAt = text.length + Math.max(countEvery, limits.maxTokens - tokens);
  }
  const fitting = await longestFitting(text, limits);
  if (fitting < text.length) {
    text = text.slice(0, fitting);
    stopReason = 'maxTokens';
  }
  const words = { type: 'text', text };
  if (uses.length === 0) return { role: 'assistant', content: words, model, stopReason };
  const content = text === '' ? uses : [words, ...uses];
  return { role: 'assistant', content, model, stopReason: stopReason === 'endTurn' ? 'toolUse' : stopReason };
}

/** Where the answer ends; what was looked through before is not looked through again. */
function firstStop(text: string, stops: readonly string[], added: number): number | undefined {
  const places = stops
    .map((stop) => text.indexOf(stop, Math.max(0, text.length - added - stop.length + 1)))
    .filter((place) => place >= 0);
  return places.length === 0 ? undefined : Math.min(...places);
}

/** The length of the longest beginning of a text that has no more tokens than allowed. */
async function longestFitting(text: string, { maxTokens, countTokens }: SampledLimits): Promise<number> {
  if (text === '' || (await countTokens(text)) <= maxTokens) return text.length;
  let [fits, tooLong] = [0, text.length];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if ((await countTokens(text.slice(0, middle))) <= maxTokens) fits = middle;
    else tooLong = middle;
  }
  // Half of a surrogate pair is no text.
  return /[\uD800-\uDBFF]$/.test(text.slice(0, fits)) ? fits - 1 : fits;
}
