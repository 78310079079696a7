import type { CallDetail } from '../audit/history/readCall.ts';
import { type JsonValue, isJsonObject } from '../base/json.ts';
import type { CallToolResult, ContentBlock } from '../protocol/model.ts';
import { readCallToolResult } from '../protocol/wire/results.ts';
import type { ResultLead } from '../shared/resultView.ts';
import { type CheckedBlock, checkBlock } from '../tools/checkResult.ts';
import { lead } from '../tools/resultView.ts';
import type { KeptResult } from './resultShelf.ts';

/** The result of a call as it stands on record; `undefined` if there is none, or only a digest of it. */
export function recordedResult({ entry, records, result }: CallDetail): KeptResult | undefined {
  const read = result === undefined ? undefined : readStored(result);
  if (read === undefined) return undefined;
  const intent = records.findLast(({ kind }) => kind === 'intent')?.fields;
  const launchFingerprint = intent?.['launchFingerprint'];
  const value = read.structuredContent;
  return {
    id: entry.callId,
    subject: intent?.['method'] === undefined ? 'result' : 'resource',
    serverId: entry.serverId,
    launchFingerprint: typeof launchFingerprint === 'string' ? launchFingerprint : undefined,
    title: entry.tool,
    checked: {
      isError: read.isError,
      blocks: read.content.map(checkStored),
      structured: value === undefined ? { kind: 'absent' } : { kind: 'unpromised', value },
    },
    leads: [
      lead('info', 'This is what is on record. Secrets in it may be replaced, and what is long may be cut.'),
      ...problemLeads(records.findLast(({ kind }) => kind === 'result')?.fields['problems']),
    ],
    raw: read,
  };
}

function readStored(stored: JsonValue): CallToolResult | undefined {
  if (!isJsonObject(stored)) return undefined;
  const { content } = stored;
  try {
    // The record holds our own form, in which a block of an unknown type is wrapped.
    return readCallToolResult(
      Array.isArray(content) ? { ...stored, content: content.map(unwrapped) } : stored,
    );
  } catch {
    return undefined;
  }
}

function unwrapped(block: JsonValue): JsonValue {
  return isJsonObject(block) && block['type'] === 'unknown' ? (block['raw'] ?? block) : block;
}

/** An attachment that was too long for the record is not the server's fault. */
function checkStored(block: ContentBlock): CheckedBlock {
  const checked = checkBlock(block);
  const data = 'data' in block ? block.data : block.type === 'resource' ? block.resource.blob : undefined;
  return checked.kind === 'broken' && /^\[(?:cut|secret|digest)[: ]/.test(data ?? '')
    ? { ...checked, reason: 'Its data is not on record, because of its length.', size: 0 }
    : checked;
}

function problemLeads(problems: JsonValue | undefined): readonly ResultLead[] {
  if (!Array.isArray(problems) || problems.length === 0) return [];
  const details = problems.flatMap((item: JsonValue) => (typeof item === 'string' ? [item] : []));
  return [lead('caution', 'The check of this result found something wrong.', details.slice(0, 100))];
}
