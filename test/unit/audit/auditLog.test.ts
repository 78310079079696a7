import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import * as fc from 'fast-check';
import type { AuditEvent } from '../../../src/audit/events.ts';
import { formatEnd } from '../../../src/audit/formatEvent.ts';
import { verifyFolder } from '../../../src/audit/verifyFolder.ts';
import { HostError } from '../../../src/base/errors.ts';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import {
  type AuditKit,
  auditDigest,
  auditKit,
  intent,
  makeCalls,
  result,
  subject,
} from '../../helpers/auditKit.ts';
import { ending } from '../../helpers/errors.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const byRule = { personDecided: false };
const byPerson = { personDecided: true };

/** Runs a test with a folder of its own. */
function withKit(run: (kit: AuditKit) => Promise<void>): () => Promise<void> {
  return async () => {
    const kit = auditKit();
    try {
      await run(kit);
    } finally {
      await kit.end();
    }
  };
}

/** What a record says, without what is different each time. */
function said(record: JsonObject): JsonObject {
  const { v: _v, time: _time, prev: _prev, hash: _hash, sessionId: _session, ...rest } = record;
  return rest;
}

describe('the record of a call', () => {
  it(
    'holds who asked, what was sent, who decided and what came back',
    withKit(async (kit) => {
      const log = kit.open();
      const of = subject('c1');
      log.record({ kind: 'sessionOpened', version: '1.0.0' });
      await log.intent(intent(of, { message: 'hi', token: 'abc' }), byPerson);
      log.record(result(of, 'hi'));
      await log.sync();
      const { digest } = intent(of, { message: 'hi', token: 'abc' });
      const given = { content: [{ type: 'text', text: 'hi' }], isError: false };
      const caller = { kind: 'chat', label: 'model' };
      const where = { callId: 'c1', caller, serverId: 'everything', tool: 'echo' };
      assert.deepEqual(kit.records().map(said), [
        { seq: 1, kind: 'segmentOpened', number: 1, others: [], storage: 'redacted', cause: 'session' },
        { seq: 2, kind: 'sessionOpened', version: '1.0.0' },
        {
          seq: 3,
          call: 1,
          step: 1,
          kind: 'intent',
          ...where,
          arguments: { message: 'hi', token: `[secret:token #${auditDigest.short('abc')}]` },
          digest: auditDigest.full(digest),
          decision: { outcome: 'allow', by: { kind: 'rule', rule: 'r', source: 'user' } },
        },
        {
          seq: 4,
          call: 1,
          step: 2,
          kind: 'result',
          ...where,
          isError: false,
          durationMs: 5,
          result: given,
          bytes: Buffer.byteLength(JSON.stringify(given)),
          digest: auditDigest.full(JSON.stringify(given)),
        },
      ]);
    }),
  );

  it(
    'is with the system when the intent may be acted upon, and on the disk if a person decided',
    withKit(async (kit) => {
      const log = kit.open();
      await log.intent(intent(subject('c1')), byRule);
      assert.deepEqual(kit.kinds(), ['segmentOpened', 'intent']);
      const head = (): JsonObject => JSON.parse(readFileSync(headOf(log.path), 'utf8')) as JsonObject;
      assert.deepEqual([head()['seq'], head()['synced']], [2, 0]);
      await log.intent(intent(subject('c2')), byPerson);
      assert.deepEqual([head()['seq'], head()['synced']], [3, 3]);
      const always = kit.open({ sync: 'every' });
      await always.intent(intent(subject('c3')), byRule);
      const other = JSON.parse(readFileSync(headOf(always.path), 'utf8')) as JsonObject;
      assert.deepEqual([other['seq'], other['synced']], [2, 2]);
    }),
  );

  it(
    'reaches the disk within a second by itself',
    withKit(async (kit) => {
      const log = kit.open();
      await log.intent(intent(subject('c1')), byRule);
      const synced = (): unknown =>
        (JSON.parse(readFileSync(headOf(log.path), 'utf8')) as JsonObject)['synced'];
      assert.equal(synced(), 0);
      kit.clock.advance(1_000);
      while (synced() !== 2) await new Promise((resolve) => setImmediate(resolve));
      assert.equal(synced(), 2);
    }),
  );

  it(
    'is readable by its owner only',
    withKit(async (kit) => {
      const log = kit.open();
      await makeCalls(log, 1);
      assert.equal(statSync(kit.folder).mode & 0o777, 0o700);
      for (const path of [log.path ?? '', headOf(log.path)])
        assert.equal(statSync(path).mode & 0o777, 0o600, path);
    }),
  );

  it(
    'tells whether stored arguments are the ones that were sent',
    withKit(async (kit) => {
      const log = kit.open();
      await log.intent(intent(subject('c1'), { a: 1 }), byRule);
      await log.intent(intent(subject('c2'), { password: 'x1' }), byRule);
      const stored = kit.records().filter((record) => record['kind'] === 'intent');
      const exact = stored.map((record) =>
        log.areExact(record['arguments'] ?? null, JSON.stringify(record['digest']).slice(1, -1)),
      );
      assert.deepEqual(exact, [true, false]);
    }),
  );

  it(
    'says so when the clock is set back',
    withKit(async (kit) => {
      const log = kit.open();
      await makeCalls(log, 1);
      kit.clock.setBy(-3_600_000);
      await makeCalls(log, 1, 'd');
      const [noted] = kit.records().filter((record) => record['kind'] === 'clockChanged');
      assert.equal(noted?.['byMs'], -3_600_000);
      const times = kit.records().map((record) => Date.parse(JSON.stringify(record['time']).slice(1, -1)));
      assert.ok(Math.min(...times.slice(-2)) < (times[0] ?? 0));
      await log.close('x');
      assert.equal((await verifyFolder(kit.folder, { key: auditDigest })).intact, true);
    }),
  );

  it(
    'goes to other storage, another folder and other rules as soon as settings change, on record',
    withKit(async (kit) => {
      const settings = {
        folder: kit.folder,
        storage: 'redacted',
        sync: 'group',
        whenFailing: 'stop',
      } as const;
      const log = kit.open(settings);
      await makeCalls(log, 1);
      log.change({ ...settings, storage: 'digest' });
      await makeCalls(log, 1, 'd');
      const elsewhere = join(kit.root, 'elsewhere');
      log.change({ ...settings, storage: 'digest', folder: elsewhere, whenFailing: 'goOn' });
      await makeCalls(log, 1, 'e');
      await log.close('x');
      assert.deepEqual(kit.kinds(), [
        'segmentOpened',
        'intent',
        'result',
        'segmentClosed',
        'segmentOpened',
        'recordingChanged',
        'intent',
        'result',
        'segmentClosed',
      ]);
      for (const folder of [kit.folder, elsewhere]) {
        const report = await verifyFolder(folder, { key: auditDigest });
        assert.deepEqual([report.intact, report.findings, report.openCalls], [true, [], []], folder);
      }
      assert.deepEqual(
        kit
          .records()
          .filter((record) => record['kind'] === 'intent')
          .map((record) => record['arguments']),
        [{ message: 'hello 1' }, `[digest 21 bytes #${auditDigest.short('{"message":"hello 1"}')}]`],
      );
    }),
  );
});

describe('the end of a session', () => {
  it(
    'is its last record, whatever comes later',
    withKit(async (kit) => {
      const log = kit.open();
      await makeCalls(log, 1);
      await log.close('window closed');
      log.record({ kind: 'serverStopped', serverId: 's', reason: 'late' });
      assert.deepEqual(await ending(log.intent(intent(subject('late')), byRule)), { host: 'auditFailed' });
      await log.close('again');
      const last = kit.records().at(-1);
      assert.deepEqual([last?.['kind'], last?.['reason']], ['sessionClosed', 'window closed']);
      assert.deepEqual(log.end, { seq: last?.['seq'], hash: last?.['hash'] });
      const { text } = formatEnd(log.sessionId, log.end);
      assert.equal(text, `Record of session ${log.sessionId} ends with 4, hash ${log.end.hash}`);
    }),
  );

  it(
    'of a session without any event leaves nothing behind',
    withKit(async (kit) => {
      await kit.open().close('window closed');
      assert.equal(existsSync(kit.folder), false);
    }),
  );
});

describe('recording that fails', () => {
  it(
    'stops calls when the folder is gone, until it is back',
    withKit(async (kit) => {
      const log = kit.open();
      await makeCalls(log, 2);
      rmSync(kit.folder, { recursive: true });
      for (const name of ['x1', 'x2']) {
        assert.deepEqual(await ending(log.intent(intent(subject(name)), byRule)), { host: 'auditFailed' });
      }
      assert.equal(log.state.kind, 'failing');
      const error = await log.intent(intent(subject('x3')), byRule).catch((reason: unknown) => reason);
      assert.ok(error instanceof HostError);
      assert.match(error.message, /The audit folder .*audit is gone\. Create it again\./);
      log.record({ kind: 'error', ...subject('x3'), source: 'host', code: 'auditFailed', message: 'no' });
      mkdirSync(kit.folder);
      await log.intent(intent(subject('x4')), byRule);
      assert.deepEqual(log.state, { kind: 'recording' });
      // The intents of calls that did not happen are not there; everything else is.
      assert.deepEqual(
        kit
          .records()
          .map((record) => [record['kind'], record['callId'] ?? record['message'] ?? record['kept']]),
        [
          ['segmentOpened', undefined],
          ['journalDisturbed', 'It was removed.'],
          ['recordingFailed', error.message],
          ['error', 'x3'],
          ['intent', 'x4'],
          ['recordingResumed', 1],
        ],
      );
      const report = await verifyFolder(kit.folder, { key: auditDigest });
      assert.deepEqual(
        report.findings.map((finding) => finding.kind),
        ['missingFile'],
      );
    }),
  );

  it(
    'can be resumed by a person, who lets the folder be made again',
    withKit(async (kit) => {
      const log = kit.open();
      await makeCalls(log, 1);
      rmSync(kit.folder, { recursive: true });
      assert.deepEqual(await ending(log.intent(intent(subject('x')), byRule)), { host: 'auditFailed' });
      assert.deepEqual(await log.retry(), { kind: 'recording' });
      await log.intent(intent(subject('y')), byRule);
    }),
  );

  it(
    'stops calls while the file is read-only, also for a user who may write everywhere',
    withKit(async (kit) => {
      const log = kit.open();
      await makeCalls(log, 1);
      const path = log.path ?? '';
      chmodSync(path, 0o400);
      assert.deepEqual(await ending(log.intent(intent(subject('x')), byRule)), { host: 'auditFailed' });
      chmodSync(path, 0o600);
      await log.intent(intent(subject('y')), byRule);
      assert.equal(log.path, path);
      assert.deepEqual(kit.kinds().slice(-3), ['recordingFailed', 'intent', 'recordingResumed']);
    }),
  );

  it(
    'stops calls when there is no folder to begin with',
    withKit(async (kit) => {
      writeFileSync(kit.folder, 'a file where the folder should be');
      const log = kit.open();
      assert.deepEqual(await ending(log.intent(intent(subject('x')), byRule)), { host: 'auditFailed' });
      rmSync(kit.folder);
      await log.intent(intent(subject('y')), byRule);
      assert.deepEqual(kit.kinds(), ['segmentOpened', 'recordingFailed', 'intent', 'recordingResumed']);
    }),
  );

  const disturbances: readonly (readonly [name: string, act: (path: string) => void, message: RegExp])[] = [
    ['removed', (path) => rmSync(path), /^It was removed\.$/],
    ['emptied', (path) => writeFileSync(path, ''), /^It should have \d+ bytes and has 0\.$/],
    [
      'appended to',
      (path) => writeFileSync(path, 'x', { flag: 'a' }),
      /^It should have \d+ bytes and has \d+\.$/,
    ],
    [
      'replaced',
      (path) => {
        renameSync(path, `${path}.old`);
        writeFileSync(path, readFileSync(`${path}.old`));
      },
      /^Something else has taken its place\.$/,
    ],
    [
      'replaced by a folder',
      (path) => {
        rmSync(path);
        mkdirSync(path);
      },
      /^Something else has taken its place\.$/,
    ],
  ];
  for (const [name, act, message] of disturbances) {
    it(
      `goes on in a new file, and says so, when the file was ${name}`,
      withKit(async (kit) => {
        const log = kit.open();
        await makeCalls(log, 1);
        const path = log.path ?? '';
        act(path);
        await log.intent(intent(subject('x')), byRule);
        const records = kit.lines(kit.files().at(-1)).map((line) => JSON.parse(line) as JsonObject);
        assert.deepEqual(
          records.map((record) => record['kind']),
          ['segmentOpened', 'journalDisturbed', 'intent'],
        );
        assert.match(JSON.stringify(records[1]?.['message']).slice(1, -1), message);
        // So that the folder can be cleaned up as usual.
        if (name === 'replaced by a folder') rmSync(path, { recursive: true });
      }),
    );
  }

  it(
    'goes on without a record only if the setting says so, and that is on record itself',
    withKit(async (kit) => {
      const log = kit.open({ whenFailing: 'goOn' });
      await makeCalls(log, 1);
      rmSync(kit.folder, { recursive: true });
      await log.intent(intent(subject('x1')), byRule);
      await log.intent(intent(subject('x2')), byPerson);
      assert.deepEqual(log.state.kind === 'failing' && log.state.goingOn, true);
      mkdirSync(kit.folder);
      log.record(result(subject('x2')));
      await log.sync();
      assert.deepEqual(
        kit
          .records()
          .map(({ kind, callId, goingOn, unrecordedCalls }) => [kind, callId ?? goingOn ?? unrecordedCalls]),
        [
          ['segmentOpened', undefined],
          ['journalDisturbed', undefined],
          ['intent', 'x1'],
          ['recordingFailed', true],
          ['intent', 'x2'],
          ['result', 'x2'],
          ['recordingResumed', 2],
        ],
      );
      const other = kit.open({ whenFailing: 'goOn' });
      await makeCalls(other, 1);
      const first = JSON.parse(kit.lines(basename(other.path ?? ''))[1] ?? '{}') as JsonObject;
      assert.deepEqual([first['setting'], first['value']], ['whenFailing', 'goOn']);
    }),
  );

  it(
    'comes back by itself when the cause is gone',
    withKit(async (kit) => {
      const log = kit.open();
      await makeCalls(log, 1);
      rmSync(kit.folder, { recursive: true });
      assert.deepEqual(await ending(log.intent(intent(subject('x')), byRule)), { host: 'auditFailed' });
      mkdirSync(kit.folder);
      const states: string[] = [];
      log.onStateChanged((state) => states.push(state.kind));
      kit.clock.advance(10_000);
      while (log.state.kind === 'failing') await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(states, ['recording']);
    }),
  );

  it(
    'does not fill the memory, and counts what it had to give up',
    withKit(async (kit) => {
      const log = kit.open();
      await makeCalls(log, 1);
      rmSync(kit.folder, { recursive: true });
      assert.deepEqual(await ending(log.intent(intent(subject('x')), byRule)), { host: 'auditFailed' });
      for (let index = 0; index < 25_000; index++)
        log.record({ kind: 'serverStopped', serverId: 's', reason: `${index}` });
      mkdirSync(kit.folder);
      await log.sync();
      const resumed = kit.records().at(-1);
      assert.deepEqual([resumed?.['kind'], resumed?.['lost']], ['recordingResumed', 5_001]);
    }),
  );

  it(
    'is told once per event to those who listen',
    withKit(async (kit) => {
      const log = kit.open();
      await makeCalls(log, 1);
      rmSync(kit.folder, { recursive: true });
      log.record({ kind: 'serverStopped', serverId: 's', reason: 'r' });
      assert.deepEqual(await ending(log.intent(intent(subject('x')), byRule)), { host: 'auditFailed' });
      mkdirSync(kit.folder);
      await log.sync();
      assert.deepEqual(
        kit.announced.map((record) => [record.event.kind, record.seq]),
        [
          ['segmentOpened', 1],
          ['intent', 2],
          ['result', 3],
          ['serverStopped', undefined],
          ['intent', undefined],
          ['recordingFailed', undefined],
          ['segmentOpened', 4],
          ['journalDisturbed', 5],
          ['recordingResumed', 8],
        ],
      );
    }),
  );
});

describe('those who listen', () => {
  it(
    'may note events themselves, and none is lost',
    withKit(async (kit) => {
      const log = kit.open();
      log.onRecorded(({ event }) => {
        if (event.kind === 'serverStopped') return;
        log.record({ kind: 'serverStopped', serverId: 's', reason: event.kind });
      });
      await log.intent(intent(subject('c1')), byRule);
      await log.sync();
      assert.deepEqual(
        kit.records().map(({ kind, reason }) => reason ?? kind),
        ['segmentOpened', 'intent', 'segmentOpened', 'intent'],
      );
    }),
  );
});

describe('whatever a server sends', () => {
  it(
    'never makes recording fail',
    withKit(async (kit) => {
      const log = kit.open();
      const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as JsonValue;
      const hostile: readonly AuditEvent[] = [
        { ...result(subject('c1')), result: { content: [], structuredContent: deep, isError: false } },
        { ...result(subject('c1', '\uD800\u0000"\\\n', '\u2028')), isError: true },
        {
          kind: 'error',
          ...subject('c2'),
          source: 'server',
          code: '-1',
          message: 'x'.repeat(5_000_000),
          data: deep,
        },
        {
          kind: 'toolsChanged',
          serverId: 's',
          added: Array.from({ length: 60_000 }, (_, index) => `t${index}`),
          removed: [],
          changed: [],
          rejected: 0,
          total: 1,
        },
        {
          kind: 'messageTraced',
          ...subject('c3'),
          direction: 'received',
          message: JSON.parse('{"__proto__":1,"toJSON":2}') as JsonValue,
        },
      ];
      for (const event of hostile) log.record(event);
      await log.sync();
      assert.deepEqual(log.state, { kind: 'recording' });
      assert.equal(kit.lines().length, 1 + hostile.length);
      for (const line of kit.lines()) assert.ok(line.length < 250_000);
      assert.equal((await verifyFolder(kit.folder)).intact, true);
    }),
  );

  it(
    'never brings a configured secret into a file',
    withKit(async (kit) => {
      const plain = fc.string({ minLength: 8, maxLength: 40, unit: 'grapheme-composite' });
      const secretText = fc.oneof(
        plain,
        fc.string({ minLength: 8, maxLength: 60, unit: 'binary' }),
        fc.bigInt({ min: 10n ** 8n, max: 10n ** 15n }).map(String),
      );
      const storages = ['full', 'redacted', 'digest'] as const;
      const logs = storages.map((storage) => kit.open({ storage }));
      for (const log of logs) {
        for (const event of eventsWith(subject('p0'), [], '', '')) log.record(event);
        await log.intent(intent(subject('p0'), argumentsWith([], '', '')), byRule);
      }
      // What our own structure says anyway ("arguments") is no secret, nor is a text of blanks or of one letter.
      const structure = kit.lines().join('\n');
      const secret = secretText.filter(
        (text) => new Set(text.trim()).size > 4 && text.trim().length >= 8 && !structure.includes(text),
      );
      let count = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(secret, { minLength: 1, maxLength: 4 }),
          fc.string(),
          fc.string(),
          async (secrets, before, after) => {
            const of = subject(`p${++count}`);
            for (const log of logs) {
              const start = statSync(log.path ?? kit.root).size;
              log.setKnownSecrets(secrets);
              for (const event of eventsWith(of, secrets, before, after)) log.record(event);
              await log.intent(intent(of, argumentsWith(secrets, before, after)), byRule);
              const written = readFileSync(log.path ?? '')
                .subarray(log.path === undefined ? 0 : start)
                .toString('utf8');
              for (const text of secrets) {
                assert.equal(written.includes(text), false, `as it is: ${JSON.stringify(text)}`);
                assert.equal(
                  written.includes(JSON.stringify(text).slice(1, -1)),
                  false,
                  `escaped: ${JSON.stringify(text)}`,
                );
              }
            }
          },
        ),
        { numRuns: 80 },
      );
    }),
  );
});

function argumentsWith(secrets: readonly string[], before: string, after: string): JsonObject {
  const inside = secrets.map((text) => `${before}${text}${after}`);
  return {
    list: [...secrets, ...inside],
    named: Object.fromEntries(secrets.map((text) => [`${before}${text}`, { [text]: text }])),
    json: JSON.stringify({ secrets, inside }),
    url: `https://x.example/?q=${secrets.map((text) => encodeURIComponent(text.toWellFormed())).join('&')}`,
    numbers: secrets.map(Number).filter((number) => Number.isFinite(number)),
    long: `${'filler '.repeat(1_140)}${inside.join(' ')}${'filler '.repeat(500)}`,
  };
}

function eventsWith(
  of: ReturnType<typeof subject>,
  secrets: readonly string[],
  before: string,
  after: string,
): AuditEvent[] {
  const inside = secrets.map((text) => `${before}${text}${after}`).join(' ');
  const args = argumentsWith(secrets, before, after);
  const hostile = { ...of, tool: inside, caller: { kind: 'bridge', label: inside, turn: inside } } as const;
  return [
    result(of, inside),
    { ...result(of), result: { content: [], structuredContent: args, isError: false }, problems: [inside] },
    { kind: 'error', ...hostile, source: 'server', code: inside, message: inside, data: args },
    {
      kind: 'decision',
      ...of,
      decision: { outcome: 'deny', by: { kind: 'rule', rule: inside, source: 'user' }, reason: inside },
      arguments: args,
    },
    {
      kind: 'argumentsEdited',
      ...of,
      promptId: 'p',
      before: args,
      after: args,
      beforeDigest: 'a',
      afterDigest: 'b',
    },
    { kind: 'inputRequested', ...of, key: inside, request: 'elicitationUrl', message: inside, url: inside },
    { kind: 'messageTraced', ...of, direction: 'received', message: args },
    { kind: 'serverFailed', serverId: 's', code: inside, message: inside },
    {
      kind: 'toolsChanged',
      serverId: 's',
      added: [inside],
      removed: [inside],
      changed: [inside],
      rejected: 0,
      total: 1,
    },
    { kind: 'grantMade', grantId: 'g', serverId: 's', tool: inside, scope: inside, preview: inside },
    { kind: 'bridgeClientConnected', clientId: inside, name: inside, version: inside },
  ];
}

function headOf(path: string | undefined): string {
  return (path ?? '').replace(/\.jsonl$/, '.head');
}
