// What a server's question for a model becomes in the editor's own interface, as the model's provider sees it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { errorMessage } from '../../../src/base/errors.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import { LanguageModels } from '../../../src/vscode/languageModels.ts';
import { pixel } from '../../helpers/pictures.ts';
import type { DemoModelApi, SeenRequest } from '../../fixtures/demo-model/extension.ts';

const demo = 'countersign-demo/demo';
const user = (content: JsonObject | readonly JsonObject[]): JsonObject => ({ role: 'user', content });
const text = (words: string): JsonObject => ({ type: 'text', text: words });
const find: JsonObject = { name: 'find', description: 'Finds', inputSchema: { type: 'object' } };

describe('sampling through the language models of the editor', () => {
  let models: LanguageModels;
  let seen: readonly SeenRequest[];
  before(async () => {
    models = new LanguageModels();
    await models.settled();
    const extension = vscode.extensions.getExtension<DemoModelApi>('countersign-demo.demo-model');
    seen = (await extension?.activate())?.requests ?? [];
  });
  after(() => models.dispose());

  const ask = async (
    params: JsonObject,
  ): Promise<{ readonly result: JsonObject; readonly request: SeenRequest }> => {
    const result = await models.ask(demo, { maxTokens: 1000, ...params }, new AbortController().signal);
    const request = seen.at(-1);
    assert.ok(request);
    return { result, request };
  };
  const partsOf = ({ messages }: SeenRequest): unknown[] =>
    messages.map(({ role, content }) => [
      role === vscode.LanguageModelChatMessageRole.User ? 'user' : 'assistant',
      ...content.map((part) => {
        if (part instanceof vscode.LanguageModelTextPart) return part.value;
        if (part instanceof vscode.LanguageModelToolCallPart)
          return ['use', part.callId, part.name, part.input];
        if (part instanceof vscode.LanguageModelToolResultPart)
          return [
            'result',
            part.callId,
            part.content.map((inner) => (inner as vscode.LanguageModelTextPart).value),
          ];
        const { mimeType, data } = part as { readonly mimeType: string; readonly data: Uint8Array };
        return [mimeType, Buffer.from(data).toString('base64')];
      }),
    ]);

  it('what models are there, and what they take', async () => {
    assert.equal(models.available, true);
    const own = (await models.list()).find(({ id }) => id === demo);
    assert.deepEqual(own, {
      id: demo,
      label: 'Demo Model',
      names: ['demo', 'Demo Model', 'demo', 'countersign-demo'],
      maxInputTokens: 1_000_000,
      takesImages: false,
      takesTools: true,
    });
  });

  it('texts, pictures and instructions', async () => {
    const picture = { type: 'image', data: pixel, mimeType: 'image/png' };
    const { result, request } = await ask({
      systemPrompt: 'Be brief.',
      messages: [
        user([text('What is this?'), picture]),
        { role: 'assistant', content: [text('A dot.'), picture] },
        user(text('hello')),
      ],
    });
    assert.deepEqual(partsOf(request), [
      ['user', 'Be brief.'],
      ['user', 'What is this?', ['image/png', pixel]],
      ['assistant', 'A dot.', ['image/png', pixel]],
      ['user', 'hello'],
    ]);
    assert.deepEqual(
      [result['role'], result['model'], result['stopReason']],
      ['assistant', 'demo', 'endTurn'],
    );
    assert.match(JSON.stringify(result['content']), /scripted demo model/);
  });

  it('a temperature reaches the model, and nothing else that a server could set for it', async () => {
    const messages = [user(text('hello'))];
    const warm = await ask({ messages, temperature: 0.7, metadata: { n: 3 }, stopSequences: ['nowhere'] });
    assert.deepEqual(warm.request.options.modelOptions, { temperature: 0.7 });
    const hot = await ask({ messages, temperature: 70 });
    assert.deepEqual(hot.request.options.modelOptions ?? {}, {});
  });

  it('an answer ends at a stop sequence, and at its bound', async () => {
    const stopped = await ask({ messages: [user(text('hello'))], stopSequences: ['demo model'] });
    assert.deepEqual(
      [stopped.result['content'], stopped.result['stopReason']],
      [text('I am a scripted '), 'stopSequence'],
    );
    const bounded = await ask({ messages: [user(text('hello'))], maxTokens: 3 });
    assert.equal(bounded.result['stopReason'], 'maxTokens');
    assert.ok(JSON.stringify(bounded.result['content']).length < 60);
  });

  for (const [mode, tools, expected] of [
    ['auto', [find], ['find', vscode.LanguageModelChatToolMode.Auto]],
    ['required', [find], ['find', vscode.LanguageModelChatToolMode.Required]],
    ['required', [find, { ...find, name: 'seek' }], ['find,seek', vscode.LanguageModelChatToolMode.Auto]],
    ['none', [find], ['', vscode.LanguageModelChatToolMode.Auto]],
  ] as const) {
    it(`${tools.length} tools, ${mode}`, async () => {
      const { request } = await ask({ messages: [user(text('hello'))], tools, toolChoice: { mode } });
      const { options } = request;
      assert.deepEqual([(options.tools ?? []).map(({ name }) => name).join(), options.toolMode], expected);
    });
  }

  it('uses of tools and their results, there and back', async () => {
    const asked = user(text('use find {"q": 1}'));
    const { result } = await ask({ messages: [asked], tools: [find] });
    const content = result['content'] as readonly { readonly id: string }[];
    const id = content[0]?.id ?? '';
    assert.deepEqual(
      [content, result['stopReason']],
      [[{ type: 'tool_use', id, name: 'find', input: { q: 1 } }], 'toolUse'],
    );
    const outcome = { type: 'tool_result', toolUseId: id, content: [text('found')] };
    const messages = [asked, { role: 'assistant', content: result['content'] ?? null }, user([outcome])];
    const next = await ask({ messages, tools: [find] });
    assert.deepEqual(partsOf(next.request), [
      ['user', 'use find {"q": 1}'],
      ['assistant', ['use', id, 'find', { q: 1 }]],
      ['user', ['result', id, ['found']]],
    ]);
    assert.match(JSON.stringify(next.result['content']), /The tools answered:.*found/);
  });

  it('a model that fails, one that is gone, and a question that is taken back', async () => {
    await assert.rejects(ask({ messages: [user(text('fail on purpose'))] }), /on purpose/);
    const broken = { type: 'image', data: 'AAEC', mimeType: 'image/png' };
    await assert.rejects(
      ask({ messages: [user(broken)] }),
      (error) => errorMessage(error) !== '[object Object]',
    );
    await assert.rejects(
      models.ask('countersign-demo/none', { messages: [] }, new AbortController().signal),
      /no longer there/,
    );
  });
});
