import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { HostError, type HostErrorCode, RpcError } from '../../../src/base/errors.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import { judgeProbe, laterVersion, type ProbeFacts } from '../../../src/client/eraProbe.ts';
import type { ExchangeOutcome } from '../../../src/client/rpcConnection.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const stdio: ProbeFacts = { transport: 'stdio', version: '2026-07-28', retried: false };
const http: ProbeFacts = { ...stdio, transport: 'streamableHttp' };

const discovered = (supportedVersions: unknown): ExchangeOutcome => ({
  kind: 'result',
  result: JSON.parse(JSON.stringify({ supportedVersions, capabilities: { tools: {} } })),
});
const refused = (code: number, data?: JsonObject, httpStatus?: number): ExchangeOutcome => ({
  kind: 'error',
  error: new RpcError(code, 'no', data),
  httpStatus,
});
const failed = (code: HostErrorCode, details: Record<string, number> = {}): ExchangeOutcome => ({
  kind: 'failed',
  error: new HostError(code, 'no', { details }),
});

const modern = 'modern 2026-07-28';
const rows: readonly (readonly [
  name: string,
  outcome: ExchangeOutcome,
  facts: ProbeFacts,
  expected: string,
])[] = [
  ['a description of the server', discovered(['2026-07-28']), stdio, `${modern} described`],
  [
    'a description with a better version than ours',
    discovered(['2027-01-01', '2026-07-28']),
    http,
    `${modern} described`,
  ],
  ['a description with old versions only', discovered(['2025-06-18']), stdio, 'legacy'],
  [
    'a description with unknown versions only',
    discovered(['2027-01-01']),
    stdio,
    'failed unsupportedVersion',
  ],
  ['a description without any version', discovered([]), stdio, 'failed unsupportedVersion'],
  [
    'a description with versions that are no texts',
    discovered([1, null]),
    stdio,
    'failed unsupportedVersion',
  ],
  [
    'a description of an unknown type',
    { kind: 'result', result: { resultType: 'partial', supportedVersions: ['2026-07-28'] } },
    http,
    'failed protocolViolation',
  ],
  [
    'a description that asks for input',
    {
      kind: 'result',
      result: { resultType: 'input_required', requestState: 's', supportedVersions: ['2026-07-28'] },
    },
    stdio,
    'failed protocolViolation',
  ],
  ['a result that describes nothing', { kind: 'result', result: {} }, stdio, 'legacy'],
  ['versions that are no list', discovered('2026-07-28'), http, 'legacy'],
  ['another version wanted', refused(-32022, { supported: ['2026-07-28'] }), stdio, 'retry 2026-07-28'],
  [
    'another version wanted, again',
    refused(-32022, { supported: ['2026-07-28'] }),
    { ...stdio, retried: true },
    'failed unsupportedVersion',
  ],
  [
    'another version wanted, again, and old ones named beside it',
    refused(-32022, { supported: ['2026-07-28', '2025-06-18'] }),
    { ...stdio, retried: true },
    'legacy',
  ],
  ['no version wanted', refused(-32022, { supported: [] }), http, 'failed unsupportedVersion'],
  [
    'versions that are none',
    refused(-32022, { supported: [1, null, {}] }),
    http,
    'failed unsupportedVersion',
  ],
  [
    'wanted versions that are no list',
    refused(-32022, { supported: '2025-11-25' }),
    http,
    'retry 2026-07-28',
  ],
  [
    'a wanted version among many unknown ones',
    refused(-32022, { supported: ['1', '2030-01-01', '2026-07-28', 'é'] }),
    http,
    'retry 2026-07-28',
  ],
  ['an old version wanted', refused(-32022, { supported: ['2025-11-25'] }), http, 'legacy'],
  [
    'an old version wanted, the second time',
    refused(-32022, { supported: ['2025-11-25'] }),
    { ...http, retried: true },
    'legacy',
  ],
  [
    'an unknown version wanted',
    refused(-32022, { supported: ['2027-01-01'] }),
    http,
    'failed unsupportedVersion',
  ],
  ['another version wanted, unnamed', refused(-32022), stdio, 'retry 2026-07-28'],
  [
    'another version wanted, unnamed again',
    refused(-32022),
    { ...stdio, retried: true },
    'failed unsupportedVersion',
  ],
  ['headers that do not fit', refused(-32020, undefined, 400), http, `${modern} undescribed`],
  ['a missing capability', refused(-32021, {}, 400), http, `${modern} undescribed`],
  ['an unknown method on stdio', refused(-32601), stdio, 'legacy'],
  ['an unknown method over HTTP with 404', refused(-32601, undefined, 404), http, `${modern} undescribed`],
  ['an unknown method over HTTP with 200', refused(-32601, undefined, 200), http, 'legacy'],
  ['an unknown method over HTTP with 400', refused(-32601, undefined, 400), http, 'legacy'],
  ['invalid parameters', refused(-32602), stdio, 'legacy'],
  ['no session', refused(-32000, undefined, 400), http, 'legacy'],
  ['an error of its own', refused(1), stdio, 'legacy'],
  ['silence', failed('timeout'), stdio, 'legacy'],
  ['silence over HTTP', failed('timeout'), http, 'legacy'],
  ['junk instead of an answer', failed('malformedMessage'), stdio, 'legacy'],
  ['a stream without an answer', failed('streamEnded'), http, 'legacy'],
  ['an answer to another request', failed('protocolViolation'), http, 'legacy'],
  ['an answer too large', failed('messageTooLarge'), stdio, 'legacy'],
  ['the end of the process', failed('exited'), stdio, 'legacy on a new process'],
  ['closed output', failed('closed'), stdio, 'legacy on a new process'],
  ['the end of the connection', failed('closed'), http, 'failed closed'],
  ...[400, 404, 405, 406, 410, 415, 422, 501].map((status): (typeof rows)[number] => [
    `HTTP ${status}`,
    failed('httpStatus', { status }),
    http,
    'legacy',
  ]),
  ...[403, 407, 408, 429, 500, 502, 503, 504].map((status): (typeof rows)[number] => [
    `HTTP ${status}`,
    failed('httpStatus', { status }),
    http,
    'failed httpStatus',
  ]),
  ['no access', failed('unauthorized', { status: 401 }), http, 'failed unauthorized'],
  ['no network', failed('network'), http, 'failed network'],
  ['our own cancellation', failed('cancelled'), stdio, 'failed cancelled'],
];

function shown(outcome: ExchangeOutcome, facts: ProbeFacts): string {
  const verdict = judgeProbe(outcome, facts);
  switch (verdict.kind) {
    case 'modern':
      return `modern ${verdict.version} ${verdict.discovered === undefined ? 'undescribed' : 'described'}`;
    case 'retry':
      return `retry ${verdict.version}`;
    case 'legacy':
      return verdict.restart ? 'legacy on a new process' : 'legacy';
    case 'failed':
      return `failed ${verdict.error.code}`;
  }
}

describe('judgeProbe', () => {
  for (const [name, outcome, facts, expected] of rows)
    it(`${name} (${facts.transport})`, () => assert.equal(shown(outcome, facts), expected));

  it('names the versions of both sides when there is none in common', () => {
    const verdict = judgeProbe(discovered(['2027-01-01']), stdio);
    assert.ok(verdict.kind === 'failed');
    for (const version of ['2027-01-01', '2026-07-28', '2024-11-05'])
      assert.match(verdict.error.message, new RegExp(version));
  });

  it('has a verdict for every outcome, and asks again at most once', () => {
    const codes: fc.Arbitrary<HostErrorCode> = fc.constantFrom(
      'timeout',
      'exited',
      'closed',
      'network',
      'limitExceeded',
      'sessionExpired',
      'protocolViolation',
    );
    const outcomes: fc.Arbitrary<ExchangeOutcome> = fc.oneof(
      fc
        .dictionary(fc.constantFrom('supportedVersions', 'x'), fc.jsonValue())
        .map((result) => ({ kind: 'result' as const, result: JSON.parse(JSON.stringify(result)) })),
      fc
        .record({
          code: fc.integer({ min: -32_100, max: -32_000 }),
          data: fc.jsonValue(),
          status: fc.option(fc.integer({ min: 200, max: 599 }), { nil: undefined }),
        })
        .map(({ code, data, status }) => ({
          kind: 'error' as const,
          error: new RpcError(code, '', JSON.parse(JSON.stringify(data))),
          httpStatus: status,
        })),
      fc
        .record({ code: codes, status: fc.integer({ min: 100, max: 599 }) })
        .map(({ code, status }) => failed(code, { status })),
    );
    fc.assert(
      fc.property(outcomes, fc.constantFrom(stdio, http), (outcome, facts) => {
        assert.ok(['modern', 'retry', 'legacy', 'failed'].includes(judgeProbe(outcome, facts).kind));
        assert.notEqual(judgeProbe(outcome, { ...facts, retried: true }).kind, 'retry');
      }),
    );
  });
});

describe('laterVersion', () => {
  it('takes a modern version that both speak, and nothing else', () => {
    assert.equal(
      laterVersion(new RpcError(-32022, '', { supported: ['2027-01-01', '2026-07-28'] })),
      '2026-07-28',
    );
    for (const data of [{ supported: ['2025-11-25'] }, {}, undefined])
      assert.equal(laterVersion(new RpcError(-32022, '', data)), undefined);
  });
});
