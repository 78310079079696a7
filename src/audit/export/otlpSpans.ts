import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import type { CallDetail } from '../history/readCall.ts';

/*
 * OTLP/JSON (opentelemetry-proto 1.x, "JSON Protobuf Encoding"): ids in hexadecimal, 64-bit numbers as text.
 * Names and attributes by the semantic conventions for MCP and generative AI, "MCP client span" and "Execute tool
 * span". What they have no name for is under `countersign.`.
 */

export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags?: number;
  readonly name: string;
  /** 1: internal. 3: client. */
  readonly kind: 1 | 3;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly events: readonly OtlpSpanEvent[];
  /** 0: unset. 2: error. */
  readonly status: { readonly code: 0 | 2; readonly message?: string };
}

export interface OtlpSpanEvent {
  readonly timeUnixNano: string;
  readonly name: string;
  readonly attributes: readonly OtlpAttribute[];
}

export interface OtlpAttribute {
  readonly key: string;
  readonly value:
    { readonly stringValue: string } | { readonly intValue: string } | { readonly boolValue: boolean };
}

export interface SpanRecord {
  readonly kind: string;
  /** ISO 8601. */
  readonly time: string;
  readonly fields: JsonObject;
}

export interface SpanOptions {
  readonly sessionId: string;
  /** Adds arguments and result, as stored. */
  readonly content: boolean;
  /** Host and port of HTTP servers, by server id. */
  readonly address?: { readonly host: string; readonly port: number } | undefined;
}

/** The span of a call from the export of the history. */
export function spanOfDetail(detail: CallDetail): OtlpSpan | undefined {
  return spanOf(detail.records, { sessionId: detail.entry.sessionId, content: true });
}

/** The span of a finished call, by its records in order; `undefined` while it has no end. */
export function spanOf(records: readonly SpanRecord[], options: SpanOptions): OtlpSpan | undefined {
  const [first] = records;
  const end = records.findLast((record) => isEnd(record));
  if (first === undefined || end === undefined) return undefined;
  const intent = records.findLast((record) => record.kind === 'intent');
  const callId = text(first.fields['callId']) ?? '';
  const tool = text(first.fields['tool']) ?? '';
  // A resource that a person opened is no tool call.
  const method = text(intent?.fields['method']);
  const error = errorOf(end);
  const start = Date.parse((intent ?? first).time);
  const durationMs = number(end.fields['durationMs']);
  const endMs = intent !== undefined && durationMs !== undefined ? start + durationMs : Date.parse(end.time);
  return {
    ...traceIds(text(intent?.fields['traceparent']), callId),
    // A call that never went out is no exchange with a server.
    name: method === undefined ? `${intent === undefined ? 'execute_tool' : 'tools/call'} ${tool}` : method,
    kind: intent === undefined ? 1 : 3,
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(Math.max(endMs, start)),
    attributes: attributes({
      ...(intent === undefined ? {} : { 'mcp.method.name': method ?? 'tools/call' }),
      ...(method === undefined
        ? {
            'gen_ai.operation.name': 'execute_tool',
            'gen_ai.tool.name': tool,
            'gen_ai.tool.call.id': callId,
          }
        : { 'mcp.resource.uri': resourceUri(intent) }),
      'mcp.protocol.version': text(intent?.fields['protocolVersion']),
      'network.transport': transportOf(intent),
      'server.address': options.address?.host,
      'server.port': options.address?.port,
      'jsonrpc.request.id': text(end.fields['requestId']),
      'error.type': error?.type,
      'rpc.response.status_code': error?.statusCode,
      ...contentOf(records, options.content),
      ...ownAttributes(records, options.sessionId),
    }),
    events: records.flatMap((record) => eventOf(record)),
    status:
      error === undefined
        ? { code: 0 }
        : { code: 2, ...(error.message === undefined ? {} : { message: error.message }) },
  };
}

/** Whether a record ends its call. */
export function isEnd({ kind, fields }: SpanRecord): boolean {
  if (kind === 'decision') return decisionOf(fields)?.['outcome'] === 'deny';
  return kind === 'result' || kind === 'error' || kind === 'cancelled' || kind === 'callRefused';
}

/** The body of an export request. */
export function otlpRequest(
  spans: readonly OtlpSpan[],
  resource: { readonly version: string; readonly sessionId: string },
): object {
  return {
    resourceSpans: [
      {
        resource: {
          attributes: attributes({
            'service.name': 'countersign',
            'service.version': resource.version,
            'service.instance.id': resource.sessionId,
          }),
        },
        scopeSpans: [{ scope: { name: 'countersign.audit', version: resource.version }, spans }],
      },
    ],
  };
}

function resourceUri(intent: SpanRecord | undefined): string | undefined {
  const args = intent?.fields['arguments'];
  return isJsonObject(args) ? text(args['uri']) : undefined;
}

interface SpanError {
  readonly type: string;
  readonly statusCode?: string;
  readonly message?: string;
}

function errorOf(end: SpanRecord): SpanError | undefined {
  const { fields } = end;
  const code = text(fields['code']) ?? '_OTHER';
  const message = text(fields['message']);
  switch (end.kind) {
    case 'result':
      return fields['isError'] === true ? { type: 'tool_error' } : undefined;
    case 'error':
      return fields['source'] === 'server'
        ? { type: code, statusCode: code, ...(message === undefined ? {} : { message }) }
        : { type: code, ...(message === undefined ? {} : { message }) };
    case 'cancelled':
      return { type: 'cancelled' };
    case 'callRefused':
      return { type: 'refused', ...(message === undefined ? {} : { message }) };
    default:
      return { type: 'denied' };
  }
}

function ownAttributes(records: readonly SpanRecord[], sessionId: string): Record<string, Attribute> {
  const last = (read: (fields: JsonObject) => JsonValue | undefined): JsonValue | undefined => {
    const found = records.findLast((record) => read(record.fields) !== undefined);
    return found === undefined ? undefined : read(found.fields);
  };
  const caller = last((fields) => fields['caller']);
  const decision = last((fields) => fields['decision']);
  const by = isJsonObject(decision) ? decision['by'] : undefined;
  return {
    'countersign.session.id': sessionId,
    'countersign.server.id': text(last((fields) => fields['serverId'])),
    'countersign.caller.kind': isJsonObject(caller) ? text(caller['kind']) : undefined,
    'countersign.decision.by': isJsonObject(by) ? text(by['kind']) : undefined,
    'countersign.arguments.edited': records.some((record) => record.kind === 'argumentsEdited'),
    'countersign.result.bytes': number(last((fields) => fields['bytes'])),
    'countersign.result.withheld': records.some((record) => record.kind === 'resultWithheld'),
  };
}

function contentOf(records: readonly SpanRecord[], wanted: boolean): Record<string, Attribute> {
  if (!wanted) return {};
  const args = records.findLast((record) => record.kind === 'intent')?.fields['arguments'];
  const result = records.findLast((record) => record.kind === 'result')?.fields['result'];
  return {
    'gen_ai.tool.call.arguments': args === undefined ? undefined : JSON.stringify(args),
    'gen_ai.tool.call.result': result === undefined ? undefined : JSON.stringify(result),
  };
}

/** The steps on the way that a person or a rule took. */
function eventOf({ kind, time, fields }: SpanRecord): OtlpSpanEvent[] {
  if (
    ![
      'promptShown',
      'decision',
      'argumentsEdited',
      'inputRequested',
      'inputAnswered',
      'resultWithheld',
    ].includes(kind)
  ) {
    return [];
  }
  const by = decisionOf(fields)?.['by'];
  return [
    {
      timeUnixNano: nanoseconds(Date.parse(time)),
      name: `countersign.${kind}`,
      attributes: attributes({
        'countersign.decision.outcome': text(decisionOf(fields)?.['outcome']),
        'countersign.decision.by': isJsonObject(by) ? text(by['kind']) : undefined,
        'countersign.input.request': text(fields['request']),
        'countersign.input.answer': text(fields['answer']),
      }),
    },
  ];
}

/** The ids under which the server was called, so that its own spans become children of ours. */
function traceIds(
  traceparent: string | undefined,
  callId: string,
): { traceId: string; spanId: string; flags?: number } {
  const match = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? '');
  if (match !== null) {
    const [, traceId = '', spanId = '', flags = '00'] = match;
    return { traceId, spanId, flags: Number.parseInt(flags, 16) };
  }
  // Made of the call's id, so that sending a span twice does not make two of it.
  const digest = createHash('sha256').update(callId).digest('hex');
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) };
}

function transportOf(intent: SpanRecord | undefined): string | undefined {
  const transport = intent?.fields['transport'];
  return transport === 'stdio' ? 'pipe' : transport === 'http' ? 'tcp' : undefined;
}

function decisionOf(fields: JsonObject): JsonObject | undefined {
  const { decision } = fields;
  return isJsonObject(decision) ? decision : undefined;
}

type Attribute = string | number | boolean | undefined;

function attributes(values: Readonly<Record<string, Attribute>>): readonly OtlpAttribute[] {
  return Object.entries(values).flatMap(([key, value]): OtlpAttribute[] => {
    if (value === undefined) return [];
    if (typeof value === 'string') return [{ key, value: { stringValue: value } }];
    if (typeof value === 'boolean') return [{ key, value: { boolValue: value } }];
    return [{ key, value: { intValue: String(Math.round(value)) } }];
  });
}

function nanoseconds(ms: number): string {
  return String(BigInt(Math.round((Number.isFinite(ms) ? ms : 0) * 1_000)) * 1_000n);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
