import type { JsonObject, JsonValue } from '../base/json.ts';
import type { AuditEvent, AuditEventKind } from './events.ts';
import type { Redactor } from './redaction/redactor.ts';

/** Members that are kept by the storage setting. */
const payloads: { readonly [K in AuditEventKind]?: readonly string[] } = {
  callRefused: ['arguments'],
  decision: ['arguments'],
  argumentsEdited: ['before', 'after'],
  intent: ['arguments'],
  result: ['result'],
  error: ['data'],
  messageTraced: ['message'],
};

/** Members of our own making: nothing foreign can be in them. */
const own = new Set([
  'kind',
  'callId',
  'promptId',
  'grantId',
  'toolFingerprint',
  'launchFingerprint',
  'traceparent',
  'sessionId',
]);

/**
 * What is written of an event: payload by the storage setting, every other text without secrets, and plain digests
 * of arguments as keyed ones, since a plain digest of `{"pin": 1234}` gives the pin away.
 */
export function storeEvent(event: AuditEvent, redactor: Redactor): JsonObject {
  const payload = payloads[event.kind] ?? [];
  const kept: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(event as object) as [string, JsonValue | undefined][]) {
    if (value === undefined) continue;
    if (own.has(name)) kept[name] = value;
    else if (payload.includes(name)) kept[name] = redactor.payload(value);
    else if (isDigest(name) && typeof value === 'string') kept[name] = redactor.digest.full(value);
    else kept[name] = redactor.notes(value);
  }
  if (event.kind === 'result') {
    const text = resultText(event.result);
    kept['bytes'] = Buffer.byteLength(text);
    kept['digest'] = redactor.digest.full(text);
  }
  return kept;
}

function isDigest(name: string): boolean {
  return name === 'digest' || name.endsWith('Digest');
}

function resultText(result: object): string {
  try {
    return JSON.stringify(result);
  } catch {
    return '';
  }
}
