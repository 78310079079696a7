import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { visibleLine, visibleText } from '../../shared/visibleText.ts';
import type { ReadRecord } from '../record.ts';
import { callerText, deciderWords, durationText, endMeanings, endWords, timeText } from './entryText.ts';
import { code, fence } from './markdown.ts';
import type { CallDetail } from './readCall.ts';
import { replayOf } from './replayable.ts';

/** Everything on record about one call, as Markdown in which nothing of a server is markup. */
export function callDocument(detail: CallDetail): string {
  const { entry, records } = detail;
  const duration = entry.durationMs === undefined ? '' : ` after ${durationText(entry.durationMs)}`;
  const size = entry.bytes === undefined ? '' : `, ${entry.bytes} bytes`;
  const lost = entry.records.length - records.length;
  return [
    `# ${code(entry.serverId)} · ${code(entry.tool)}`,
    [
      `- Outcome: **${endWords[entry.end]}**${duration}${size}. ${endMeanings[entry.end]}`,
      ...(entry.withheld ? ['- The result was withheld from the caller.'] : []),
      `- Time: ${timeText(entry.time, undefined)} (${code(entry.time)})`,
      `- Asked by: ${code(callerText(entry))}`,
      ...(entry.decidedBy === undefined ? [] : [`- Decided by: ${deciderWords[entry.decidedBy]}`]),
      ...(entry.reason === undefined ? [] : [`- Reason: ${code(entry.reason)}`]),
      `- Call: ${code(entry.callId)} in session ${code(entry.sessionId)}`,
      ...(lost > 0 ? [`- ${lost} of its records are gone; their file was deleted.`] : []),
    ].join('\n'),
    '## Arguments',
    argumentsSection(detail),
    ...editSection(records),
    '## What happened',
    records.map((record) => step(record, records[0])).join('\n'),
    '## Result',
    detail.result === undefined ? 'There is none on record.' : json(detail.result),
    ...messageSection(detail),
    '## Records',
    'As they stand in the journal, without arguments, result and messages.',
    json(records.map(({ fields }) => withoutPayload(fields))),
    '',
  ].join('\n\n');
}

function argumentsSection(detail: CallDetail): string {
  const replay = replayOf(detail);
  if (detail.arguments === undefined) return 'They are not on record.';
  const note =
    replay.kind === 'exact'
      ? 'The very arguments, by their digest.'
      : `${replay.why} The digest is of the whole.`;
  return `${note}\n\n${json(detail.arguments)}`;
}

function editSection(records: readonly ReadRecord[]): readonly string[] {
  return records.flatMap(({ kind, fields: { before, after } }) =>
    kind === 'argumentsEdited' && before !== undefined && after !== undefined
      ? ['### Before a person changed them', json(before)]
      : [],
  );
}

function messageSection({ messages }: CallDetail): readonly string[] {
  if (messages.length === 0) return [];
  return [
    '## Messages',
    ...messages.map(
      ({ direction, message }) => `${direction === 'sent' ? '→' : '←'} ${direction}\n\n${json(message)}`,
    ),
  ];
}

/** One line of the trail. */
function step(record: ReadRecord, first: ReadRecord | undefined): string {
  const offset = Date.parse(record.time) - Date.parse(first?.time ?? record.time);
  const when = offset < 0 ? `${offset} ms` : `+${durationText(offset)}`;
  return `- ${when}: ${stepText(record)} (record ${record.seq})`;
}

function stepText({ kind, fields }: ReadRecord): string {
  switch (kind) {
    case 'promptShown':
      return `shown to a person (${word(fields['purpose'])})${because(fields['reason'])}`;
    case 'decision':
      return decisionText(fields['decision']);
    case 'argumentsEdited':
      return 'a person changed the arguments';
    case 'intent':
      return `${decisionText(fields['decision'])}; sent to the server`;
    case 'inputRequested':
      return `the server asked for input (${word(fields['request'])})${because(fields['message'])}`;
    case 'inputAnswered':
      return `the input (${word(fields['request'])}) was answered: ${word(fields['answer'])}`;
    case 'result':
      return `the server answered${fields['isError'] === true ? ' that the tool failed' : ''}${problems(fields['problems'])}`;
    case 'error':
      return `failed (${word(fields['source'])} ${word(fields['code'])})${because(fields['message'])}`;
    case 'cancelled':
      return `cancelled by ${word(fields['by'])}${because(fields['reason'])}`;
    case 'callRefused':
      return `not made (${word(fields['stage'])})${because(fields['message'])}`;
    case 'resultWithheld':
      return `a person withheld the result${because(fields['reason'])}`;
    case 'messageTraced':
      return `message ${word(fields['direction'])}`;
    case 'grantMade':
      return `a grant was made (${word(fields['scope'])})${because(fields['preview'])}`;
    default:
      return code(kind);
  }
}

const outcomeWords: Readonly<Record<string, string>> = {
  allow: 'allowed',
  deny: 'denied',
  ask: 'to be asked',
};

function decisionText(decision: JsonValue | undefined): string {
  if (!isJsonObject(decision)) return 'decided';
  const { outcome, by, reason } = decision;
  const done =
    typeof outcome === 'string' && Object.hasOwn(outcomeWords, outcome)
      ? outcomeWords[outcome]
      : word(outcome);
  return `${done} by ${isJsonObject(by) ? byText(by) : 'something unknown'}${because(reason)}`;
}

function byText(by: JsonObject): string {
  const { kind, rule, source, grantId, scope, limit, cause } = by;
  switch (typeof kind === 'string' ? kind : '') {
    case 'person':
      return 'a person';
    case 'rule':
      return `the rule ${word(rule)} (${word(source)})`;
    case 'grant':
      return `the grant ${word(grantId)} (${word(scope)})`;
    case 'suspendedGrant':
      return `the suspended grant ${word(grantId)}`;
    case 'limit':
      return `the limit ${word(limit)}`;
    case 'noAnswer':
      return `the lack of an answer (${word(cause)})`;
    default:
      return word(kind);
  }
}

function problems(value: JsonValue | undefined): string {
  if (!Array.isArray(value) || value.length === 0) return '';
  return `; found wrong: ${value.map((item) => word(item)).join(', ')}`;
}

function because(value: JsonValue | undefined): string {
  return typeof value === 'string' && value !== '' ? `: ${code(value)}` : '';
}

/** A foreign word within a sentence. Short names of our own need no quotes. */
function word(value: JsonValue | undefined): string {
  if (typeof value !== 'string') return value === undefined ? 'unknown' : code(JSON.stringify(value));
  return /^[A-Za-z]{1,40}$/.test(value) ? value : code(visibleLine(value, 400));
}

const payload = new Set(['arguments', 'result', 'message', 'before', 'after']);

function withoutPayload(fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => !payload.has(name) || typeof value === 'string'),
  );
}

function json(value: JsonValue): string {
  return fence('json', visibleText(JSON.stringify(value, undefined, 2)));
}
