// What servers ask for in the middle of calls, on the whole road: real server processes of both eras, and a person whom
// the test plays.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { JsonObject, JsonValue } from '../../src/base/json.ts';
import type { CallReport } from '../../src/calls/callTypes.ts';
import { compilePolicy } from '../../src/policy/policy.ts';
import type { PageAnswer } from '../../src/shared/pageMessage.ts';
import type { PromptCard } from '../../src/shared/promptCard.ts';
import { askingServer, formQuestion, linkQuestion } from '../helpers/askingServer.ts';
import { startRoad, type TestRoad } from '../helpers/road.ts';
import { waitFor } from '../rig/waitFor.ts';

const roads: TestRoad[] = [];
after(() => Promise.all(roads.map((road) => road.close())));

async function start(
  servers: Readonly<Record<string, JsonValue>>,
  options: Omit<Parameters<typeof startRoad>[0], 'servers'> = {},
): Promise<TestRoad> {
  const road = await startRoad({ servers, ...options });
  roads.push(road);
  road.gate.policy = compilePolicy({ user: [{ server: '*', tool: '*', decision: 'allow' }], workspace: [] });
  await road.running(Object.keys(servers).length);
  return road;
}

function call(
  road: TestRoad,
  serverId: string,
  toolName: string,
  args: JsonObject,
  signal?: AbortSignal,
): Promise<CallReport> {
  return road.calls.invoke({
    caller: { kind: 'chat', label: 'model', turn: 't' },
    target: { kind: 'tool', serverId, toolName },
    arguments: args,
    ...(signal === undefined ? {} : { signal }),
  });
}

/** What a tool of the server returned, which is JSON. */
function returned(report: CallReport): JsonValue {
  const [part] = report.parts;
  assert.ok(report.outcome.kind === 'completed' && part?.kind === 'text', JSON.stringify(report));
  return JSON.parse(part.text);
}

/** The waiting card with these words. */
function card(road: TestRoad, words: string): Promise<PromptCard> {
  return waitFor(`a card that says "${words}"`, () =>
    road.queue.pending.find((pending) => 'message' in pending && pending.message === words),
  );
}

/** Answers the forms with these words, one after the other. */
async function fill(road: TestRoad, answers: readonly (readonly [string, PageAnswer])[]): Promise<void> {
  for (const [words, answer] of answers) await road.answer(await card(road, words), answer);
}

const submit = (content: JsonObject): PageAnswer => ({ kind: 'submit', content });

for (const era of ['legacy', 'modern'] as const) {
  describe(era, () => {
    test('each way to answer a form reaches the server as it is', async () => {
      const road = await start({ s: askingServer(era) });
      const rounds = ['one', 'two', 'three', 'four'].map((words) => ({ q: formQuestion(words) }));
      const running = call(road, 's', 'ask', { rounds });
      const first = await card(road, 'one');
      assert.ok(first.kind === 'form');
      assert.deepEqual([first.serverId, first.call?.toolName, first.call?.caller.kind], ['s', 'ask', 'chat']);
      await fill(road, [
        ['one', submit({ name: 'Ada' })],
        ['two', submit({})],
        ['three', { kind: 'decline' }],
        ['four', { kind: 'cancel' }],
      ]);
      assert.deepEqual(returned(await running), [
        { q: { action: 'accept', content: { name: 'Ada' } } },
        { q: { action: 'accept', content: {} } },
        { q: { action: 'decline' } },
        { q: { action: 'cancel' } },
      ]);
      await road.audit.sync();
      assert.deepEqual(
        road.events.flatMap((event) =>
          event.kind === 'inputAnswered' ? [[event.answer, event.by.kind]] : [],
        ),
        [
          ['accept', 'person'],
          ['accept', 'person'],
          ['decline', 'person'],
          ['cancel', 'person'],
        ],
      );
      assert.ok(!JSON.stringify(road.events.filter(({ kind }) => kind === 'inputAnswered')).includes('Ada'));
    });

    test('the same form ten times in a row: no answer leaks into the next', async () => {
      const road = await start({ s: askingServer(era) });
      const rounds = Array.from({ length: 10 }, (_, round) => ({ q: formQuestion(`Round ${round}`) }));
      const running = call(road, 's', 'ask', { rounds });
      for (const round of rounds.keys()) {
        const shown = await card(road, `Round ${round}`);
        assert.ok(!JSON.stringify(shown).includes('answer'), 'nothing of an earlier answer is on the card');
        await road.answer(shown, submit({ name: `answer ${round}` }));
      }
      assert.deepEqual(
        returned(await running),
        rounds.map((_, round) => ({ q: { action: 'accept', content: { name: `answer ${round}` } } })),
      );
    });

    test('several questions at once are answered in any order, each under its own key', async () => {
      const road = await start({ s: askingServer(era) });
      const round = { a: formQuestion('A'), b: formQuestion('B'), c: formQuestion('C') };
      const running = call(road, 's', 'ask', { rounds: [round] });
      await fill(road, [
        ['C', submit({ name: 'c' })],
        ['A', submit({ name: 'a' })],
        ['B', { kind: 'decline' }],
      ]);
      assert.deepEqual(returned(await running), [
        {
          a: { action: 'accept', content: { name: 'a' } },
          b: { action: 'decline' },
          c: { action: 'accept', content: { name: 'c' } },
        },
      ]);
    });

    test('two servers at once: each gets its own answers', async () => {
      const road = await start({ one: askingServer(era), two: askingServer(era) });
      const same = { rounds: [{ q: formQuestion('Who?') }] };
      const running = [call(road, 'one', 'ask', same), call(road, 'two', 'ask', same)];
      await waitFor('both to ask', () => road.queue.size === 2);
      for (const waiting of road.queue.pending.toReversed())
        await road.answer(waiting, submit({ name: `for ${waiting.serverId}` }));
      assert.deepEqual((await Promise.all(running)).map(returned), [
        [{ q: { action: 'accept', content: { name: 'for one' } } }],
        [{ q: { action: 'accept', content: { name: 'for two' } } }],
      ]);
    });

    test('a call that is cancelled takes its form along, and a late answer goes nowhere', async () => {
      const road = await start({ s: askingServer(era) });
      const controller = new AbortController();
      const running = call(road, 's', 'ask', { rounds: [{ q: formQuestion('Who?') }] }, controller.signal);
      const shown = await card(road, 'Who?');
      controller.abort();
      assert.equal((await running).outcome.kind, 'cancelled');
      await waitFor('the form to be gone', () => road.queue.size === 0);
      await assert.rejects(road.answer(shown, submit({ name: 'late' })), /unknownPrompt/);
      const again = call(road, 's', 'ask', { rounds: [{ q: formQuestion('Again?') }] });
      await fill(road, [['Again?', submit({ name: 'Kim' })]]);
      assert.deepEqual(returned(await again), [{ q: { action: 'accept', content: { name: 'Kim' } } }]);
    });

    test('a server that dies takes its form along, and the call says so', async () => {
      const road = await start({ s: askingServer(era), other: askingServer(era) });
      const other = call(road, 'other', 'ask', { rounds: [{ q: formQuestion('Still here?') }] });
      const running = call(road, 's', 'ask', { rounds: [{ q: formQuestion('Who?') }], manner: 'die' });
      const shown = await card(road, 'Who?');
      const report = await running;
      assert.equal(report.outcome.kind, 'failed', JSON.stringify(report));
      await waitFor('the form to be gone', () => road.queue.card(shown.id) === undefined);
      await road.audit.sync();
      const ended = road.events.find((event) => event.kind === 'inputAnswered');
      assert.deepEqual(ended?.by, { kind: 'noAnswer', cause: 'promptWithdrawn' });
      // The other server's form is none of its business.
      await fill(road, [['Still here?', submit({})]]);
      assert.deepEqual(returned(await other), [{ q: { action: 'accept', content: {} } }]);
    });

    test('a hundred fields, right-to-left and very long texts pass through whole', async () => {
      const road = await start({ s: askingServer(era) });
      const names = Array.from({ length: 100 }, (_, place) => `שדה ${place}`);
      const long = 'ארוך '.repeat(20_000);
      const properties = Object.fromEntries(
        names.map((name) => [
          name,
          { type: 'string', title: `${name} \u202e`, description: long.slice(0, 2_000) },
        ]),
      );
      const question = formQuestion(long, { type: 'object', properties, required: names });
      const running = call(road, 's', 'ask', { rounds: [{ q: question }] });
      const content = Object.fromEntries(names.map((name) => [name, `ערך ${name} \u{1f600}`]));
      await fill(road, [[long, submit(content)]]);
      assert.deepEqual(returned(await running), [{ q: { action: 'accept', content } }]);
    });

    test('a link that is too large to be shown is cancelled, and the person is told', async () => {
      const road = await start({ s: askingServer(era) });
      const url = `https://example.org/${'x'.repeat(5_000_000)}`;
      const running = call(road, 's', 'ask', { rounds: [{ q: linkQuestion(url) }] });
      assert.deepEqual(returned(await running), [{ q: { action: 'cancel' } }]);
      assert.deepEqual(road.told, [
        'The MCP server "s" sent a link that is too large to be shown, so it was cancelled.',
      ]);
    });

    test('answers that the schema refuses never leave, whatever a page sends', async () => {
      const road = await start({ s: askingServer(era) });
      const schema = { type: 'object', properties: { n: { type: 'integer', maximum: 5 } }, required: ['n'] };
      const running = call(road, 's', 'ask', { rounds: [{ q: formQuestion('How many?', schema) }] });
      const shown = await card(road, 'How many?');
      for (const content of [{}, { n: 6 }, { n: '5' }, { n: 1.5 }, { n: null }])
        await assert.rejects(road.answer(shown, submit(content)), /invalid/, JSON.stringify(content));
      await road.answer(shown, submit({ n: 5 }));
      assert.deepEqual(returned(await running), [{ q: { action: 'accept', content: { n: 5 } } }]);
    });

    test('a form that cannot be answered is shown, and only a person declines it', async () => {
      const road = await start({ s: askingServer(era) });
      const schema = { type: 'object', properties: { a: { type: 'nonsense' } } };
      const running = call(road, 's', 'ask', { rounds: [{ q: formQuestion('Odd', schema) }] });
      const shown = await card(road, 'Odd');
      assert.equal(shown.kind === 'form' && shown.form.kind, 'impossible');
      await assert.rejects(road.answer(shown, submit({})), /invalid/);
      await road.answer(shown, { kind: 'decline' });
      assert.deepEqual(returned(await running), [{ q: { action: 'decline' } }]);
    });

    test('a link is opened once a person says so, and never one that leads elsewhere than the web', async () => {
      const road = await start({ s: askingServer(era) });
      const open = async (url: string): Promise<PromptCard> => {
        const { size } = road.queue;
        void call(road, 's', 'ask', { rounds: [{ q: linkQuestion(url) }] });
        return waitFor(`a card for ${url}`, () => road.queue.pending[size]);
      };
      for (const url of [
        'javascript:alert(1)',
        'vscode://a.b/c',
        'file:///etc/passwd',
        'command:quit',
        'http://a.example/',
      ]) {
        const shown = await open(url);
        assert.ok(shown.kind === 'url' && shown.blocked !== undefined, url);
        await assert.rejects(road.answer(shown, { kind: 'open' }), /wrongKind/);
        await assert.rejects(road.answer(shown, { kind: 'proceed' }), /wrongKind/);
        await road.answer(shown, { kind: 'decline' });
      }
      assert.deepEqual(road.opened, []);
      const good = await open('https://example.com/a%26b');
      assert.deepEqual(road.opened, []);
      await road.answer(good, { kind: 'open' });
      assert.deepEqual(road.opened, ['https://example.com/a%26b']);
    });
  });
}

test('the eleventh round ends the call with an error (modern)', async () => {
  const road = await start({ s: askingServer('modern') });
  const rounds = Array.from({ length: 11 }, (_, round) => ({ q: formQuestion(`Round ${round}`) }));
  const running = call(road, 's', 'ask', { rounds });
  for (let round = 0; round < 10; round += 1) await fill(road, [[`Round ${round}`, submit({})]]);
  const { outcome } = await running;
  assert.equal(outcome.kind === 'failed' && outcome.error.code, 'tooManyRounds');
  assert.equal(road.queue.size, 0);
});

/** What a server may not ask for, and how it hears of that. */
const refused: readonly (readonly [string, JsonObject, RegExp])[] = [
  ['an unknown mode', { method: 'elicitation/create', params: { mode: 'voice', message: 'Speak' } }, /mode/],
  ['a form without a schema', { method: 'elicitation/create', params: { message: 'Who?' } }, /schema/],
  ['a link that is none', linkQuestion('not a url'), /URL/],
  ['an empty link', linkQuestion(''), /URL/],
  [
    'a model, which is not declared',
    { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } },
    /not declare/,
  ],
  ['folders, which are not declared', { method: 'roots/list', params: {} }, /not declare/],
  ['something that does not exist', { method: 'tools/call', params: {} }, /not know/],
];
for (const [name, question, words] of refused) {
  test(`${name}: refused without a prompt, in both eras`, async () => {
    const road = await start({ legacy: askingServer('legacy'), modern: askingServer('modern') });
    const legacy = await call(road, 'legacy', 'ask', { rounds: [{ q: question }] });
    assert.match(JSON.stringify(returned(legacy)), words);
    const modern = await call(road, 'modern', 'ask', { rounds: [{ q: question }] });
    assert.equal(modern.outcome.kind, 'failed');
    assert.match(JSON.stringify(modern.parts), words);
    assert.equal(road.queue.size, 0);
  });
}

test('a legacy server that takes its questions back', async () => {
  const road = await start({ s: askingServer('legacy') });
  const round = { a: formQuestion('A'), b: formQuestion('B') };
  assert.equal(returned(await call(road, 's', 'ask', { rounds: [round], manner: 'withdraw' })), 'taken back');
  await waitFor('no form to be left', () => road.queue.size === 0);
});

test('a legacy server that asks while no call is running: the card says so, and the answer reaches it', async () => {
  const road = await start({ s: askingServer('legacy') });
  const rounds = [{ q: formQuestion('By the way') }];
  assert.equal(returned(await call(road, 's', 'ask', { rounds, manner: 'later' })), 'later');
  const shown = await card(road, 'By the way');
  await road.answer(shown, submit({ name: 'Kim' }));
  const answers = await waitFor('the answer to arrive', async () => {
    const list = returned(await call(road, 's', 'answers', {}));
    return Array.isArray(list) && list.length > 0 ? list : undefined;
  });
  assert.deepEqual(answers, [{ q: { action: 'accept', content: { name: 'Kim' } } }]);
  assert.equal('call' in shown, false);
});

describe('pages to visit', () => {
  /** Visits a page as the browser would. */
  const visiting = {
    openUrl: async (url: string) => {
      await fetch(url);
      return true;
    },
  };
  const linkCard = async (road: TestRoad): Promise<PromptCard & { readonly kind: 'url' }> => {
    const shown = await road.prompt();
    assert.ok(shown.kind === 'url');
    return shown;
  };

  test('error -32042: nothing is fetched before, and the call is made again when the person says so', async () => {
    const road = await start({ s: askingServer('legacy') }, { ports: visiting });
    const running = call(road, 's', 'visit', { query: 'state=a%26b', error: true });
    const shown = await linkCard(road);
    assert.deepEqual([shown.host, shown.call?.toolName], ['127.0.0.1', 'visit']);
    await assert.rejects(road.answer(shown, { kind: 'proceed' }), /wrongKind/);
    await road.answer(shown, { kind: 'open' });
    assert.equal(road.queue.size, 1);
    await road.answer(shown, { kind: 'proceed' });
    assert.deepEqual(returned(await running), { visited: ['/sign-in?state=a%26b'] });
  });

  test('error -32042: the call is made again by itself when the server says that all is done', async () => {
    const road = await start({ s: askingServer('legacy') }, { ports: visiting });
    const running = call(road, 's', 'visit', { error: true, complete: true });
    await road.answer(await linkCard(road), { kind: 'open' });
    assert.deepEqual(returned(await running), { visited: ['/sign-in?'] });
  });

  for (const kind of ['decline', 'cancel'] as const) {
    test(`error -32042: ${kind} ends the call with the server's error`, async () => {
      const road = await start({ s: askingServer('legacy') }, { ports: visiting });
      const running = call(road, 's', 'visit', { error: true });
      await road.answer(await linkCard(road), { kind });
      const { outcome } = await running;
      assert.equal(outcome.kind === 'failed' && outcome.error.code, -32042);
    });
  }

  test('a legacy request waits for the consent only', async () => {
    const road = await start({ s: askingServer('legacy') }, { ports: visiting });
    const running = call(road, 's', 'visit', {});
    await road.answer(await linkCard(road), { kind: 'open' });
    assert.deepEqual(returned(await running), { visited: ['/sign-in?'], answer: { action: 'accept' } });
  });

  test('a modern server gets the retry when the person says so', async () => {
    const road = await start({ s: askingServer('modern') }, { ports: visiting });
    const running = call(road, 's', 'visit', { query: 'x' });
    const shown = await linkCard(road);
    await road.answer(shown, { kind: 'open' });
    assert.equal(road.queue.size, 1);
    await road.answer(shown, { kind: 'proceed' });
    assert.deepEqual(returned(await running), { visited: ['/sign-in?x'], page: { action: 'accept' } });
  });
});
