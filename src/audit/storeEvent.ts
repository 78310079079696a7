import type { JsonObject, JsonValue } from '../base/json.ts';
import type { AuditEvent, AuditEventKind } from './events.ts';
import type { WeighedText } from './redaction/placeholder.ts';
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
  'linkedFrom',
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

type Treatment = 'own' | 'payload' | 'digest' | 'note';

/** How each member of each kind of event is treated, found out once. */
const treatments = new Map<AuditEventKind, Map<string, Treatment>>();

/**
 * What is written of an event: payload by the storage setting, every other text without secrets, and plain digests
 * of arguments as keyed ones, since a plain digest of `{"pin": 1234}` gives the pin away. `weighed`: the JSON text of a
 * large result.
 */
export function storeEvent(event: AuditEvent, redactor: Redactor, weighed?: WeighedText): StoredEvent {
  const kept: Record<string, JsonValue> = {};
  // The compiler knows every member by name; here they are all alike.
  const members = event as unknown as JsonObject;
  const known = treatmentsOf(event.kind);
  for (const name in members) {
    const value = members[name];
    if (value === undefined) continue;
    switch (known.get(name) ?? treat(event.kind, known, name)) {
      case 'own':
        kept[name] = value;
        break;
      case 'payload':
        if (event.kind === 'result') continue;
        kept[name] = redactor.payload(value);
        break;
      case 'digest':
        kept[name] = typeof value === 'string' ? redactor.digest.full(value) : redactor.notes(value);
        break;
      case 'note':
        kept[name] = redactor.notes(value);
    }
  }
  if (event.kind !== 'result') return stored(kept, JSON.stringify(kept));

  // Size and digest are of the result as it came; one with nothing to hide is written out only once.
  const { result = null } = members;
  if (weighed !== undefined) {
    Object.assign(kept, weighed);
    kept['result'] = redactor.payload(result, weighed);
    return stored(kept, JSON.stringify(kept));
  }
  const text = jsonText(result);
  kept['bytes'] = Buffer.byteLength(text);
  kept['digest'] = redactor.digest.full(text);
  const head = JSON.stringify(kept);
  const keptResult = redactor.payload(result);
  kept['result'] = keptResult;
  return stored(
    kept,
    `${head.slice(0, -1)},"result":${keptResult === result ? text : JSON.stringify(keptResult)}}`,
  );
}

function stored(kept: Record<string, JsonValue>, json: string): StoredEvent {
  // Same members with redacted values: the type stays what it was.
  return { event: kept as unknown as AuditEvent, json };
}

function treatmentsOf(kind: AuditEventKind): Map<string, Treatment> {
  let known = treatments.get(kind);
  if (known === undefined) treatments.set(kind, (known = new Map()));
  return known;
}

function treat(kind: AuditEventKind, known: Map<string, Treatment>, name: string): Treatment {
  const isDigest = name === 'digest' || name.endsWith('Digest');
  const treatment = own.has(name)
    ? 'own'
    : payloads[kind]?.includes(name) === true
      ? 'payload'
      : isDigest
        ? 'digest'
        : 'note';
  known.set(name, treatment);
  return treatment;
}
