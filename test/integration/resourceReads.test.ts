// A person opens a result's link: the resource is read from the server that gave it, on record, with its questions.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ResultDesk } from '../../src/calls/resultDesk.ts';
import type { KeptResult } from '../../src/calls/resultShelf.ts';
import { recordedResult } from '../../src/calls/recordedResult.ts';
import { HistoryPages } from '../../src/audit/history/historyPages.ts';
import { readCall } from '../../src/audit/history/readCall.ts';
import { replayOf } from '../../src/audit/history/replayable.ts';
import type { LinkState } from '../../src/shared/resultView.ts';
import { childServer, modernOpening } from '../helpers/childServer.ts';
import { startRoad, type TestRoad } from '../helpers/road.ts';

// No template literals in here: `${…}` is a variable of the configuration.
const { command, args } = childServer({
  methods: {
    ...modernOpening,
    'tools/list': (request, side) =>
      side.answer(request, {
        resultType: 'complete',
        tools: [{ name: 'links', inputSchema: { type: 'object' } }],
        ttlMs: 0,
        cacheScope: 'private',
      }),
    'tools/call': (request, side) =>
      side.answer(request, {
        resultType: 'complete',
        content: ['note:a.md', 'note:two', 'note:ask', 'note:gone', 'note:slow'].map((uri) => ({
          type: 'resource_link',
          uri,
          name: uri,
        })),
      }),
    'resources/read': (request, side) => {
      const { uri, inputResponses } = request.params as {
        uri: string;
        inputResponses?: { q: { content: { word: string } } };
      };
      const text = (value: string): object => ({ uri, mimeType: 'text/markdown', text: value });
      const complete = { resultType: 'complete', ttlMs: 60_000, cacheScope: 'private' };
      const answers = Reflect.get(globalThis, 'answered') ?? 0;
      Reflect.set(globalThis, 'answered', answers + 1);
      if (uri === 'note:a.md')
        side.answer(request, { ...complete, contents: [text('# ' + String(answers))] });
      else if (uri === 'note:two') side.answer(request, { ...complete, contents: [text('1'), text('2')] });
      else if (uri === 'note:ask' && inputResponses === undefined) {
        const requestedSchema = { type: 'object', properties: { word: { type: 'string' } } };
        const params = { mode: 'form', message: 'Which word?', requestedSchema };
        side.answer(request, {
          resultType: 'input_required',
          inputRequests: { q: { method: 'elicitation/create', params } },
        });
      } else if (uri === 'note:ask') {
        side.answer(request, { ...complete, contents: [text('said ' + inputResponses?.q.content.word)] });
      } else if (uri !== 'note:slow') side.refuse(request, -32602);
    },
  },
});
const servers = { notes: { type: 'stdio', command, args } };

let road: TestRoad | undefined;
after(() => road?.close());

test('links are read from their own server alone, shown, cached, cancelled and recorded', async () => {
  road = await startRoad({ servers });
  await road.running(1);
  const running = road.calls.invoke({
    caller: { kind: 'chat', label: 'model' },
    target: { kind: 'tool', serverId: 'notes', toolName: 'links' },
    arguments: {},
  });
  await road.answer(await road.prompt(), { kind: 'allow' });
  const { callId } = await running;

  const shown: string[] = [];
  const desk = new ResultDesk({
    shelf: road.shelf,
    reads: road.reads,
    editor: {
      openTab: ({ title }) => shown.push(`tab ${title}`),
      showText: ({ name, text }) => shown.push(`${name}: ${text}`),
      save: (name) => shown.push(`save ${name}`),
      tell: (message) => shown.push(message),
    },
  });
  const ended = (id: string, part: number): Promise<LinkState> =>
    new Promise((resolve) => {
      const subscription = desk.onLink((change) => {
        if (change.id !== id || change.part !== part || change.state.kind === 'reading') return;
        subscription.dispose();
        resolve(change.state);
      });
    });
  const read = (part: number, id = callId): Promise<LinkState> => {
    const state = ended(id, part);
    desk.use(id, 'read', part);
    return state;
  };

  assert.deepEqual(await read(0), { kind: 'read' });
  // The server allowed it to be used again: it is not asked a second time.
  assert.deepEqual(await read(0), { kind: 'read' });
  assert.deepEqual(await read(1), { kind: 'read' });
  assert.deepEqual(shown, ['note-a.md: # 0', 'note-a.md: # 0', 'tab note:two']);

  const asked = read(2);
  const card = await road.prompt();
  assert.ok(card.kind === 'form');
  assert.deepEqual(
    [card.serverId, card.message, card.call?.toolName, card.call?.caller],
    ['notes', 'Which word?', 'resources/read', { kind: 'user', label: 'you' }],
  );
  await road.answer(card, { kind: 'submit', content: { word: 'please' } });
  assert.deepEqual(await asked, { kind: 'read' });
  assert.equal(shown.at(-1), 'note-ask.md: said please');

  assert.deepEqual(await read(3), {
    kind: 'failed',
    message: 'The server cannot give it (error -32602): refused',
  });
  const slow = read(4);
  desk.use(callId, 'cancelRead', 4);
  assert.deepEqual(await slow, { kind: 'failed', message: 'Cancelled.' });

  // The same id, but another program: not the one that gave the link.
  const kept = road.shelf.get(callId);
  assert.ok(kept !== undefined);
  const foreign: KeptResult = { ...kept, id: 'other', launchFingerprint: 'sha256:other' };
  road.shelf.keep(foreign);
  road.shelf.keep({ ...kept, id: 'third', serverId: 'unknown' });
  const refused = await read(0, 'other');
  assert.match(refused.kind === 'failed' ? refused.message : '', /configured otherwise now/);
  const gone = await read(0, 'third');
  assert.match(gone.kind === 'failed' ? gone.message : '', /not there any more/);
  desk.use('never', 'open', undefined);
  assert.match(shown.at(-1) ?? '', /no longer kept/);

  await road.audit.sync();
  const reads = road.events.flatMap((event) =>
    'tool' in event && event.tool === 'resources/read' && 'callId' in event ? [event] : [],
  );
  assert.deepEqual(
    reads.map((event) => (event.kind === 'intent' ? [event.arguments['uri'], event.linkedFrom] : event.kind)),
    [
      ['note:a.md', callId],
      'result',
      ['note:a.md', callId],
      'result',
      ['note:two', callId],
      'result',
      ['note:ask', callId],
      'inputRequested',
      'inputAnswered',
      'result',
      ['note:gone', callId],
      'error',
      ['note:slow', callId],
      'cancelled',
    ],
  );

  const pages = new HistoryPages({ folder: () => road?.auditFolder ?? '', pageSize: 50, budgetMs: 5_000 });
  await pages.restart();
  const entry = pages.entries.find(({ preview }) => preview.includes('note:two'));
  assert.ok(entry !== undefined);
  const detail = await readCall(road.auditFolder, entry, (value, stored) =>
    road!.audit.areExact(value, stored),
  );
  assert.deepEqual(replayOf(detail), { kind: 'none', why: 'It was no tool call: you opened a resource.' });
  const recorded = recordedResult(detail);
  assert.deepEqual(
    [
      recorded?.subject,
      recorded?.checked.blocks.length,
      recorded?.launchFingerprint === kept.launchFingerprint,
    ],
    ['resource', 2, true],
  );
  desk.dispose();
});
