import assert from 'node:assert/strict';
import { shownCard } from '../../../src/prompts/shownCard.ts';
import type { PageAnswer } from '../../../src/shared/pageMessage.ts';
import { approval, table } from './samples.ts';
import { it } from '../../helpers/nodeTest.ts';

const allow: PageAnswer = { kind: 'allow' };

it('what is allowed is what was shown, whatever the asker does to it afterwards', async () => {
  const { queue, arming, seeFirst } = table();
  const args = { title: 'one', nested: { list: [1, 2] } };
  const answer = queue.ask(approval({ arguments: args }));
  args.nested.list.push(3);
  const { id, digest } = seeFirst();
  assert.deepEqual(await queue.answer(id, digest, allow, arming), { kind: 'accepted' });
  const allowed = await answer;
  assert.deepEqual(allowed, {
    kind: 'allow',
    promptId: id,
    digest,
    waitedMs: 500,
    edited: false,
    arguments: { title: 'one', nested: { list: [1, 2] } },
  });
  assert.ok(allowed.kind === 'allow' && Object.isFrozen(allowed.arguments['nested']));
});

it('the digest changes with everything that the card shows', () => {
  const digests = new Set<string>();
  const changes = [
    {},
    { arguments: { title: 'two' } },
    { arguments: { title: 'one', extra: null } },
    { serverId: 'gitlab' },
    { tool: { name: 'create_issues' } },
    { tool: { name: 'create_issue', title: 'T' } },
    { tool: { name: 'create_issue', description: 'D' } },
    { tool: { name: 'create_issue', annotations: { readOnlyHint: true } } },
    { toolFingerprint: 'sha256:2' },
    { caller: { kind: 'chat', label: 'other' } as const },
    { reason: 'because' },
    { proposals: [{ id: 'p', label: 'l', previews: { session: 's', workspace: 'w', everywhere: 'e' } }] },
    { scopes: ['session'] as const },
    {
      notes: [{ kind: 'neverCalled', severity: 'info', subject: { kind: 'server' }, message: 'm' }] as const,
    },
    { change: { allowedAt: '2026-01-01' } },
  ];
  for (const change of changes) {
    digests.add(shownCard(approval(change).content({ id: 'p', askedAt: 1 }))?.digest ?? 'none');
  }
  digests.add(shownCard(approval().content({ id: 'q', askedAt: 1 }))?.digest ?? 'none');
  assert.equal(digests.size, changes.length + 1);
});

it('no two prompts share a digest, even for the same call', () => {
  const { queue } = table();
  for (let index = 0; index < 3; index += 1) void queue.ask(approval());
  assert.equal(new Set(queue.pending.map(({ digest }) => digest)).size, 3);
});

for (const { name, tamper, reason } of [
  { name: 'an unknown prompt', tamper: (): object => ({ id: 'other' }), reason: 'unknownPrompt' },
  { name: 'a made-up digest', tamper: (): object => ({ digest: 'sha256:0' }), reason: 'stale' },
  { name: 'an empty digest', tamper: (): object => ({ digest: '' }), reason: 'stale' },
] as const) {
  it(`an answer with ${name} is refused and the prompt stays`, async () => {
    const { queue, arming, seeFirst } = table();
    void queue.ask(approval());
    const first = { ...seeFirst(), ...tamper() };
    for (const kind of ['allow', 'deny'] as const) {
      assert.deepEqual(await queue.answer(first.id, first.digest, { kind }, arming), {
        kind: 'refused',
        reason,
        problems: [],
      });
    }
    assert.equal(queue.size, 1);
  });
}

it('the digest of one prompt does not answer another: swapped cards are refused', async () => {
  const { queue, arming, clock } = table();
  void queue.ask(approval({ arguments: { title: 'harmless' } }));
  void queue.ask(approval({ arguments: { title: 'harmful' } }));
  const [harmless, harmful] = queue.pending;
  for (const card of queue.pending) arming.shown(card.id, card.digest);
  clock.advance(500);
  const verdict = await queue.answer(harmful!.id, harmless!.digest, allow, arming);
  assert.deepEqual(verdict, { kind: 'refused', reason: 'stale', problems: [] });
  assert.equal(queue.size, 2);
});

it('nothing is allowed twice: a replayed answer finds nothing', async () => {
  const { queue, arming, seeFirst } = table();
  const answer = queue.ask(approval());
  const { id, digest } = seeFirst();
  await queue.answer(id, digest, allow, arming);
  assert.equal((await answer).kind, 'allow');
  assert.deepEqual(await queue.answer(id, digest, allow, arming), {
    kind: 'refused',
    reason: 'unknownPrompt',
    problems: [],
  });
});

it('two answers at the same time: one counts', async () => {
  const { queue, arming, seeFirst } = table();
  const answer = queue.ask(approval());
  const { id, digest } = seeFirst();
  const verdicts = await Promise.all([
    queue.answer(id, digest, { kind: 'deny' }, arming),
    queue.answer(id, digest, allow, arming),
  ]);
  assert.deepEqual(
    verdicts.map(({ kind }) => kind),
    ['accepted', 'refused'],
  );
  assert.equal((await answer).kind, 'deny');
});

it('allow needs the card in view for half a second; deny does not', async () => {
  const { queue, arming, clock } = table();
  const answers = [queue.ask(approval()), queue.ask(approval())];
  const [first, second] = queue.pending;
  const unseen = await queue.answer(first!.id, first!.digest, allow, arming);
  arming.shown(first!.id, first!.digest);
  clock.advance(499);
  const early = await queue.answer(first!.id, first!.digest, allow, arming);
  clock.advance(1);
  const inTime = await queue.answer(first!.id, first!.digest, allow, arming);
  const denied = await queue.answer(second!.id, second!.digest, { kind: 'deny' }, arming);
  assert.deepEqual(
    [unseen, early, inTime, denied].map((verdict) => ('reason' in verdict ? verdict.reason : verdict.kind)),
    ['notShown', 'notShown', 'accepted', 'accepted'],
  );
  assert.deepEqual(
    (await Promise.all(answers)).map(({ kind }) => kind),
    ['allow', 'deny'],
  );
});

it('a cancelled call takes its prompt along, and its answer comes too late', async () => {
  const { queue, arming, seeFirst, clock } = table();
  const controller = new AbortController();
  const answer = queue.ask(approval(), controller.signal);
  const { id, digest } = seeFirst();
  controller.abort();
  assert.deepEqual(await answer, {
    kind: 'cancelled',
    cause: 'aborted',
    promptId: id,
    digest,
    waitedMs: 500,
  });
  assert.deepEqual(queue.pending, []);
  assert.equal((await queue.answer(id, digest, allow, arming)).kind, 'refused');
  assert.equal(clock.waiting, 0);
});

it('a call that is cancelled while its edited arguments are checked is not allowed', async () => {
  const { queue, arming, seeFirst } = table();
  const controller = new AbortController();
  const checked = Promise.withResolvers<readonly []>();
  const answer = queue.ask(approval({ validateArguments: () => checked.promise }), controller.signal);
  const { id, digest } = seeFirst();
  const verdict = queue.answer(id, digest, { kind: 'allow', edited: { title: 'two' } }, arming);
  controller.abort();
  checked.resolve([]);
  assert.deepEqual(await verdict, { kind: 'refused', reason: 'unknownPrompt', problems: [] });
  assert.equal((await answer).kind, 'cancelled');
});

it('a signal that has fired already asks nobody', async () => {
  const { queue } = table();
  const answer = await queue.ask(approval(), AbortSignal.abort());
  assert.equal(answer.kind === 'cancelled' && answer.cause, 'aborted');
  assert.equal(queue.size, 0);
});

it('an unanswered prompt expires when it was told to, and not otherwise', async () => {
  const { queue, clock } = table();
  const expiring = queue.ask(approval({ expiresInMs: 1000 }));
  void queue.ask(approval());
  clock.advance(999);
  assert.equal(queue.size, 2);
  clock.advance(1);
  const answer = await expiring;
  assert.equal(answer.kind === 'cancelled' && answer.cause, 'expired');
  clock.advance(1e9);
  assert.equal(queue.size, 1);
});

it('the end of the queue cancels everything, and refuses what comes', async () => {
  const { queue, arming, seeFirst, clock } = table();
  const answers = [queue.ask(approval({ expiresInMs: 5000 })), queue.ask(approval())];
  const { id, digest } = seeFirst();
  queue.dispose();
  const late = queue.ask(approval());
  const causes = (await Promise.all([...answers, late])).map(
    (answer) => answer.kind === 'cancelled' && answer.cause,
  );
  assert.deepEqual(causes, ['closed', 'closed', 'closed']);
  assert.equal((await queue.answer(id, digest, allow, arming)).kind, 'refused');
  assert.equal(clock.waiting, 0);
});

it('order is kept while prompts come and go', async () => {
  const { queue, arming } = table();
  const titles = (): unknown[] =>
    queue.pending.map((card) => card.kind === 'approval' && card.arguments['title']);
  for (const title of ['a', 'b', 'c']) void queue.ask(approval({ arguments: { title } }));
  const second = queue.pending[1]!;
  await queue.answer(second.id, second.digest, { kind: 'deny' }, arming);
  void queue.ask(approval({ arguments: { title: 'd' } }));
  assert.deepEqual(titles(), ['a', 'c', 'd']);
});

it('500 at once: none lost, order kept, and each answer reaches its own call', async () => {
  const { queue, arming, clock } = table();
  const answers = Array.from({ length: 500 }, (_, index) =>
    queue.ask(approval({ arguments: { title: index } })),
  );
  const cards = queue.pending;
  for (const card of cards) arming.shown(card.id, card.digest);
  clock.advance(500);
  for (const [index, card] of cards.entries()) {
    await queue.answer(card.id, card.digest, index % 2 === 0 ? allow : { kind: 'deny' }, arming);
  }
  const got = (await Promise.all(answers)).map((answer) =>
    answer.kind === 'allow' ? answer.arguments['title'] : answer.kind,
  );
  assert.deepEqual(
    got,
    Array.from({ length: 500 }, (_, index) => (index % 2 === 0 ? index : 'deny')),
  );
});

it('beyond its limit the queue cancels instead of growing', async () => {
  const { queue } = table({ limit: 2 });
  for (let index = 0; index < 2; index += 1) void queue.ask(approval());
  const answer = await queue.ask(approval());
  assert.equal(answer.kind === 'cancelled' && answer.cause, 'tooMany');
  assert.equal(queue.size, 2);
});

it('deny all of a server: the others of that server go too, those of other servers stay', async () => {
  const { queue, arming } = table();
  const mine = [queue.ask(approval()), queue.ask(approval({ arguments: { title: 'two' } }))];
  void queue.ask(approval({ serverId: 'files' }));
  const { id, digest } = queue.pending[0]!;
  await queue.answer(id, digest, { kind: 'deny', also: 'server', reason: '  not now ' }, arming);
  const settled = (await Promise.all(mine)).map((answer) =>
    answer.kind === 'deny' ? { reason: answer.reason, stopTurn: answer.stopTurn } : answer.kind,
  );
  assert.deepEqual(settled, [
    { reason: 'not now', stopTurn: false },
    { reason: 'not now', stopTurn: false },
  ]);
  assert.deepEqual(
    queue.pending.map(({ serverId }) => serverId),
    ['files'],
  );
});

it('stop the turn: everything of the same turn and caller goes, the rest stays', async () => {
  const { queue, arming } = table();
  const chat = (turn: string) => ({ caller: { kind: 'chat', label: 'm', turn } }) as const;
  const mine = [queue.ask(approval(chat('1'))), queue.ask(approval({ ...chat('1'), serverId: 'files' }))];
  void queue.ask(approval(chat('2')));
  void queue.ask(approval({ caller: { kind: 'bridge', label: 'm', turn: '1' } }));
  void queue.ask(approval({ caller: { kind: 'chat', label: 'm' } }));
  const { id, digest } = queue.pending[0]!;
  await queue.answer(id, digest, { kind: 'deny', also: 'turn' }, arming);
  const settled = (await Promise.all(mine)).map((answer) => answer.kind === 'deny' && answer.stopTurn);
  assert.deepEqual(settled, [true, true]);
  assert.equal(queue.size, 3);
});

for (const { name, value } of [
  { name: 'a cycle', value: cycle() },
  { name: 'a big integer', value: { n: 1n } },
  { name: 'a depth beyond the stack', value: deep(200_000) },
]) {
  it(`arguments that cannot be shown (${name}) are never put to a person`, async () => {
    const { queue } = table();
    // What the types forbid and a broken server may still bring about.
    const answer = await queue.ask(approval({ arguments: value as unknown as Record<string, never> }));
    assert.equal(answer.kind === 'cancelled' && answer.cause, 'unshowable');
    assert.equal(queue.size, 0);
  });
}

it('odd but valid JSON is shown and allowed as it is', async () => {
  const { queue, arming, seeFirst } = table();
  const odd: Record<string, never> = JSON.parse(
    String.raw`{"__proto__": {"x": 1}, "constructor": null, "lone \ud800": "\udfff", "": [[], {}], "big": 1e300}`,
  );
  const answer = queue.ask(approval({ arguments: odd }));
  const { id, digest } = seeFirst();
  await queue.answer(id, digest, allow, arming);
  const allowed = await answer;
  assert.equal(allowed.kind === 'allow' && JSON.stringify(allowed.arguments), JSON.stringify(odd));
});

it('a check that breaks allows nothing', async () => {
  const { queue, arming, seeFirst } = table();
  void queue.ask(approval({ validateArguments: () => Promise.reject(new Error('broken')) }));
  const { id, digest } = seeFirst();
  const verdict = await queue.answer(id, digest, { kind: 'allow', edited: {} }, arming);
  assert.deepEqual(verdict, { kind: 'refused', reason: 'failed', problems: [] });
  assert.equal(queue.size, 1);
});

function cycle(): object {
  const value: Record<string, unknown> = {};
  value['self'] = value;
  return value;
}

function deep(levels: number): object {
  let value: object = {};
  for (let level = 0; level < levels; level += 1) value = { value };
  return value;
}

it('prompts stand in the order of the places that were taken for them, others behind all that were there', () => {
  const { queue } = table();
  const [first, second, third] = [queue.takePlace(), queue.takePlace(), queue.takePlace()];
  const ask = (title: string, place?: number): void => {
    const prompt = approval({ arguments: { title } });
    void queue.ask(place === undefined ? prompt : { ...prompt, place });
  };
  const titles = (): readonly unknown[] =>
    queue.pending.map((card) => card.kind === 'approval' && card.arguments['title']);
  ask('third', third);
  ask('fourth');
  ask('first', first);
  assert.deepEqual(titles(), ['first', 'third', 'fourth']);
  ask('second', second);
  ask('fifth');
  assert.deepEqual(titles(), ['first', 'second', 'third', 'fourth', 'fifth']);
});
