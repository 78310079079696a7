import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { HostError, RpcError } from '../../../src/base/errors.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import { isOtherEra, raisesDoubt, type SettledFacts } from '../../../src/client/eraCheck.ts';
import type { ProbeFacts } from '../../../src/client/eraProbe.ts';
import type { ExchangeOutcome } from '../../../src/client/rpcConnection.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const modernHttp: SettledFacts = { era: 'modern', transport: 'streamableHttp' };
const modernStdio: SettledFacts = { era: 'modern', transport: 'stdio' };
const legacyHttp: SettledFacts = { era: 'legacy', transport: 'streamableHttp' };
const legacyStdio: SettledFacts = { era: 'legacy', transport: 'stdio' };

const rpc = (code: number, data?: JsonObject): RpcError => new RpcError(code, 'no', data);
const status = (value: number): HostError =>
  new HostError('httpStatus', 'no', { details: { status: value } });

describe('a refusal of a server in use', () => {
  const rows: readonly (readonly [HostError | RpcError, number | undefined, SettledFacts, boolean])[] = [
    [rpc(-32022, { supported: ['2025-11-25'] }), 400, modernHttp, true],
    [rpc(-32022, { supported: ['2025-11-25'] }), undefined, modernStdio, true],
    [rpc(-32020), 400, modernHttp, false],
    [rpc(-32021), 400, modernHttp, false],
    [rpc(-32601), 404, modernHttp, false],
    [rpc(-32601), 200, modernHttp, true],
    [rpc(-32601), undefined, modernStdio, true],
    [rpc(-32000), 400, modernHttp, true],
    [rpc(-32602), 400, modernHttp, true],
    [rpc(-32602), undefined, modernHttp, false],
    [rpc(-32602), undefined, modernStdio, false],
    [rpc(-32603), undefined, modernStdio, false],
    [rpc(-32603), 500, modernHttp, false],
    [rpc(-32000), undefined, modernStdio, true],
    [status(400), undefined, modernHttp, true],
    [status(404), undefined, modernHttp, true],
    [status(405), undefined, modernHttp, true],
    [status(500), undefined, modernHttp, false],
    [status(503), undefined, modernHttp, false],
    [new HostError('unauthorized', ''), undefined, modernHttp, false],
    [new HostError('timeout', ''), undefined, modernStdio, false],
    [new HostError('network', ''), undefined, modernHttp, false],
    [new HostError('streamEnded', ''), undefined, modernHttp, false],
    [rpc(-32022), 400, legacyHttp, true],
    [rpc(-32020), 400, legacyHttp, true],
    [rpc(-32602), 400, legacyHttp, true],
    [rpc(-32602), undefined, legacyHttp, false],
    [rpc(-32601), undefined, legacyStdio, false],
    [rpc(-32022), undefined, legacyStdio, true],
    [status(404), undefined, legacyHttp, false],
    [rpc(-32022), 400, { era: 'legacy', transport: 'legacySse' }, false],
  ];
  for (const [error, httpStatus, facts, expected] of rows) {
    const what = error instanceof RpcError ? error.code : `${error.code} ${JSON.stringify(error.details)}`;
    it(`${what} (${httpStatus}) from a ${facts.era} one on ${facts.transport}: doubt ${expected}`, () => {
      assert.equal(raisesDoubt(error, httpStatus, facts), expected);
    });
  }
});

describe('another look at a server in use', () => {
  const http: ProbeFacts = { transport: 'streamableHttp', version: '2026-07-28', retried: false };
  const stdio: ProbeFacts = { ...http, transport: 'stdio' };
  const described = (supportedVersions: readonly string[]): ExchangeOutcome => ({
    kind: 'result',
    result: { supportedVersions, capabilities: {} },
  });
  const refused = (code: number, httpStatus?: number, data?: JsonObject): ExchangeOutcome => ({
    kind: 'error',
    error: rpc(code, data),
    httpStatus,
  });
  const failed = (error: HostError): ExchangeOutcome => ({ kind: 'failed', error });
  const rows: readonly (readonly [string, ExchangeOutcome, ProbeFacts, modern: boolean, legacy: boolean])[] =
    [
      ['describes itself', described(['2026-07-28']), http, false, true],
      ['speaks old versions only', described(['2025-11-25']), http, true, false],
      ['speaks versions of nobody', described(['2030-01-01']), http, true, false],
      ['refuses the version', refused(-32022, 400, { supported: ['2025-11-25'] }), http, true, false],
      ['wants another header', refused(-32020, 400), http, false, true],
      ['has no such method', refused(-32601, 404), http, false, true],
      ['has no such method, on stdio', refused(-32601), stdio, true, false],
      ['wants a session', refused(-32000, 400), http, true, false],
      ['is not there', failed(status(404)), http, true, false],
      ['is in trouble', failed(status(503)), http, false, false],
      ['is silent', failed(new HostError('timeout', '')), stdio, false, false],
      ['breaks off', failed(new HostError('network', '')), http, false, false],
      ['has ended', failed(new HostError('exited', '')), stdio, false, false],
      ['answers with something else', { kind: 'result', result: {} }, stdio, true, false],
    ];
  for (const [name, outcome, facts, fromModern, fromLegacy] of rows)
    it(`that ${name}: exchanged if it was modern ${fromModern}, if it was legacy ${fromLegacy}`, () => {
      assert.deepEqual(
        [isOtherEra(outcome, 'modern', facts), isOtherEra(outcome, 'legacy', facts)],
        [fromModern, fromLegacy],
      );
    });

  it('always comes to a verdict, and never says both', () => {
    const outcomes = fc.oneof(
      fc.record({ kind: fc.constant('result' as const), result: fc.dictionary(fc.string(), fc.jsonValue()) }),
      fc.record({
        kind: fc.constant('error' as const),
        error: fc.integer().map((code) => rpc(code)),
        httpStatus: fc.option(fc.integer({ min: 200, max: 599 }), { nil: undefined }),
      }),
      fc.record({
        kind: fc.constant('failed' as const),
        error: fc.integer({ min: 200, max: 599 }).map(status),
      }),
    );
    fc.assert(
      fc.property(outcomes, fc.constantFrom(http, stdio), (outcome, facts) => {
        const seen = outcome as ExchangeOutcome;
        const both = [isOtherEra(seen, 'modern', facts), isOtherEra(seen, 'legacy', facts)];
        assert.notDeepEqual(both, [true, true]);
      }),
    );
  });
});
