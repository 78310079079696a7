import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { editedSampling, samplingNeeds, samplingView } from '../../../src/prompts/samplingView.ts';
import { toolModeOf } from '../../../src/prompts/samplingWishes.ts';
import { pixel, png } from '../../helpers/pictures.ts';
import { it } from '../../helpers/nodeTest.ts';

const text = (content: string) => ({ type: 'text', text: content });
const user = (content: unknown): JsonObject => ({ role: 'user', content: content as JsonObject });

const use = (...ids: readonly string[]): JsonObject => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool_use', id, name: 'find', input: {} })),
});
const image = (data: string, mimeType = 'image/png') => ({ type: 'image', data, mimeType });
const outcome = (toolUseId: string) => ({ type: 'tool_result', toolUseId, content: [text('found')] });

for (const { name, params } of [
  { name: 'no messages', params: { maxTokens: 1 } },
  { name: 'an empty list of messages', params: { messages: [], maxTokens: 1 } },
  { name: 'no bound', params: { messages: [user(text('a'))] } },
  { name: 'a bound of nothing', params: { messages: [user(text('a'))], maxTokens: 0 } },
  { name: 'a bound of less than one', params: { messages: [user(text('a'))], maxTokens: 0.5 } },
  { name: 'a bound without end', params: { messages: [user(text('a'))], maxTokens: Infinity } },
  { name: 'a bound that is no number', params: { messages: [user(text('a'))], maxTokens: '9' } },
  {
    name: 'a message of another role',
    params: { messages: [{ role: 'system', content: text('a') }], maxTokens: 1 },
  },
  { name: 'a message without content', params: { messages: [{ role: 'user' }], maxTokens: 1 } },
  { name: 'a message of plain text', params: { messages: [user('a')], maxTokens: 1 } },
  {
    name: 'a message with something that is no content',
    params: { messages: [user([text('a'), 'b'])], maxTokens: 1 },
  },
  { name: 'tools in no list', params: { messages: [user(text('a'))], maxTokens: 1, tools: {} } },
  { name: 'a tool without a name', params: { messages: [user(text('a'))], maxTokens: 1, tools: [{}] } },
  {
    name: 'a tool that the user uses',
    params: { messages: [{ ...use('x'), role: 'user' }, user([outcome('x')])], maxTokens: 1 },
  },
  {
    name: 'a picture that would fill all memory',
    params: { messages: [user(image(png(30_000, 30_000).toString('base64')))], maxTokens: 1 },
  },
  { name: 'a message that is none', params: { messages: ['a'], maxTokens: 1 } },
  { name: 'a use of a tool without its result', params: { messages: [use('x')], maxTokens: 1 } },
  { name: 'a result without a use', params: { messages: [user([outcome('x')])], maxTokens: 1 } },
  {
    name: 'a result of another use',
    params: { messages: [use('x'), user([outcome('y')])], maxTokens: 1 },
  },
  {
    name: 'one result for two uses',
    params: { messages: [use('x', 'y'), user([outcome('x')])], maxTokens: 1 },
  },
  {
    name: 'a result that hides a picture in another result',
    params: {
      messages: [
        use('x'),
        user([
          { type: 'tool_result', toolUseId: 'x', content: [{ ...outcome('x'), content: [image(pixel)] }] },
        ]),
      ],
      maxTokens: 1,
    },
  },
  {
    name: 'a result that holds a use',
    params: {
      messages: [use('x'), user([{ ...outcome('x'), content: [{ type: 'tool_use', id: 'y' }] }])],
      maxTokens: 1,
    },
  },
  {
    name: 'a result mixed with other content',
    params: { messages: [use('x'), user([outcome('x'), text('and')])], maxTokens: 1 },
  },
] satisfies readonly { readonly name: string; readonly params: JsonObject }[]) {
  it(`${name} is malformed`, () => {
    assert.equal(samplingView(params).kind, 'malformed');
  });
}

it('everything that a server may ask for is shown', () => {
  const params: JsonObject = {
    systemPrompt: 'S',
    maxTokens: 9,
    temperature: 0.5,
    stopSequences: ['END', '\n'],
    includeContext: 'allServers',
    modelPreferences: {
      hints: [{ name: 'a' }, {}],
      costPriority: 0,
      speedPriority: 1,
      intelligencePriority: 0.5,
    },
    metadata: { secretOption: 1 },
    tools: [{ name: 'find' }, { name: 'seek' }],
    toolChoice: { mode: 'required' },
    messages: [
      user(text('one')),
      {
        role: 'assistant',
        content: [text('two'), { type: 'tool_use', id: 'x', name: 'find', input: { q: 1 } }],
      },
      user([{ type: 'tool_result', toolUseId: 'x', content: [text('three'), image(pixel)] }]),
      user(image(pixel)),
      user({ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }),
      user({ type: 'video' }),
    ],
  };
  assert.deepEqual(samplingView(params), {
    kind: 'view',
    view: {
      systemPrompt: 'S',
      maxTokens: 9,
      tools: ['find', 'seek'],
      toolText: JSON.stringify([{ name: 'find' }, { name: 'seek' }], undefined, 2),
      wishes: [
        'Models: a',
        'Low cost: 0 of 1',
        'Speed: 1 of 1',
        'Capability: 0.5 of 1',
        'Temperature: 0.5, if the model knows one',
        'Stop at: "END", "\\n"',
      ],
      notPassedOn: [
        'use of tools: required',
        'context of other calls (allServers)',
        'options for one kind of model (secretOption)',
      ],
      messages: [
        { role: 'user', parts: [{ kind: 'text', text: 'one' }] },
        {
          role: 'assistant',
          parts: [
            { kind: 'text', text: 'two' },
            {
              kind: 'other',
              label: 'Use of the tool find',
              text: JSON.stringify(
                { type: 'tool_use', id: 'x', name: 'find', input: { q: 1 } },
                undefined,
                2,
              ),
            },
          ],
        },
        {
          role: 'user',
          parts: [
            {
              kind: 'other',
              label: 'Result of a tool',
              text: JSON.stringify(
                {
                  type: 'tool_result',
                  toolUseId: 'x',
                  content: [text('three'), image(`[${pixel.length} characters]`)],
                },
                undefined,
                2,
              ),
              pictures: [{ mimeType: 'image/png', data: pixel }],
            },
          ],
        },
        { role: 'user', parts: [{ kind: 'image', mimeType: 'image/png', data: pixel }] },
        { role: 'user', parts: [{ kind: 'other', label: 'Audio, 3 bytes' }] },
        {
          role: 'user',
          parts: [
            {
              kind: 'other',
              label: 'Part of type "video"',
              text: JSON.stringify({ type: 'video' }, undefined, 2),
            },
          ],
        },
      ],
    },
  });
});

it('a person changes texts and the instructions, and nothing else', () => {
  const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
  const params: JsonObject = {
    messages: [user(text('a')), user([text('b'), image])],
    maxTokens: 1,
    metadata: { kept: true },
  };
  const edits = [
    { message: 0, part: 0, text: 'A' },
    { message: 1, part: 0, text: 'B' },
    { message: 1, part: 1, text: 'no picture any more' },
    { message: 5, part: 0, text: 'nowhere' },
    { message: 0, part: 7, text: 'nowhere' },
  ];
  assert.deepEqual(editedSampling(params, 'Be brief.', edits), {
    messages: [user(text('A')), user([text('B'), image])],
    maxTokens: 1,
    metadata: { kept: true },
    systemPrompt: 'Be brief.',
  });
  assert.deepEqual(editedSampling(params, undefined, []), params);
});

for (const [name, params, expected] of [
  ['only text', { messages: [user(text('a'))] }, [false, false, 'auto']],
  ['a sound', { messages: [user({ type: 'audio', data: 'AA' })] }, [false, false, 'auto', true]],
  [
    'a sound in the result of a tool',
    { messages: [user([{ type: 'tool_result', toolUseId: 'x', content: [{ type: 'audio' }] }])] },
    [false, false, 'auto', true],
  ],
  [
    'a picture',
    { messages: [user({ type: 'image', data: 'AA', mimeType: 'image/png' })] },
    [true, false, 'auto'],
  ],
  [
    'a picture in the result of a tool',
    { messages: [user([{ type: 'tool_result', toolUseId: 'x', content: [{ type: 'image' }] }])] },
    [true, false, 'auto'],
  ],
  ['tools', { messages: [], tools: [{ name: 'find' }] }, [false, true, 'auto']],
  [
    'a tool that has to be used',
    { messages: [], tools: [{ name: 'find' }], toolChoice: { mode: 'required' } },
    [false, true, 'required'],
  ],
  [
    'tools that may not be used',
    { messages: [], tools: [{ name: 'find' }], toolChoice: { mode: 'none' } },
    [false, false, 'none'],
  ],
  ['a mode that nobody knows', { messages: [], toolChoice: { mode: 'maybe' } }, [false, false, 'auto']],
  ['no tools in a list', { messages: [], tools: [] }, [false, false, 'auto']],
] satisfies readonly (readonly [string, JsonObject, readonly unknown[]])[]) {
  it(`${name}: what a model has to be able to do`, () => {
    const { images, tools, sounds } = samplingNeeds(params);
    const [, , , hasSounds = false] = expected;
    assert.deepEqual([images, tools, toolModeOf(params), sounds], [...expected.slice(0, 3), hasSounds]);
  });
}
