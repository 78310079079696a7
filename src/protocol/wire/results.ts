import { HostError } from '../../base/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type {
  CallToolResult,
  ContentBlock,
  GetPromptResult,
  PromptMessage,
  ReadResourceResult,
  ResourceContents,
} from '../model.ts';
import { lostNumbersIn } from '../lostNumbers.ts';
import { readContentBlock, readResourceContents } from './content.ts';
import { present } from './present.ts';
import { readObject, readText } from './read.ts';
import { repairTexts } from './wellFormed.ts';

/**
 * Reads the result of `tools/call`.
 * @throws HostError `protocolViolation` when the content is no list
 */
export function readCallToolResult(received: JsonObject): CallToolResult {
  const raw = repairTexts(received);
  const { content, structuredContent, isError } = raw;
  // Servers with a typed result alone leave the content out, although it is required.
  const blocks = (content ?? undefined) === undefined && structuredContent !== undefined ? [] : content;
  if (!Array.isArray(blocks)) throw violation('the result of the tool has no content list');
  if (isError !== undefined && isError !== null && typeof isError !== 'boolean')
    throw violation('"isError" of the result is neither true nor false');
  return present({
    content: readBlocks(blocks),
    structuredContent,
    isError: isError === true,
    _meta: readObject(raw, '_meta'),
    lostNumbers: lostNumbersIn(received),
  });
}

/** More blocks than this are not told apart. */
const maxBlocks = 10_000;

/** Reads content blocks; what comes after the first ten thousand is kept raw, as one block. */
function readBlocks(blocks: readonly JsonValue[]): readonly ContentBlock[] {
  if (blocks.length <= maxBlocks) return blocks.map(readContentBlock);
  const rest: ContentBlock = {
    type: 'unknown',
    claimedType: `parts ${maxBlocks + 1} to ${blocks.length}`,
    raw: blocks.slice(maxBlocks),
  };
  return [...blocks.slice(0, maxBlocks).map(readContentBlock), rest];
}

/**
 * Reads the result of `resources/read`.
 * @throws HostError `protocolViolation` when there are contents and none of them can be read
 */
export function readReadResourceResult(received: JsonObject): ReadResourceResult {
  const raw = repairTexts(received);
  const list: JsonValue | undefined = raw['contents'];
  if (!Array.isArray(list)) throw violation('the resource has no contents list');
  const contents: ResourceContents[] = [];
  const unread: JsonValue[] = list.length > maxBlocks ? [list.slice(maxBlocks)] : [];
  for (const item of list.slice(0, maxBlocks)) {
    const read = readResourceContents(item);
    if (read === undefined) unread.push(item);
    else contents.push(read);
  }
  if (contents.length === 0 && unread.length > 0)
    throw violation('contents of the resource without URI, text or data');
  return present({
    contents,
    unread: unread.length === 0 ? undefined : unread,
    _meta: readObject(raw, '_meta'),
    lostNumbers: lostNumbersIn(received),
  });
}

/**
 * Reads the result of `prompts/get`.
 * @throws HostError `protocolViolation` when a message cannot be read
 */
export function readGetPromptResult(received: JsonObject): GetPromptResult {
  const raw = repairTexts(received);
  const list = raw['messages'];
  if (!Array.isArray(list)) throw violation('the prompt has no messages list');
  const messages = list.map((item: JsonValue): PromptMessage => {
    const role = isJsonObject(item) ? item['role'] : undefined;
    if (!isJsonObject(item) || (role !== 'user' && role !== 'assistant'))
      throw violation('a message of the prompt without a role');
    return { role, content: readContentBlock(item['content'] ?? null) };
  });
  return present({ description: readText(raw, 'description'), messages, _meta: readObject(raw, '_meta') });
}

function violation(what: string): HostError {
  return new HostError('protocolViolation', `The server broke the protocol: ${what}.`);
}
