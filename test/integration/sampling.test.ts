// Servers that ask a language model, on the whole road: real server processes of both eras, a person whom the test
// plays, and a model that says what the test wants.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { JsonObject, JsonValue } from '../../src/base/json.ts';
import type { CallReport } from '../../src/calls/callTypes.ts';
import type { SamplingModel, SamplingModels } from '../../src/calls/samplingModels.ts';
import { compilePolicy } from '../../src/policy/policy.ts';
import type { PromptCard } from '../../src/shared/promptCard.ts';
import { askingServer, formQuestion, modelQuestion } from '../helpers/askingServer.ts';
import { pixel, png } from '../helpers/pictures.ts';
import { startRoad, type TestRoad, type TestRoadOptions } from '../helpers/road.ts';
import { waitFor } from '../rig/waitFor.ts';

const roads: TestRoad[] = [];
after(() => Promise.all(roads.map((road) => road.close())));

const small: SamplingModel = {
  id: 'v/small',
  label: 'Small',
  names: ['small-1', 'Small', 'mini', 'v'],
  maxInputTokens: 1_000,
};
const large: SamplingModel = {
  id: 'v/large',
  label: 'Large',
  names: ['large-1', 'Large', 'maxi', 'v'],
  maxInputTokens: 9_000,
};
const hello: JsonObject = {
  role: 'assistant',
  content: { type: 'text', text: 'Hello' },
  model: 'm',
  stopReason: 'endTurn',
};

interface TestModels extends SamplingModels {
  list: () => Promise<readonly SamplingModel[]>;
  available: boolean;
  ask: SamplingModels['ask'];
  readonly asked: { readonly modelId: string; readonly params: JsonObject }[];
}

function fakeModels(list: readonly SamplingModel[], answer: JsonObject | Error = hello): TestModels {
  const asked: { readonly modelId: string; readonly params: JsonObject }[] = [];
  return {
    available: list.length > 0,
    settled: () => Promise.resolve(),
    list: () => Promise.resolve(list),
    ask(modelId, params) {
      asked.push({ modelId, params });
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    asked,
  };
}

async function start(
  models: TestModels,
  settings: NonNullable<TestRoadOptions['settings']> = {},
  era: 'legacy' | 'modern' = 'legacy',
): Promise<TestRoad> {
  const road = await startRoad({ servers: { s: askingServer(era) }, settings, ports: { models } });
  roads.push(road);
  road.gate.policy = compilePolicy({ user: [{ server: '*', tool: '*', decision: 'allow' }], workspace: [] });
  await road.running(1);
  return road;
}

let turns = 0;

function ask(road: TestRoad, question: JsonObject, signal?: AbortSignal): Promise<CallReport> {
  return road.calls.invoke({
    // A turn of its own: the same call many times in one turn is asked about.
    caller: { kind: 'chat', label: 'model', turn: `turn ${(turns += 1)}` },
    target: { kind: 'tool', serverId: 's', toolName: 'ask' },
    arguments: { rounds: [{ q: question }] },
    ...(signal === undefined ? {} : { signal }),
  });
}

/** What the server was given for its question. */
function given(report: CallReport): JsonValue | undefined {
  const [part] = report.parts;
  assert.ok(report.outcome.kind === 'completed' && part?.kind === 'text', JSON.stringify(report));
  const [round] = JSON.parse(part.text) as readonly { readonly q: JsonValue }[];
  return round?.q;
}

async function next<K extends PromptCard['kind']>(
  road: TestRoad,
  kind: K,
): Promise<PromptCard & { readonly kind: K }> {
  return waitFor(`a card of the kind ${kind}`, () =>
    road.queue.pending.find((card): card is PromptCard & { readonly kind: K } => card.kind === kind),
  );
}

const picture = (data: string): JsonObject => ({
  role: 'user',
  content: { type: 'image', data, mimeType: 'image/png' },
});
const sample = (modelId: string) => ({ kind: 'sample', modelId, edits: [] }) as const;

for (const era of ['legacy', 'modern'] as const) {
  describe(era, () => {
    test('the person changes the question, picks the model and changes the answer', async () => {
      const models = fakeModels([small, large]);
      const road = await start(models, {}, era);
      const running = ask(road, modelQuestion('Tell me a secret', { systemPrompt: 'Be chatty.' }));
      const card = await next(road, 'sampling');
      assert.deepEqual(
        [card.systemPrompt, card.messages, card.call?.toolName, card.usage],
        [
          'Be chatty.',
          [{ role: 'user', parts: [{ kind: 'text', text: 'Tell me a secret' }] }],
          'ask',
          '0 of 20 requests to models this hour',
        ],
      );
      await road.answer(card, {
        kind: 'sample',
        modelId: 'v/large',
        systemPrompt: 'Be discreet.',
        edits: [{ message: 0, part: 0, text: 'Tell me a joke' }],
      });
      const review = await next(road, 'review');
      assert.deepEqual([review.source, review.parts], ['Large', [{ kind: 'text', text: 'Hello' }]]);
      await road.answer(review, { kind: 'release', text: 'Hello, sort of' });
      assert.deepEqual(given(await running), { ...hello, content: { type: 'text', text: 'Hello, sort of' } });
      const messages = [{ role: 'user', content: { type: 'text', text: 'Tell me a joke' } }];
      assert.deepEqual(models.asked, [
        { modelId: 'v/large', params: { messages, maxTokens: 50, systemPrompt: 'Be discreet.' } },
      ]);
    });

    for (const kind of ['decline', 'cancel'] as const) {
      test(`${kind}: no model is asked, and the server hears that a person said so`, async () => {
        const models = fakeModels([small]);
        const road = await start(models, {}, era);
        const running = ask(road, modelQuestion('Hi'));
        await road.answer(await next(road, 'sampling'), { kind });
        const report = await running;
        // A legacy server is told, and goes on as it likes; a modern one waits for nothing, so its call ends here.
        if (era === 'legacy')
          assert.deepEqual(given(report), {
            error: { code: -1, message: 'The user rejected the sampling request.' },
          });
        else
          assert.deepEqual(
            [report.outcome.kind, report.parts],
            [
              'failed',
              [
                {
                  kind: 'text',
                  text: 'The call was not completed (inputRefused): The call ended without a result, because what the server asked for was refused: The user rejected the sampling request. Do not make it again unless the user asks for it.',
                },
              ],
            ],
          );
        assert.deepEqual(models.asked, []);
      });
    }

    test('a form beside it: rejecting the one takes the other back only where the call ends', async () => {
      const road = await start(fakeModels([small]), {}, era);
      const rounds = [{ q: modelQuestion('Hi'), form: formQuestion('Who?') }];
      const running = road.calls.invoke({
        caller: { kind: 'chat', label: 'model', turn: `turn ${(turns += 1)}` },
        target: { kind: 'tool', serverId: 's', toolName: 'ask' },
        arguments: { rounds },
      });
      const form = await next(road, 'form');
      await road.answer(await next(road, 'sampling'), { kind: 'decline' });
      if (era === 'modern') {
        assert.equal((await running).outcome.kind, 'failed');
        await waitFor('the form to be gone', () => road.queue.size === 0);
        return;
      }
      await road.answer(form, { kind: 'submit', content: { name: 'Ada' } });
      assert.match(JSON.stringify((await running).parts), /Ada/);
    });

    test('an answer that is withheld never reaches the server', async () => {
      const road = await start(fakeModels([small]), {}, era);
      const running = ask(road, modelQuestion('Hi'));
      await road.answer(await next(road, 'sampling'), sample('v/small'));
      await road.answer(await next(road, 'review'), { kind: 'withhold' });
      const text = JSON.stringify((await running).parts);
      assert.match(text, /withheld/);
      assert.ok(!text.includes('Hello'));
    });

    test('a model that fails: the person is told why, and the server only that it did', async () => {
      const leak = new Error('401: key sk-live-1 of kim@example.org; so far it said "Hel"');
      for (const mode of ['ask', 'allow'] as const) {
        const road = await start(fakeModels([small], leak), { sampling: () => ({ mode, perHour: 9 }) }, era);
        const running = ask(road, modelQuestion('Hi'));
        if (mode === 'ask') await road.answer(await next(road, 'sampling'), sample('v/small'));
        const text = JSON.stringify((await running).parts);
        assert.match(text, /The language model failed\./);
        assert.doesNotMatch(text, /sk-live|kim@|Hel"/);
        assert.deepEqual(road.told, [
          `The language model "Small" failed to answer the MCP server "s": ${leak.message}`,
        ]);
      }
    });

    test('a question that is too large to be shown: a clear error, the person is told, and no model is asked', async () => {
      const models = fakeModels([small]);
      const road = await start(models, {}, era);
      const messages = Array.from({ length: 10_001 }, () => ({
        role: 'user',
        content: { type: 'text', text: '' },
      }));
      const report = await ask(road, modelQuestion('', { messages }));
      assert.match(JSON.stringify(report.parts), /too large to be shown to the user/);
      assert.deepEqual(models.asked, []);
      assert.deepEqual(road.told, [
        'The MCP server "s" wants to ask a language model, but its question is too large to be shown.',
      ]);
    });

    test('a model that never ends, and does not heed that the call was cancelled', async () => {
      const models = fakeModels([small]);
      const asked = new Promise<void>((resolve) => {
        models.ask = () => {
          resolve();
          return new Promise(() => undefined);
        };
      });
      const road = await start(models, { sampling: () => ({ mode: 'allow', perHour: 9 }) }, era);
      const controller = new AbortController();
      const running = ask(road, modelQuestion('Hi'), controller.signal);
      await asked;
      controller.abort();
      assert.equal((await running).outcome.kind, 'cancelled');
      assert.deepEqual(road.told, []);
      await waitFor('the record that nobody answered', () =>
        road.events.some((event) => event.kind === 'inputAnswered' && event.by.kind === 'noAnswer'),
      );
    });

    test('models that went away after the start: a clear error for the server, and the person is told', async () => {
      const models = fakeModels([small]);
      const road = await start(models, {}, era);
      models.list = () => Promise.resolve([]);
      assert.match(
        JSON.stringify((await ask(road, modelQuestion('Hi'))).parts),
        /No language model is available/,
      );
      assert.deepEqual(road.told, [
        'The MCP server "s" wants to ask a language model, but none is available.',
      ]);
    });

    test('a picture, and no model that takes any: a clear error, and the person is told', async () => {
      const models = fakeModels([{ ...small, takesImages: false }]);
      const road = await start(models, {}, era);
      const report = await ask(road, modelQuestion('Hi', { messages: [picture(pixel)] }));
      assert.match(JSON.stringify(report.parts), /No language model that takes images is available/);
      assert.equal(road.told.length, 1);
      assert.deepEqual(models.asked, []);
    });

    test('a sound, which no model is known to take: a clear error, and nothing is sent', async () => {
      const models = fakeModels([small, large]);
      const road = await start(models, {}, era);
      const sound = { role: 'user', content: { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' } };
      const report = await ask(road, modelQuestion('Hi', { messages: [sound] }));
      assert.match(JSON.stringify(report.parts), /No language model that takes sounds is available/);
      assert.deepEqual([models.asked, road.told.length], [[], 1]);
    });

    test('a picture and a model that takes none beside one that does: only that one can be asked', async () => {
      const models = fakeModels([{ ...small, takesImages: false }, large]);
      const road = await start(models, {}, era);
      const running = ask(
        road,
        modelQuestion('Hi', {
          messages: [picture(pixel)],
          modelPreferences: { hints: [{ name: 'small' }] },
        }),
      );
      const card = await next(road, 'sampling');
      assert.deepEqual(
        [card.models, card.suggested],
        [
          [
            { id: 'v/large', label: 'Large' },
            { id: 'v/small', label: 'Small', lacks: 'does not take pictures' },
          ],
          0,
        ],
      );
      assert.deepEqual(card.messages, [
        { role: 'user', parts: [{ kind: 'image', mimeType: 'image/png', data: pixel }] },
      ]);
      await assert.rejects(road.answer(card, sample('v/small')), /invalid/);
      await road.answer(card, sample('v/large'));
      await road.answer(await next(road, 'review'), { kind: 'release' });
      assert.deepEqual(given(await running), hello);
      assert.deepEqual(
        models.asked.map(({ params }) => params['messages']),
        [[picture(pixel)]],
      );
    });

    test('a picture that would fill all memory is refused before anybody sees it', async () => {
      const models = fakeModels([small]);
      const road = await start(models, { sampling: () => ({ mode: 'allow', perHour: 9 }) }, era);
      const bomb = picture(png(30_000, 30_000).toString('base64'));
      const report = await ask(road, modelQuestion('Hi', { messages: [bomb] }));
      assert.match(JSON.stringify(report.parts), /30000 × 30000 pixels/);
      assert.deepEqual([models.asked, road.queue.size], [[], 0]);
    });

    test('off: not declared, so a server that asks all the same is refused without a prompt', async () => {
      const models = fakeModels([small]);
      const road = await start(models, { sampling: () => ({ mode: 'off', perHour: 20 }) }, era);
      assert.match(JSON.stringify((await ask(road, modelQuestion('Hi'))).parts), /did not declare/);
      assert.deepEqual([road.queue.size, models.asked.length], [0, 0]);
    });

    test('allow: no prompt up to the hourly limit, and beyond it both are shown', async () => {
      const models = fakeModels([small]);
      const road = await start(models, { sampling: () => ({ mode: 'allow', perHour: 2 }) }, era);
      for (let time = 0; time < 2; time += 1)
        assert.deepEqual(given(await ask(road, modelQuestion('Hi'))), hello);
      assert.equal(road.queue.size, 0);
      const third = ask(road, modelQuestion('Hi'));
      const card = await next(road, 'sampling');
      assert.equal(card.usage, '2 of 2 requests to models this hour');
      await road.answer(card, sample('v/small'));
      await road.answer(await next(road, 'review'), { kind: 'release' });
      assert.deepEqual(given(await third), hello);
      await road.audit.sync();
      assert.deepEqual(
        road.events.flatMap((event) => (event.kind === 'inputAnswered' ? [event.by.kind] : [])),
        ['rule', 'rule', 'person'],
      );
    });

    test('many at once do not slip past the hourly limit', async () => {
      const models = fakeModels([small]);
      const road = await start(models, { sampling: () => ({ mode: 'allow', perHour: 3 }) }, era);
      const running = Array.from({ length: 8 }, () => ask(road, modelQuestion('Hi')));
      await waitFor('five to be asked', () => road.queue.size === 5);
      assert.equal(models.asked.length, 3);
      for (const card of road.queue.pending) await road.answer(card, { kind: 'decline' });
      await Promise.all(running);
      assert.equal(models.asked.length, 3);
    });

    test('a call that is cancelled takes its question along', async () => {
      const models = fakeModels([small]);
      const road = await start(models, {}, era);
      const controller = new AbortController();
      const running = ask(road, modelQuestion('Hi'), controller.signal);
      await next(road, 'sampling');
      controller.abort();
      assert.equal((await running).outcome.kind, 'cancelled');
      await waitFor('the card to be gone', () => road.queue.size === 0);
      assert.deepEqual(models.asked, []);
    });
  });
}

test('a modern server is told with each request what can be honoured then', async () => {
  const models = fakeModels([small]);
  let mode: 'off' | 'ask' = 'ask';
  const road = await start(models, { sampling: () => ({ mode, perHour: 20 }) }, 'modern');
  const first = ask(road, modelQuestion('Hi'));
  await road.answer(await next(road, 'sampling'), { kind: 'decline' });
  await first;
  mode = 'off';
  assert.match(JSON.stringify((await ask(road, modelQuestion('Hi'))).parts), /did not declare/);
  mode = 'ask';
  models.available = false;
  assert.match(JSON.stringify((await ask(road, modelQuestion('Hi'))).parts), /did not declare/);
  models.available = true;
  const last = ask(road, modelQuestion('Hi'));
  await road.answer(await next(road, 'sampling'), { kind: 'decline' });
  await last;
});

/** What a server wishes for, and which of Small and Large is suggested. */
const wishes: readonly (readonly [string, JsonObject, string])[] = [
  ['nothing', {}, 'Small'],
  ['a hint by name', { hints: [{ name: 'large' }] }, 'Large'],
  ['a hint by family', { hints: [{ name: 'MAXI' }] }, 'Large'],
  [
    'the first hint that fits',
    { hints: [{ name: 'claude' }, { name: 'large' }, { name: 'small' }] },
    'Large',
  ],
  ['a hint before priorities', { hints: [{ name: 'small' }], intelligencePriority: 1 }, 'Small'],
  ['intelligence', { intelligencePriority: 0.9, speedPriority: 0.1 }, 'Large'],
  ['speed', { intelligencePriority: 0.1, speedPriority: 0.9 }, 'Small'],
  ['low cost', { intelligencePriority: 0.5, costPriority: 0.6 }, 'Small'],
  ['nonsense', { hints: 'large', intelligencePriority: 'high' }, 'Small'],
];
test('which model is suggested for what a server wishes; the person has the last word', async () => {
  const models = fakeModels([small, large]);
  const road = await start(models);
  for (const [name, modelPreferences, expected] of wishes) {
    const running = ask(road, modelQuestion('Hi', { modelPreferences }));
    const card = await next(road, 'sampling');
    assert.equal(card.models[card.suggested]?.label, expected, name);
    await assert.rejects(road.answer(card, sample('v/none')), /invalid/);
    await road.answer(card, { kind: 'decline' });
    await running;
  }
});

test('tools that the server lends: shown by name, and their uses are reviewed', async () => {
  const uses = [{ type: 'tool_use', id: '1', name: 'find', input: { q: 'x' } }];
  const answer = { role: 'assistant', content: uses, model: 'm', stopReason: 'toolUse' };
  const models = fakeModels([small, { ...large, takesTools: false }], answer);
  const road = await start(models);
  const tools = [{ name: 'find', description: 'Finds', inputSchema: { type: 'object' } }];
  const running = ask(road, modelQuestion('Hi', { tools, toolChoice: { mode: 'required' } }));
  const card = await next(road, 'sampling');
  assert.deepEqual(
    [card.tools, card.models],
    [
      ['find'],
      [
        { id: 'v/small', label: 'Small' },
        { id: 'v/large', label: 'Large', lacks: 'does not call tools' },
      ],
    ],
  );
  assert.ok(card.wishes.includes('Use of tools: required'));
  await road.answer(card, sample('v/small'));
  const review = await next(road, 'review');
  assert.deepEqual([review.editable, review.parts.map(({ kind }) => kind)], [false, ['other']]);
  await road.answer(review, { kind: 'release' });
  assert.deepEqual(given(await running), answer);
});

test('a malformed question is refused without a prompt', async () => {
  const road = await start(fakeModels([small]));
  for (const params of [
    { messages: [], maxTokens: 5 },
    { messages: [{ role: 'user', content: 'Hi' }] },
  ] as const) {
    const report = await ask(road, { method: 'sampling/createMessage', params });
    assert.match(JSON.stringify(given(report)), /-32602/);
  }
  assert.equal(road.queue.size, 0);
});
