import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { TimeSlice } from '../base/timeSlice.ts';
import type {
  CallToolResult,
  ContentAnnotations,
  ContentBlock,
  ResourceLink,
  Tool,
} from '../protocol/model.ts';
import type { LostNumber } from '../protocol/lostNumbers.ts';
import { type Base64Verdict, decodeBase64, decodeLargeBase64 } from './base64.ts';
import { checkMediaType, essence, typeOfBytes } from './mediaType.ts';
import type { SchemaChecker } from './schemaChecker.ts';
import type { SchemaProblem } from './schemaProblems.ts';
import { findWrittenOut } from './writtenOut.ts';

/** A content block after its check. `annotations` are the server's claims. */
export type CheckedBlock = { readonly annotations?: ContentAnnotations } & (
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'media';
      readonly media: 'image' | 'audio';
      readonly mimeType: string;
      readonly data: Uint8Array;
      /** No bytes tell its type, so it is a file of which nothing is known: neither drawn nor given to a model. */
      readonly isUnchecked?: true;
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
  /** Numbers in it that are not as the server wrote them. */
  readonly lostNumbers?: readonly LostNumber[];
}

/**
 * Checks a result against what the tool promises and what its attachments claim, with pauses if it is large. Rejects
 * only when the signal fires.
 */
export async function checkResult(
  tool: Pick<Tool, 'outputSchema'>,
  result: CallToolResult,
  checker: SchemaChecker,
  options: { readonly signal?: AbortSignal; readonly slice?: TimeSlice } = {},
): Promise<CheckedResult> {
  const { signal, slice = new TimeSlice() } = options;
  const structured = await checkStructured(tool, result, checker, signal);
  const blocks = await checkBlocks(result.content, slice);
  const texts = blocks.map((block) => (block.kind === 'text' ? block.text : undefined));
  const index = 'value' in structured ? await findWrittenOut(texts, structured.value, slice) : undefined;
  return {
    isError: result.isError,
    blocks,
    structured,
    ...(index === undefined ? {} : { structuredTextIndex: index }),
    ...(result.lostNumbers === undefined ? {} : { lostNumbers: shownNumbers(result.lostNumbers) }),
  };
}

/** What stands in `_meta` is shown to nobody. */
export function shownNumbers(lost: readonly LostNumber[]): readonly LostNumber[] {
  return lost.filter(({ path }) => !path.startsWith('/_meta/'));
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

/** Checks content blocks, with pauses. Never rejects. */
export async function checkBlocks(
  blocks: readonly ContentBlock[],
  slice: TimeSlice,
): Promise<readonly CheckedBlock[]> {
  const checked: CheckedBlock[] = [];
  for (const block of blocks) {
    const data = dataOf(block);
    const decoded = data === undefined ? undefined : await decodeLargeBase64(data, slice);
    checked.push(checkBlock(block, decoded));
    if (slice.isUsedUp) await slice.pause();
  }
  return checked;
}

function dataOf(block: ContentBlock): string | undefined {
  if (block.type === 'image' || block.type === 'audio') return block.data;
  return block.type === 'resource' ? block.resource.blob : undefined;
}

/** Checks one content block. Never throws. `decoded`: its data, if that was decoded already. */
export function checkBlock(block: ContentBlock, decoded?: Base64Verdict): CheckedBlock {
  const annotations = block.annotations === undefined ? {} : { annotations: block.annotations };
  switch (block.type) {
    case 'text':
      return { kind: 'text', text: block.text, ...annotations };
    case 'image':
    case 'audio':
      return { ...checkMedia(block.type, block.mimeType, block.data, decoded), ...annotations };
    case 'resource_link':
      return { kind: 'link', link: block, ...annotations };
    case 'resource':
      return { ...checkResource(block.resource, decoded), ...annotations };
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

function checkMedia(
  media: 'image' | 'audio',
  mimeType: string,
  data: string,
  known: Base64Verdict | undefined,
): CheckedBlock {
  const claimedType = essence(mimeType);
  const broken = (reason: string): CheckedBlock => ({
    kind: 'broken',
    claimedType,
    reason,
    size: data.length,
  });
  if (!claimedType.startsWith(`${media}/`))
    return broken(`It is sent as ${media}, but its type is "${claimedType}".`);
  const decoded = known ?? decodeBase64(data);
  if (decoded.kind === 'wrong') return broken(decoded.reason);
  const verdict = checkMediaType(claimedType, decoded.bytes);
  if (verdict.kind === 'wrong') return broken(verdict.reason);
  const checked: CheckedBlock = { kind: 'media', media, mimeType: claimedType, data: decoded.bytes };
  return verdict.kind === 'unchecked' ? { ...checked, isUnchecked: true } : checked;
}

function checkResource(
  resource: {
    readonly uri: string;
    readonly mimeType?: string;
    readonly text?: string;
    readonly blob?: string;
  },
  known: Base64Verdict | undefined,
): CheckedBlock {
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
  const decoded = known ?? decodeBase64(data);
  // An empty file is a file.
  if (data === '') return { kind: 'resourceBlob', uri, mimeType, data: new Uint8Array() };
  if (decoded.kind === 'wrong') {
    return { kind: 'broken', claimedType: mimeType, reason: decoded.reason, size: data.length, uri };
  }
  if (resource.mimeType === undefined) {
    return {
      kind: 'resourceBlob',
      uri,
      mimeType: typeOfBytes(decoded.bytes) ?? mimeType,
      data: decoded.bytes,
    };
  }
  const verdict = checkMediaType(mimeType, decoded.bytes);
  if (verdict.kind === 'wrong') {
    return { kind: 'broken', claimedType: mimeType, reason: verdict.reason, size: data.length, uri };
  }
  return { kind: 'resourceBlob', uri, mimeType, data: decoded.bytes };
}
