import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { verdictText, verifyDocument } from '../../../src/audit/verifyDocument.ts';
import { verifyFolder } from '../../../src/audit/verifyFolder.ts';
import { type AuditKit, auditDigest, auditKit, makeCalls } from '../../helpers/auditKit.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

/** What the report says after something was done to the journal of a closed window. */
async function reportAfter(
  change: (kit: AuditKit, file: string) => void,
): Promise<{ verdict: string; text: string }> {
  const kit = auditKit();
  const log = kit.open();
  await makeCalls(log, 3);
  await log.close('done');
  change(kit, kit.path(kit.files()[0] ?? ''));
  const report = await verifyFolder(kit.folder, { key: auditDigest });
  const text = verifyDocument(report, '2026-05-01T12:00:00.000Z');
  await kit.end();
  return { verdict: verdictText(report), text };
}

describe('the report of a check', () => {
  const rows: readonly [string, (kit: AuditKit, file: string) => void, RegExp, RegExp][] = [
    [
      'nothing',
      () => {},
      /^The chain is intact: 8 records in 1 file\.$/,
      /: intact, closed, records 1 to 8, last hash `/,
    ],
    [
      'a changed word',
      (_kit, file) => writeFileSync(file, readFileSync(file, 'utf8').replace('hello 2', 'hullo 2')),
      /^The journal is DAMAGED: 1 file of 1\.$/,
      /## Damage\n\n- `journal-.*\n {2}- `Line 4 \(byte \d+\): record 4 was altered/,
    ],
    [
      'a torn last line',
      (_kit, file) => {
        rmSync(file.replace('.jsonl', '.head'));
        appendFileSync(file, '{"v":1,"seq":9');
      },
      /^The chain is intact/,
      /None of this is damage\.\n\n- `journal-[^#]*last record was not written completely/,
    ],
    [
      'no journal',
      (kit) => rmSync(kit.folder, { recursive: true }),
      /^There is no audit journal yet/,
      /There are none/,
    ],
  ];
  for (const [name, change, verdict, part] of rows) {
    it(`of ${name}`, async () => {
      const report = await reportAfter(change);
      assert.match(report.verdict, verdict);
      assert.match(report.text, part);
      assert.ok(report.text.includes(`**${report.verdict}**`));
    });
  }

  it('lists calls without an outcome and files that are gone', () => {
    const openCall = { callId: 'c`1', serverId: 's', tool: 't', seq: 3, time: '2026-05-01T12:00:00.000Z' };
    const report = {
      folder: '/f',
      files: [],
      findings: [{ kind: 'missingFile', level: 'damage', file: 'journal-x', by: 'journal-y' }] as const,
      openCalls: [openCall],
      intact: false,
      noted: 0,
    };
    const text = verifyDocument(report, '2026-05-01T12:00:00.000Z');
    assert.match(text, /## Files that are gone\n\n- `The file journal-x is gone/);
    assert.match(text, /## Calls without an outcome[^#]*`s` · `t`, call ``c`1``, record 3/);
  });
});
