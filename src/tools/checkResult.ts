import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type {
  CallToolResult,
  ContentAnnotations,
  ContentBlock,
  ResourceLink,
  Tool,
} from '../protocol/model.ts';
import { decodeBase64 } from './base64.ts';
import { measureJson } from './jsonMeasure.ts';
import { checkMediaType, essence } from './mediaType.ts';
import type { SchemaChecker } from './schemaChecker.ts';
import type { SchemaProblem } from './schemaProblems.ts';

/** A content block after its check. `annotations` are the server's claims. */
export type CheckedBlock = { readonly annotations?: ContentAnnotations } & (
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'media';
      readonly media: 'image' | 'audio';
      readonly mimeType: string;
      readonly data: Uint8Array;
    }
  | { readonly kind: 'link'; readonly link: ResourceLink }
  | { readonly kind: 'resourceText'; readonly uri: string; readonly mimeType?: string; readonly text: string }
  | {
      readonly kind: 'resourceBlob';
      readonly uri: string;
      readonly mimeType: string;
      readonly data: Uint8Array;
    }
  /** An attachment whose data or type is wrong: shown as broken, never as text or picture. */
  | {
      readonly kind: 'broken';
      readonly claimedType: string;
      readonly reason: string;
      /** Characters of base64 that came. */
      readonly size: number;
      readonly uri?: string;
    }
  | { readonly kind: 'unknown'; readonly claimedType: string; readonly raw: JsonValue }
);

/** What became of `structuredContent` (specification: server/tools, "Output Schema"). */
export type StructuredCheck =
  | { readonly kind: 'absent' }
  /** The tool promises nothing, or the result is an error: nothing to check against. */
  | { readonly kind: 'unpromised'; readonly value: JsonValue }
  | { readonly kind: 'valid'; readonly value: JsonValue }
  | { readonly kind: 'missing' }
  | { readonly kind: 'invalid'; readonly value: JsonValue; readonly problems: readonly SchemaProblem[] }
  | { readonly kind: 'unchecked'; readonly value: JsonValue; readonly reason: string };

/** A tool's result, checked. Everything that came is still in it. */
export interface CheckedResult {
  readonly isError: boolean;
  readonly blocks: readonly CheckedBlock[];
  readonly structured: StructuredCheck;
  /** Index of the text block that is only `structuredContent` written out, if one is. */
  readonly structuredTextIndex?: number;
}

/** Checks a result against what the tool promises and what its attachments claim. Rejects only when the signal fires. */
export async function checkResult(
  tool: Pick<Tool, 'outputSchema'>,
  result: CallToolResult,
  checker: SchemaChecker,
  signal?: AbortSignal,
): Promise<CheckedResult> {
  const structured = await checkStructured(tool, result, checker, signal);
  const blocks = result.content.map((block) => checkBlock(block));
  const index = 'value' in structured ? findWrittenOut(blocks, structured.value) : undefined;
  return {
    isError: result.isError,
    blocks,
    structured,
    ...(index === undefined ? {} : { structuredTextIndex: index }),
  };
}

async function checkStructured(
  tool: Pick<Tool, 'outputSchema'>,
  result: CallToolResult,
  checker: SchemaChecker,
  signal: AbortSignal | undefined,
): Promise<StructuredCheck> {
  const value = result.structuredContent;
  // An error result says what went wrong; it need not have the promised form.
  if (tool.outputSchema === undefined || result.isError) {
    return value === undefined ? { kind: 'absent' } : { kind: 'unpromised', value };
  }
  if (value === undefined) return { kind: 'missing' };
  const verdict = await checker.check(tool.outputSchema, value, signal);
  switch (verdict.kind) {
    case 'valid':
      return { kind: 'valid', value };
    case 'invalid':
      return { kind: 'invalid', value, problems: verdict.problems };
    case 'refused':
      return { kind: 'unchecked', value, reason: verdict.reason };
  }
}

/** Checks one content block. Never throws. */
export function checkBlock(block: ContentBlock): CheckedBlock {
  const annotations = block.annotations === undefined ? {} : { annotations: block.annotations };
  switch (block.type) {
    case 'text':
      return { kind: 'text', text: block.text, ...annotations };
    case 'image':
    case 'audio':
      return { ...checkMedia(block.type, block.mimeType, block.data), ...annotations };
    case 'resource_link':
      return { kind: 'link', link: block, ...annotations };
    case 'resource':
      return { ...checkResource(block.resource), ...annotations };
    case 'unknown':
      return { ...checkUnread(block.claimedType, block.raw), ...annotations };
  }
}

/** What could not be read: an attachment is broken, whatever else it holds, and its data is no text for anybody. */
function checkUnread(claimedType: string, raw: JsonValue): CheckedBlock {
  const block = isJsonObject(raw) ? raw : {};
  const unread = (holder: JsonObject, data: string, reason: string): CheckedBlock => {
    const [value, type, uri] = [holder[data], holder['mimeType'], holder['uri']];
    return {
      kind: 'broken',
      claimedType: typeof type === 'string' ? essence(type) : claimedType,
      reason,
      size: typeof value === 'string' ? value.length : 0,
      ...(typeof uri === 'string' ? { uri } : {}),
    };
  };
  if (claimedType === 'image' || claimedType === 'audio') {
    const what = typeof block['data'] === 'string' ? 'a type' : 'data';
    return unread(block, 'data', `It is sent as ${claimedType}, but without ${what}.`);
  }
  const resource = block['resource'];
  if (claimedType === 'resource' && isJsonObject(resource) && typeof resource['blob'] === 'string') {
    const reason = 'It is sent as a resource, but not with a URI and with either text or data.';
    return unread(resource, 'blob', reason);
  }
  return { kind: 'unknown', claimedType, raw };
}

function checkMedia(media: 'image' | 'audio', mimeType: string, data: string): CheckedBlock {
  const claimedType = essence(mimeType);
  const broken = (reason: string): CheckedBlock => ({
    kind: 'broken',
    claimedType,
    reason,
    size: data.length,
  });
  if (!claimedType.startsWith(`${media}/`))
    return broken(`It is sent as ${media}, but its type is "${claimedType}".`);
  const decoded = decodeBase64(data);
  if (decoded.kind === 'wrong') return broken(decoded.reason);
  const verdict = checkMediaType(claimedType, decoded.bytes);
  if (verdict.kind === 'wrong') return broken(verdict.reason);
  if (verdict.kind === 'unchecked') return broken(`The type ${claimedType} cannot be checked.`);
  return { kind: 'media', media, mimeType: claimedType, data: decoded.bytes };
}

function checkResource(resource: {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
}): CheckedBlock {
  const { uri, text, blob } = resource;
  if (text !== undefined) {
    return {
      kind: 'resourceText',
      uri,
      text,
      ...(resource.mimeType === undefined ? {} : { mimeType: resource.mimeType }),
    };
  }
  const mimeType = resource.mimeType === undefined ? 'application/octet-stream' : essence(resource.mimeType);
  const data = blob ?? '';
  const decoded = decodeBase64(data);
  // An empty file is a file.
  if (data === '') return { kind: 'resourceBlob', uri, mimeType, data: new Uint8Array() };
  if (decoded.kind === 'wrong') {
    return { kind: 'broken', claimedType: mimeType, reason: decoded.reason, size: data.length, uri };
  }
  const verdict = checkMediaType(mimeType, decoded.bytes);
  if (verdict.kind === 'wrong') {
    return { kind: 'broken', claimedType: mimeType, reason: verdict.reason, size: data.length, uri };
  }
  return { kind: 'resourceBlob', uri, mimeType, data: decoded.bytes };
}

/** The longest text that is parsed to see whether it only repeats the structured content, and all together. */
const MAX_PARSED = 256 * 1024;
const MAX_PARSED_ALL = 1024 * 1024;
/** Values of a structured content that is written out in more than one way to be compared. */
const MAX_COMPARED = 100_000;
const MAX_DEPTH = 5000;

/** Servers repeat structured content as text for old clients (specification: server/tools, "Structured Content"). */
function findWrittenOut(blocks: readonly CheckedBlock[], value: JsonValue): number | undefined {
  const lengths = blocks.map((block) => (block.kind === 'text' ? block.text.length : 0));
  const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
  // Written out, each value and each character takes one at least: no shorter text can be this one.
  const measure = measureJson(value, { depth: MAX_DEPTH, values: longest, characters: longest });
  if (measure.kind === 'beyond') return undefined;
  try {
    const compact = JSON.stringify(value);
    const isText = (block: CheckedBlock, text: string): boolean =>
      block.kind === 'text' && block.text.length >= text.length && block.text.trim() === text;
    const exact = blocks.findIndex((block) => isText(block, compact));
    if (exact >= 0 || measure.values > MAX_COMPARED) return exact >= 0 ? exact : undefined;
    const indented = [2, 4].map((indent) => JSON.stringify(value, undefined, indent));
    const index = blocks.findIndex((block) => indented.some((text) => isText(block, text)));
    if (index >= 0) return index;
    const sorted = sortedJson(value);
    let left = MAX_PARSED_ALL;
    // Other spaces, another order of keys.
    const other = blocks.findIndex((block) => {
      if (block.kind !== 'text' || block.text.length > Math.min(MAX_PARSED, left)) return false;
      if (!isAsLong(block.text, sorted)) return false;
      left -= block.text.length;
      return isSameJson(block.text, sorted);
    });
    return other >= 0 ? other : undefined;
  } catch {
    // Nested too deeply to be written out.
    return undefined;
  }
}

/** White space can make a text several times as long as its content, but nothing makes it much shorter. */
function isAsLong(text: string, sorted: string): boolean {
  return text.length >= sorted.length / 2 && text.length <= sorted.length * 8 + 100;
}

function isSameJson(text: string, sorted: string): boolean {
  try {
    return sortedJson(JSON.parse(text)) === sorted;
  } catch {
    return false;
  }
}

function sortedJson(value: JsonValue): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
