import { isJsonObject, type JsonValue } from '../base/json.ts';
import type { TimeSlice } from '../base/timeSlice.ts';
import { writeJson } from '../base/writeJson.ts';
import { type LostNumber, lostNumberTexts } from '../protocol/lostNumbers.ts';
import type { CheckedBlock, CheckedResult, StructuredCheck } from './checkResult.ts';
import { problemText } from './schemaProblems.ts';

/** A piece of text for the model, with the weight that the server gives it. */
export interface TextPiece {
  readonly text: string;
  /** 0 to 1 (specification: resources, "Annotations"); without one, in the middle. */
  readonly priority: number;
}

/** True for content that the server means for people only. */
export function isForUserOnly(block: CheckedBlock): boolean {
  const audience = block.annotations?.audience;
  return audience !== undefined && audience.length > 0 && !audience.includes('assistant');
}

/** What must be said before the content: that it is an error, that the check of the structured content failed. */
export function leadTexts(result: CheckedResult): TextPiece[] {
  const texts = [
    result.isError ? '[The tool reports an error.]' : '',
    structuredLead(result.structured),
    numbersLead(result.lostNumbers ?? []),
  ];
  return texts.filter((text) => text !== '').map((text) => ({ text, priority: 1 }));
}

/** A content block in words. */
export async function blockPiece(block: CheckedBlock, slice: TimeSlice): Promise<TextPiece> {
  const modified = block.annotations?.lastModified;
  const note = modified === undefined ? '' : `, last modified ${modified}`;
  return { text: await blockText(block, note, slice), priority: block.annotations?.priority ?? 0.5 };
}

/** The structured content, unless a text block that the model gets repeats it; undefined when there is none. */
export async function structuredPiece(
  result: CheckedResult,
  slice: TimeSlice,
): Promise<TextPiece | undefined> {
  if (!('value' in result.structured)) return undefined;
  const repeated = result.structuredTextIndex;
  const block = repeated === undefined ? undefined : result.blocks[repeated];
  if (block !== undefined && !isForUserOnly(block)) return undefined;
  return { text: `Structured content:\n${await jsonText(result.structured.value, slice)}`, priority: 0.5 };
}

async function blockText(block: CheckedBlock, note: string, slice: TimeSlice): Promise<string> {
  switch (block.kind) {
    case 'text':
      return note === '' ? block.text : `[Text${note}]\n${block.text}`;
    case 'media':
      if (block.isUnchecked === true)
        return `[${block.media} ${block.mimeType}, ${block.data.length} bytes${note}, of a type that cannot be checked, kept for the user only]`;
      return `[${block.media} ${block.mimeType}, ${block.data.length} bytes${note}, shown to the user only]`;
    case 'link': {
      const { name, uri, mimeType, description } = block.link;
      return `[Resource ${JSON.stringify(name)}: ${uri}${detail(mimeType)}${note}${detail(description)}]`;
    }
    case 'resourceText':
      return `[Content of ${block.uri}${detail(block.mimeType)}${note}]\n${block.text}`;
    case 'resourceBlob':
      return `[Content of ${block.uri}, ${block.mimeType}, ${block.data.length} bytes${note}, not text]`;
    case 'broken':
      return `[A broken attachment${detail(block.uri)}, ${block.claimedType}: ${block.reason}]`;
    case 'unknown':
      return `[Content of the unknown type ${JSON.stringify(block.claimedType)}]\n${await jsonText(withoutData(block.raw), slice)}`;
  }
}

function detail(text: string | undefined): string {
  return text === undefined || text === '' ? '' : `, ${text}`;
}

function structuredLead(check: StructuredCheck): string {
  switch (check.kind) {
    case 'missing':
      return '[Failed check: the tool promises structured content, and none came. What came follows.]';
    case 'invalid':
      return `[Failed check: the structured content is not what the tool promises:\n${problemText(check.problems, 'the content')}\nWhat came follows.]`;
    case 'unchecked':
      return `[The structured content could not be checked: ${check.reason}]`;
    case 'absent':
    case 'unpromised':
    case 'valid':
      return '';
  }
}

function numbersLead(lost: readonly LostNumber[]): string {
  if (lost.length === 0) return '';
  const lines = lostNumberTexts(lost)
    .map((text) => `${text}.`)
    .join('\n');
  return `[Failed check: the result has numbers that cannot be kept exactly:\n${lines}\nWhat came follows.]`;
}

/** Characters of an attachment that may stand in a text for the model. */
const mostData = 1_000;

/** What is sent as a type that is not known may be a film: its data is no text for anybody. */
function withoutData(raw: JsonValue): JsonValue {
  if (!isJsonObject(raw)) return raw;
  return Object.fromEntries(
    Object.entries(raw).map(([key, value]) =>
      ['data', 'blob'].includes(key) && typeof value === 'string' && value.length > mostData
        ? [key, `[${value.length} characters, kept for the user only]`]
        : [key, value],
    ),
  );
}

async function jsonText(value: unknown, slice: TimeSlice): Promise<string> {
  return (await writeJson(value, {}, slice)).pieces.join('');
}
