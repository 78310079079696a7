import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { AuditLog } from '../../../src/audit/auditLog.ts';
import type { AuditEvent } from '../../../src/audit/events.ts';
import { asCurl } from '../../../src/audit/export/replay.ts';
import { callDocument } from '../../../src/audit/history/callDocument.ts';
import { HistoryReader } from '../../../src/audit/history/historyReader.ts';
import { type CallDetail, readCall } from '../../../src/audit/history/readCall.ts';
import { replayOf } from '../../../src/audit/history/replayable.ts';
import type { StorageMode } from '../../../src/audit/redaction/redactor.ts';
import { digest } from '../../../src/base/canonicalJson.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import { type AuditKit, auditKit, intent, result, subject } from '../../helpers/auditKit.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const of = subject('c1', 'create_issue', 'github');

/** Records events of one call and reads them as the history does. */
async function detailOf(
  events: readonly AuditEvent[],
  storage: StorageMode = 'redacted',
  use: (detail: CallDetail, kit: AuditKit, log: AuditLog) => void | Promise<void> = () => {},
): Promise<CallDetail> {
  const kit = auditKit();
  try {
    const log = kit.open({ storage });
    log.setKnownSecrets(['the-configured-secret']);
    for (const event of events) log.record(event);
    await log.sync();
    const { entries } = await new HistoryReader(kit.folder).next(1);
    const [entry] = entries;
    assert.ok(entry);
    const detail = await readCall(kit.folder, entry, (args, stored) => log.areExact(args, stored));
    await use(detail, kit, log);
    return detail;
  } finally {
    await kit.end();
  }
}

const modern = { era: 'modern', protocolVersion: '2026-07-28', transport: 'http' } as const;

describe('whether a call can be made again', () => {
  const rows: readonly [
    name: string,
    args: JsonObject,
    storage: StorageMode,
    kind: string,
    why: RegExp | undefined,
  ][] = [
    ['plain arguments', { title: 'a', n: 1e21, list: [null, { b: true }] }, 'redacted', 'exact', undefined],
    ['a secret', { password: 'hunter2!x' }, 'redacted', 'inexact', /^Secrets in the arguments/],
    ['a configured secret', { note: 'it is the-configured-secret' }, 'full', 'inexact', /^Secrets/],
    ['a long text', { body: 'x'.repeat(10_000) }, 'redacted', 'inexact', /^Long texts/],
    ['a long text in full', { body: 'x'.repeat(10_000) }, 'full', 'exact', undefined],
    [
      'both',
      { body: 'x'.repeat(10_000), password: 'hunter2!x' },
      'redacted',
      'inexact',
      /Secrets.*long texts/,
    ],
    ['a digest', { title: 'a' }, 'digest', 'none', /Only a digest/],
    // A server's or model's text that looks like ours is still the very text.
    ['a look-alike', { title: '[secret:token #0123456789abcdef]' }, 'redacted', 'exact', undefined],
  ];
  for (const [name, args, storage, kind, why] of rows) {
    it(name, async () => {
      const replay = replayOf(await detailOf([{ ...intent(of, args), ...modern }, result(of)], storage));
      assert.equal(replay.kind, kind);
      if (replay.kind === 'exact') {
        const { era, protocolVersion } = modern;
        assert.deepEqual(replay.call, { tool: 'create_issue', arguments: args, era, protocolVersion });
      } else assert.match(replay.why, why ?? /never/);
    });
  }

  it('a call that was refused has no arguments', async () => {
    const replay = replayOf(await detailOf([{ kind: 'callRefused', ...of, stage: 'schema', message: 'no' }]));
    assert.deepEqual(replay, { kind: 'none', why: 'The arguments of this call are not on record.' });
  });

  it('edited arguments are the ones that count', async () => {
    const replay = replayOf(
      await detailOf([
        {
          kind: 'argumentsEdited',
          ...of,
          promptId: 'p1',
          before: { a: 1 },
          after: { a: 2 },
          beforeDigest: digest({ a: 1 }),
          afterDigest: digest({ a: 2 }),
        },
        intent(of, { a: 2 }),
        result(of),
      ]),
    );
    assert.deepEqual(replay, { kind: 'exact', call: { tool: 'create_issue', arguments: { a: 2 } } });
  });
});

describe('a curl command', () => {
  it('names the configured headers and holds none of their values', () => {
    const call = { tool: 't', arguments: { a: "it's" }, era: 'legacy' } as const;
    const text = asCurl(call, 'https://example.com/mcp', ['Authorization', "X-It's"]);
    const words = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${text}`], {
      encoding: 'utf8',
    });
    assert.deepEqual(
      words.split('\n').filter((word) => word.includes('<value')),
      ['Authorization: <value of Authorization>', "X-It's: <value of X-It's>"],
    );
  });
});

describe('a call as a document', () => {
  const asked = { by: { kind: 'default' }, outcome: 'ask' } as const;
  const allowed = { by: { kind: 'person', promptId: 'p1' }, outcome: 'allow', reason: 'fine' } as const;
  const events: readonly AuditEvent[] = [
    { kind: 'decision', ...of, decision: asked },
    {
      kind: 'promptShown',
      ...of,
      promptId: 'p1',
      purpose: 'approval',
      digest: 'sha256:x',
      reason: 'no rule',
    },
    {
      kind: 'argumentsEdited',
      ...of,
      promptId: 'p1',
      before: { title: 'before' },
      after: { title: 'after' },
      beforeDigest: 'x',
      afterDigest: 'y',
    },
    { kind: 'decision', ...of, decision: allowed },
    { ...intent(of, { title: 'after' }), ...modern, decision: allowed, toolFingerprint: 'sha256:tool' },
    { kind: 'messageTraced', ...of, direction: 'sent', message: { id: 7, method: 'tools/call' } },
    { kind: 'inputRequested', ...of, key: 'k', request: 'elicitationForm', message: 'Your `name`?' },
    { kind: 'inputAnswered', ...of, key: 'k', request: 'elicitationForm', answer: 'accept', by: allowed.by },
    { ...result(of, 'made </details> ```\n# forged'), problems: ['structuredContent is missing'] },
    { kind: 'resultWithheld', ...of, promptId: 'p2', reason: 'private' },
  ];

  it('tells arguments, trail, result, messages and digests', async () => {
    const text = callDocument(await detailOf(events));
    for (const part of [
      '# `github` · `create_issue`',
      '- Outcome: **OK** after 5 ms',
      '- The result was withheld from the caller.',
      '- Asked by: `chat (model)`',
      '- Decided by: a person',
      'The very arguments, by their digest.\n\n```json\n{\n  "title": "after"\n}\n```',
      '### Before a person changed them\n\n```json\n{\n  "title": "before"\n}\n```',
      ': to be asked by default (record ',
      ': shown to a person (approval): `no rule` (record ',
      ': allowed by a person: `fine` (record ',
      ': allowed by a person: `fine`; sent to the server (record ',
      ': the server asked for input (elicitationForm): ``Your `name`?`` (record ',
      ': the input (elicitationForm) was answered: accept (record ',
      ': the server answered; found wrong: `structuredContent is missing` (record ',
      '→ sent\n\n```json\n{\n  "id": 7,\n  "method": "tools/call"\n}\n```',
      '"toolFingerprint": "sha256:tool"',
      '"digest": "hmac-sha256:',
    ]) {
      assert.ok(text.includes(part), part);
    }
    // The text of a server stands in JSON within a fence that it cannot end.
    assert.ok(text.includes('"text": "made </details> ```\\n# forged"'));
    assert.ok(!text.includes('\n# forged'));
    assert.ok(text.includes('````json'));
  });

  it('makes hidden characters visible', async () => {
    const text = callDocument(await detailOf([intent(of, { a: 'x\u202Ey' }), result(of, 'z\u200B')]));
    assert.ok(text.includes('x⟦U+202E RLO⟧y') && text.includes('z⟦U+200B ZWSP⟧'));
    assert.doesNotMatch(text, /[\u202E\u200B]/);
  });

  it('says so when its file was deleted', async () => {
    const detail = await detailOf([intent(of), result(of)]);
    const text = callDocument({ ...detail, records: [], arguments: undefined, result: undefined });
    assert.ok(text.includes('2 of its records are gone'));
    assert.ok(text.includes('They are not on record.'));
  });
});
