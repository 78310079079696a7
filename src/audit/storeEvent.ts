import type { JsonObject, JsonValue } from '../base/json.ts';
import type { AuditEvent, AuditEventKind } from './events.ts';
import { type Redactor, jsonText } from './redaction/redactor.ts';

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

/** Members of our own or the user's making: nothing of a server can be in them. */
const own = new Set([
  'kind',
  'callId',
  'serverId',
  'promptId',
  'grantId',
  'toolFingerprint',
  'launchFingerprint',
  'traceparent',
  'sessionId',
  'requestId',
]);

/** An event as it is written. */
export interface StoredEvent {
  readonly event: AuditEvent;
  /** JSON text of `event`. */
  readonly json: string;
}

/**
 * What is written of an event: payload by the storage setting, every other text without secrets, and plain digests
 * of arguments as keyed ones, since a plain digest of `{"pin": 1234}` gives the pin away.
 */
export function storeEvent(event: AuditEvent, redactor: Redactor): StoredEvent {
  const payload = payloads[event.kind] ?? none;
  const kept: Record<string, JsonValue> = {};
  // The compiler knows every member by name; here they are all alike.
  const members = event as unknown as JsonObject;
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (value === undefined) continue;
    if (own.has(name)) kept[name] = value;
    else if (payload.includes(name)) kept[name] = redactor.payload(value);
    else if (isDigest(name) && typeof value === 'string') kept[name] = redactor.digest.full(value);
    else kept[name] = redactor.notes(value);
  }
  if (event.kind === 'result') {
    const text = jsonText(members['result'] ?? null);
    kept['bytes'] = Buffer.byteLength(text);
    kept['digest'] = redactor.digest.full(text);
  }
  // Same members with redacted values: the type stays what it was.
  return { event: kept as unknown as AuditEvent, json: JSON.stringify(kept) };
}

const none: readonly string[] = [];

function isDigest(name: string): boolean {
  return name === 'digest' || name.endsWith('Digest');
}
