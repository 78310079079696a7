import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { HistoryPages } from '../../../src/audit/history/historyPages.ts';
import { auditKit, intent, makeCalls, result, subject } from '../../helpers/auditKit.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const options = { pageSize: 3, budgetMs: 60_000 };
const ids = (pages: HistoryPages): string => pages.entries.map(({ callId }) => callId).join(' ');

describe('the pages of the history', () => {
  it('are read one by one, the newest first, until the end', async () => {
    const kit = auditKit();
    await makeCalls(kit.open(), 7);
    const pages = new HistoryPages({ ...options, folder: () => kit.folder });
    const states: string[] = [];
    pages.onDidChange(() => states.push(pages.state.kind));
    await pages.restart();
    assert.equal(ids(pages), 'c7 c6 c5');
    await pages.more();
    assert.equal(ids(pages), 'c7 c6 c5 c4 c3 c2');
    // Two at once read one page each, and the second finds nothing left to do.
    await Promise.all([pages.more(), pages.more()]);
    assert.equal(ids(pages), 'c7 c6 c5 c4 c3 c2 c1');
    assert.deepEqual(states, ['loading', 'more', 'loading', 'more', 'loading', 'ended']);
    await kit.end();
  });

  it('take in new calls and how old ones went on, and keep what was read', async () => {
    const kit = auditKit();
    const log = kit.open();
    await makeCalls(log, 6);
    await log.intent(intent(subject('running')), { personDecided: false });
    const pages = new HistoryPages({ ...options, folder: () => kit.folder });
    await pages.restart();
    await pages.more();
    const ends = (): string[] => pages.entries.map(({ callId, end }) => `${callId} ${end}`);
    assert.deepEqual(ends().slice(0, 2), ['running unanswered', 'c6 ok']);
    log.record(result(subject('running')));
    await makeCalls(log, 1, 'n');
    await pages.refresh();
    assert.deepEqual(ends().slice(0, 3), ['n1 ok', 'running ok', 'c6 ok']);
    assert.equal(pages.entries.length, 7);
    await pages.more();
    assert.equal(ids(pages), 'n1 running c6 c5 c4 c3 c2 c1');
    await kit.end();
  });

  it('begin anew when more has happened than fits a page, so that nothing is left out', async () => {
    const kit = auditKit();
    const log = kit.open();
    await makeCalls(log, 2);
    const pages = new HistoryPages({ ...options, folder: () => kit.folder });
    await pages.restart();
    await makeCalls(log, 4, 'n');
    await pages.refresh();
    assert.equal(ids(pages), 'n4 n3 n2');
    await pages.more();
    assert.equal(ids(pages), 'n4 n3 n2 n1 c2 c1');
    await kit.end();
  });

  it('show only what is looked for, and the last search wins', async () => {
    const kit = auditKit();
    await makeCalls(kit.open(), 9);
    const pages = new HistoryPages({ ...options, folder: () => kit.folder });
    await Promise.all([pages.restart({ text: 'hello 1' }), pages.restart({ text: 'hello 4' })]);
    assert.equal(ids(pages), 'c4');
    assert.deepEqual(pages.filter, { text: 'hello 4' });
    await pages.restart({});
    assert.equal(ids(pages), 'c9 c8 c7');
    await kit.end();
  });

  it('a search that takes too long comes back with what it has, and goes on when asked', async () => {
    const kit = auditKit();
    await makeCalls(kit.open(), 50);
    const pages = new HistoryPages({ pageSize: 3, budgetMs: 0, folder: () => kit.folder });
    await pages.restart({ text: 'hello 1' });
    assert.equal(pages.state.kind, 'more');
    assert.equal(ids(pages), '');
    const patient = new HistoryPages({ ...options, folder: () => kit.folder });
    await patient.restart({ text: 'hello 1' });
    assert.equal(ids(patient), 'c19 c18 c17');
    await kit.end();
  });

  it('say what is wrong with the folder, and work again after it', async () => {
    const kit = auditKit();
    const file = `${kit.root}/file`;
    writeFileSync(file, '');
    const pages = new HistoryPages({ ...options, folder: () => file });
    await pages.restart();
    assert.equal(pages.state.kind, 'failed');
    rmSync(file);
    await pages.restart();
    assert.deepEqual(pages.state, { kind: 'ended' });
    await kit.end();
  });
});
