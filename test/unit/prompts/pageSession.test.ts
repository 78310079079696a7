import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { Emitter } from '../../../src/base/event.ts';
import { CallBoard } from '../../../src/prompts/callBoard.ts';
import { PageSession } from '../../../src/prompts/pageSession.ts';
import { PromptQueue } from '../../../src/prompts/promptQueue.ts';
import type { LinkChange, ResultPort } from '../../../src/prompts/resultPort.ts';
import { ResultSession } from '../../../src/prompts/resultSession.ts';
import { decode } from '../../../src/shared/decode.ts';
import { type HostMessage, hostMessage } from '../../../src/shared/hostMessage.ts';
import { ManualClock } from '../../helpers/manualClock.ts';
import { it } from '../../helpers/nodeTest.ts';
import { approval } from './samples.ts';

function page() {
  const clock = new ManualClock();
  const queue = new PromptQueue({ clock });
  const board = new CallBoard({ clock, queue });
  const sent: HostMessage[] = [];
  const reports: string[] = [];
  const actions: string[] = [];
  const links = new Emitter<LinkChange>();
  const results: ResultPort = {
    view: (id, place) =>
      id === 'c'
        ? Promise.resolve({ subject: 'result', serverId: 's', title: place, leads: [], parts: [] })
        : undefined,
    links: (id) => (id === 'c' ? [{ id, part: 0, state: { kind: 'read' } }] : []),
    use: (id, action, part) => actions.push(`${action} ${id} ${part}`),
    onLink: links.event,
  };
  const session = new PageSession({
    queue,
    board,
    results,
    clock,
    post: (message) => sent.push(message),
    actions: {
      openText: (card, path) => actions.push(`text ${card.serverId} ${path}`),
      openPage: (id) => actions.push(`page ${id ?? ''}`),
      report: (problem) => reports.push(problem),
    },
  });
  /** Lets everything that was started come to its end, and the pause between two lists pass. */
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 10; round += 1) await Promise.resolve();
    clock.advance(50);
    for (let round = 0; round < 10; round += 1) await Promise.resolve();
  };
  const kinds = (): readonly string[] => sent.map(({ kind }) => kind);
  const cards = (): readonly number[] =>
    sent.flatMap((message) => (message.kind === 'state' ? [message.cards.length] : []));
  return { clock, queue, board, results, links, session, sent, reports, actions, settle, kinds, cards };
}

it('a page that says nothing is told nothing; once it is ready it is told everything, again after it was loaded anew', async () => {
  const { queue, session, sent, kinds, cards, settle } = page();
  void queue.ask(approval());
  await settle();
  assert.deepEqual(sent, []);
  session.show(undefined, 'keep');
  session.receive({ kind: 'ready' });
  assert.deepEqual(kinds(), ['state', 'show']);
  session.receive({ kind: 'ready' });
  assert.deepEqual(kinds().slice(2), ['state']);
  assert.deepEqual(cards(), [1, 1]);
  for (const message of sent) assert.equal(decode(hostMessage, JSON.parse(JSON.stringify(message))).ok, true);
});

it('a burst of prompts is one list, with the first two cards; others are sent when the page needs them', async () => {
  const { queue, session, sent, settle } = page();
  session.receive({ kind: 'ready' });
  sent.length = 0;
  for (let index = 0; index < 500; index += 1) void queue.ask(approval({ arguments: { index } }));
  await settle();
  const [state, ...rest] = sent;
  assert.ok(state?.kind === 'state');
  assert.deepEqual([state.cards.length, state.prompts.length, rest.length], [2, 500, 0]);
  const last = state.prompts.at(-1)!;
  session.receive({ kind: 'need', ids: [last.id, 'unknown', last.id] });
  session.receive({ kind: 'need', ids: [last.id] });
  assert.deepEqual(
    sent.slice(1).map((message) => message.kind === 'cards' && message.cards.map(({ id }) => id)),
    [[last.id]],
  );
});

it('changes in quick succession are told at once, then at most every 50 milliseconds, and never lost', async () => {
  const { queue, board, session, sent, clock, settle } = page();
  session.receive({ kind: 'ready' });
  const states = (): number => sent.filter(({ kind }) => kind === 'state').length;
  const step = async (act: () => void): Promise<number> => {
    const before = states();
    act();
    for (let round = 0; round < 5; round += 1) await Promise.resolve();
    return states() - before;
  };
  const caller = { kind: 'user', label: '' } as const;
  const start = (callId: string) => (): void =>
    board.started({ callId, serverId: 's', toolName: 't', caller, arguments: {}, cancel: () => undefined });
  const ask = (): void => void queue.ask(approval());
  assert.equal(await step(start('1')), 1);
  assert.equal(await step(start('2')), 0);
  assert.equal(await step(() => clock.advance(49)), 0);
  assert.equal(await step(() => clock.advance(1)), 1);
  // The first few prompts wait for no pause; the sixth does.
  for (let index = 0; index < 5; index += 1) assert.equal(await step(ask), 1);
  assert.equal(await step(ask), 0);
  assert.equal(await step(() => clock.advance(50)), 1);
  await settle();
  assert.equal(await step(ask), 1);
  await settle();
  const last = sent.filter((message) => message.kind === 'state').at(-1);
  assert.deepEqual(last?.kind === 'state' && [last.prompts.length, last.calls.length], [7, 2]);
  session.dispose();
  ask();
  await settle();
  assert.equal(clock.waiting, 0);
});

it('messages that are no messages are dropped and reported, and nothing else happens', async () => {
  const { queue, session, reports, settle, kinds } = page();
  void queue.ask(approval());
  const [card] = queue.pending;
  const { id, digest } = card!;
  const answer = (change: object): object => ({
    kind: 'answer',
    id,
    digest,
    answer: { kind: 'allow' },
    ...change,
  });
  const malformed: readonly unknown[] = [
    undefined,
    null,
    0,
    'ready',
    [],
    {},
    { kind: 'READY' },
    { kind: ['ready'] },
    { kind: 'hasOwnProperty' },
    { kind: 'need' },
    { kind: 'need', ids: id },
    { kind: 'need', ids: Array.from({ length: 101 }, () => id) },
    { kind: 'shown', id },
    { kind: 'shown', id: 'x'.repeat(1001), digest },
    answer({ id: 1 }),
    answer({ digest: undefined }),
    answer({ answer: undefined }),
    answer({ answer: 'allow' }),
    answer({ answer: { kind: 'allow', edited: [] } }),
    answer({ answer: { kind: 'allow', edited: { a: 1n } } }),
    answer({ answer: { kind: 'allow', edited: { a: Number.NaN } } }),
    answer({ answer: { kind: 'allow', edited: deep(201) } }),
    answer({ answer: { kind: 'allow', grant: { scope: 'always', proposalId: 'a' } } }),
    answer({ answer: { kind: 'allow', grant: { scope: 'session' } } }),
    answer({ answer: { kind: 'deny', also: 'everything' } }),
    answer({ answer: { kind: 'deny', reason: 'x'.repeat(10_001) } }),
    { kind: 'answerMany', prompts: [id], answer: { kind: 'allow' } },
    { kind: 'answerMany', prompts: [{ id, digest }], answer: { kind: 'submit', content: {} } },
    { kind: 'check', id, revision: -1, value: {} },
    { kind: 'check', id, revision: 1, value: 'x' },
  ];
  for (const message of malformed) session.receive(message);
  await settle();
  assert.equal(reports.length, malformed.length, reports.join('\n'));
  assert.deepEqual(kinds(), []);
  assert.equal(queue.size, 1);
});

it('allow needs half a second in view of this very page, with this very content', async () => {
  const { queue, session, clock, sent, settle } = page();
  const asked = queue.ask(approval());
  session.receive({ kind: 'ready' });
  const { id, digest } = queue.pending[0]!;
  const allow = { kind: 'answer', id, digest, answer: { kind: 'allow' } };
  const refused = (): number => sent.filter(({ kind }) => kind === 'refused').length;
  session.receive({ kind: 'shown', id, digest: 'sha256:other' });
  clock.advance(1000);
  session.receive(allow);
  await settle();
  assert.equal(refused(), 1);
  session.receive({ kind: 'shown', id, digest });
  clock.advance(499);
  session.receive(allow);
  await Promise.resolve();
  await Promise.resolve();
  assert.equal(refused(), 2);
  clock.advance(1);
  assert.deepEqual(
    sent.filter(({ kind }) => kind === 'armed'),
    [{ kind: 'armed', id, digest }],
  );
  session.receive({ kind: 'hidden', id });
  session.receive(allow);
  await settle();
  assert.equal(refused(), 3);
  session.receive({ kind: 'shown', id, digest });
  clock.advance(500);
  session.receive(allow);
  assert.equal((await asked).kind, 'allow');
});

it('what one page has in view says nothing of another page', async () => {
  const { queue, board, results, session, clock, sent, settle } = page();
  void queue.ask(approval());
  session.receive({ kind: 'ready' });
  const other = new PageSession({
    queue,
    board,
    results,
    clock,
    post: () => undefined,
    actions: {
      openText: () => undefined,
      openPage: () => undefined,
      report: () => undefined,
    },
  });
  const { id, digest } = queue.pending[0]!;
  other.receive({ kind: 'shown', id, digest });
  clock.advance(500);
  session.receive({ kind: 'answer', id, digest, answer: { kind: 'allow' } });
  await settle();
  assert.equal(queue.size, 1);
  assert.equal(
    sent.some(({ kind }) => kind === 'refused'),
    true,
  );
  assert.equal(
    sent.some(({ kind }) => kind === 'armed'),
    false,
  );
});

it('a page that was hidden, loaded anew or closed has nothing in view', async () => {
  const { queue, session, clock, settle } = page();
  void queue.ask(approval());
  session.receive({ kind: 'ready' });
  const { id, digest } = queue.pending[0]!;
  const show = (): void => {
    session.receive({ kind: 'shown', id, digest });
    clock.advance(500);
  };
  for (const lose of [
    () => {
      session.setVisible(false);
      session.setVisible(true);
    },
    () => session.receive({ kind: 'ready' }),
    () => session.dispose(),
  ]) {
    show();
    lose();
    session.receive({ kind: 'answer', id, digest, answer: { kind: 'allow' } });
    await settle();
    assert.equal(queue.size, 1);
  }
});

it('several at once: each is judged for itself, and those that were not read stay', async () => {
  const { queue, session, clock, sent, settle } = page();
  const asked = [1, 2, 3].map((number) => queue.ask(approval({ arguments: { number } })));
  session.receive({ kind: 'ready' });
  const prompts = queue.pending.map(({ id, digest }) => ({ id, digest }));
  for (const { id, digest } of prompts.slice(0, 2)) session.receive({ kind: 'shown', id, digest });
  clock.advance(500);
  session.receive({ kind: 'answerMany', prompts, answer: { kind: 'allow' } });
  await settle();
  assert.deepEqual(
    (await Promise.all(asked.slice(0, 2))).map(({ kind }) => kind),
    ['allow', 'allow'],
  );
  assert.deepEqual(
    sent.filter((message) => message.kind === 'refused').map(({ id }) => id),
    [prompts[2]!.id],
  );
  assert.equal(queue.size, 1);
});

it('actions reach the editor only for what is there', async () => {
  const { queue, board, session, actions, settle } = page();
  void queue.ask(approval());
  const [card] = queue.pending;
  let cancelled = 0;
  board.started({
    callId: 'c',
    serverId: 's',
    toolName: 't',
    caller: { kind: 'user', label: '' },
    arguments: {},
    cancel: () => (cancelled += 1),
  });
  for (const message of [
    { kind: 'openText', id: card!.id, path: '/title' },
    { kind: 'openText', id: 'gone', path: '' },
    { kind: 'useResult', id: 'c', action: 'save', part: 1 },
    { kind: 'openPage', id: card!.id },
    { kind: 'cancelCall', callId: 'c' },
    { kind: 'cancelCall', callId: 'gone' },
    { kind: 'check', id: 'gone', revision: 1, value: {} },
  ]) {
    session.receive(message);
  }
  await settle();
  assert.deepEqual(actions, ['text github /title', 'save c 1', `page ${card!.id}`]);
  assert.equal(cancelled, 1);
});

it('a page gets a result and what became of its links when it asks, and later news of links', async () => {
  const { session, links, sent } = page();
  const change: LinkChange = { id: 'c', part: 0, state: { kind: 'failed', message: 'gone' } };
  links.fire(change);
  assert.deepEqual(sent, [], 'a page that is not ready is told nothing');
  session.receive({ kind: 'ready' });
  sent.length = 0;
  session.receive({ kind: 'needResult', id: 'c' });
  session.receive({ kind: 'needResult', id: 'gone' });
  await setImmediate();
  links.fire(change);
  assert.deepEqual(sent, [
    {
      kind: 'result',
      id: 'c',
      result: { subject: 'result', serverId: 's', title: 'card', leads: [], parts: [] },
    },
    { kind: 'link', id: 'c', part: 0, state: { kind: 'read' } },
    { kind: 'result', id: 'gone' },
    { kind: 'link', ...change },
  ]);
  for (const message of sent) assert.equal(decode(hostMessage, JSON.parse(JSON.stringify(message))).ok, true);
});

it("a result's tab shows its own result and can do nothing else", async () => {
  const { results, links, sent, actions, reports } = page();
  const session = new ResultSession({
    id: 'c',
    results,
    post: (message) => sent.push(message),
    report: (problem) => reports.push(problem),
  });
  session.receive({ kind: 'ready' });
  await setImmediate();
  links.fire({ id: 'other', part: 0, state: { kind: 'read' } });
  assert.deepEqual(
    sent.map((message) => [message.kind, message.kind === 'result' && message.result?.title]),
    [
      ['result', 'tab'],
      ['link', false],
    ],
  );
  for (const message of [
    { kind: 'useResult', id: 'c', action: 'openText' },
    { kind: 'useResult', id: 'other', action: 'read', part: 0 },
    { kind: 'answer', id: 'p', digest: 'd', answer: { kind: 'allow' } },
    { kind: 'cancelCall', callId: 'c' },
    { kind: 'useResult', id: 'c', action: 'delete' },
  ]) {
    session.receive(message);
  }
  assert.deepEqual(actions, ['openText c undefined']);
  assert.equal(reports.length, 4);
});

function deep(levels: number): object {
  let value: object = {};
  for (let level = 0; level < levels; level += 1) value = { value };
  return value;
}
