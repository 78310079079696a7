import { errorMessage, HostError, RpcError } from '../base/errors.ts';
import type { CheckedBlock, CheckedResult, StructuredCheck } from './checkResult.ts';
import { type ResultStore, wholeCharacter } from './resultStore.ts';
import { problemText } from './schemaProblems.ts';

/** One part of what the model gets. */
export type ModelPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'data'; readonly mimeType: string; readonly data: Uint8Array };

/** A result in the form for the model. */
export interface ModelResult {
  readonly isError: boolean;
  readonly parts: readonly ModelPart[];
  /** Set when text was cut: the id for `read_result`, and sizes in characters. */
  readonly cut?: { readonly id: string; readonly shown: number; readonly total: number };
}

/** Bounds for what the model gets. */
export interface ResultLimits {
  /** Bytes of UTF-8 of all text together. */
  readonly textBytes: number;
  /** Bytes of one picture or sound. */
  readonly dataBytes: number;
  /** Types that the model takes as data; the others are described in words. */
  readonly acceptsData: (mimeType: string) => boolean;
}

export const DEFAULT_RESULT_LIMITS: ResultLimits = {
  textBytes: 64 * 1024,
  dataBytes: 5 * 1024 * 1024,
  acceptsData: (mimeType) => ['image/png', 'image/jpeg', 'image/gif', 'image/webp'].includes(mimeType),
};

/** Writes a checked result for the model: all that is meant for it, once, within the limits. */
export function resultForModel(
  result: CheckedResult,
  store: ResultStore,
  owner: string,
  limits: ResultLimits = DEFAULT_RESULT_LIMITS,
): ModelResult {
  const texts: string[] = [];
  const data: ModelPart[] = [];
  const lead = structuredLead(result.structured);
  if (lead !== '') texts.push(lead);
  let forUserOnly = 0;
  for (const block of result.blocks) {
    if (isForUserOnly(block)) forUserOnly += 1;
    else if (
      block.kind === 'media' &&
      limits.acceptsData(block.mimeType) &&
      block.data.length <= limits.dataBytes
    ) {
      data.push({ kind: 'data', mimeType: block.mimeType, data: block.data });
    } else texts.push(blockText(block));
  }
  const structured = structuredText(result);
  if (structured !== '') texts.push(structured);
  if (forUserOnly > 0) texts.push(`[${forUserOnly} part(s) of the result are meant for the user only.]`);
  if (texts.length === 0 && data.length === 0) texts.push('[The tool returned nothing.]');
  const full = texts.join('\n\n').toWellFormed();
  const cutAt = cutPosition(full, limits.textBytes);
  if (cutAt === full.length) {
    return { isError: result.isError, parts: withText(full, data) };
  }
  const id = store.put(owner, full);
  const shown = full.slice(0, cutAt);
  const note = `\n\n[Cut here: ${cutAt} of ${full.length} characters are shown. Read on with read_result {"id": "${id}", "start": ${cutAt}}.]`;
  return {
    isError: result.isError,
    parts: withText(shown + note, data),
    cut: { id, shown: cutAt, total: full.length },
  };
}

/** What the model is told when a call ended in an error instead of a result. */
export function failureForModel(error: unknown): ModelResult {
  let text: string;
  if (error instanceof RpcError)
    text = `The server answered with the protocol error ${error.code}: ${error.message}`;
  else if (error instanceof HostError) text = `The call was not completed (${error.code}): ${error.message}`;
  else text = `The call was not completed: ${errorMessage(error)}`;
  return { isError: true, parts: [{ kind: 'text', text: text.toWellFormed() }] };
}

function withText(text: string, data: readonly ModelPart[]): ModelPart[] {
  return text === '' ? [...data] : [{ kind: 'text', text }, ...data];
}

function isForUserOnly(block: CheckedBlock): boolean {
  const audience = block.annotations?.audience;
  return audience !== undefined && audience.length > 0 && !audience.includes('assistant');
}

function blockText(block: CheckedBlock): string {
  switch (block.kind) {
    case 'text':
      return block.text;
    case 'media':
      return `[${block.media} ${block.mimeType}, ${block.data.length} bytes, shown to the user only]`;
    case 'link':
      return `[Resource ${JSON.stringify(block.link.name)}: ${block.link.uri}${detail(block.link.mimeType)}${detail(block.link.description)}]`;
    case 'resourceText':
      return `[Content of ${block.uri}${detail(block.mimeType)}]\n${block.text}`;
    case 'resourceBlob':
      return `[Content of ${block.uri}, ${block.mimeType}, ${block.data.length} bytes, not text]`;
    case 'broken':
      return `[A broken attachment (${block.claimedType}): ${block.reason}]`;
    case 'unknown':
      return `[Content of an unknown type ${JSON.stringify(block.claimedType)}]\n${JSON.stringify(block.raw)}`;
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

function structuredText(result: CheckedResult): string {
  if (!('value' in result.structured)) return '';
  const repeated = result.structuredTextIndex;
  const block = repeated === undefined ? undefined : result.blocks[repeated];
  if (block !== undefined && !isForUserOnly(block)) return '';
  return `Structured content:\n${JSON.stringify(result.structured.value)}`;
}

/** Where a text must end so that its UTF-8 form has at most so many bytes; at a line's end if one is near. */
function cutPosition(text: string, maxBytes: number): number {
  // No character has more than three bytes per unit.
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text, 'utf8') <= maxBytes) return text.length;
  const buffer = Buffer.alloc(maxBytes);
  const { read } = new TextEncoder().encodeInto(text, buffer);
  const end = wholeCharacter(text, read);
  const line = text.lastIndexOf('\n', end - 1);
  return line > end - 2000 && line > 0 ? line + 1 : end;
}
