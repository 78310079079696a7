import assert from 'node:assert/strict';
import { HostError, RpcError } from '../../../src/base/errors.ts';
import type { CheckedBlock, CheckedResult } from '../../../src/tools/checkResult.ts';
import { readResult } from '../../../src/tools/hostTools.ts';
import { DEFAULT_RESULT_LIMITS, failureForModel, resultForModel } from '../../../src/tools/resultForModel.ts';
import { ResultStore } from '../../../src/tools/resultStore.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

function result(blocks: readonly CheckedBlock[], rest: Partial<CheckedResult> = {}): CheckedResult {
  return { isError: false, blocks, structured: { kind: 'absent' }, ...rest };
}

async function textOf(checked: CheckedResult): Promise<string> {
  const { parts } = await resultForModel(checked, new ResultStore(), 'me');
  return parts.map((part) => (part.kind === 'text' ? part.text : `<${part.mimeType}>`)).join('|');
}

const data = new Uint8Array([1, 2, 3]);

const rows: readonly (readonly [title: string, result: CheckedResult, expected: string])[] = [
  ['nothing', result([]), '[The tool returned nothing.]'],
  [
    'texts',
    result([
      { kind: 'text', text: 'a' },
      { kind: 'text', text: 'b' },
    ]),
    'a\n\nb',
  ],
  ['an image', result([{ kind: 'media', media: 'image', mimeType: 'image/png', data }]), '<image/png>'],
  [
    'a sound',
    result([{ kind: 'media', media: 'audio', mimeType: 'audio/wav', data }]),
    '[audio audio/wav, 3 bytes, shown to the user only]',
  ],
  [
    'a picture that nothing confirms',
    result([{ kind: 'media', media: 'image', mimeType: 'image/png', data, isUnchecked: true }]),
    '[image image/png, 3 bytes, of a type that cannot be checked, kept for the user only]',
  ],
  [
    'a large image',
    result([{ kind: 'media', media: 'image', mimeType: 'image/png', data: new Uint8Array(6 * 1024 * 1024) }]),
    '[image image/png, 6291456 bytes, shown to the user only]',
  ],
  [
    'a broken attachment is never text',
    result([{ kind: 'broken', claimedType: 'image/png', reason: 'It is not valid base64.', size: 9 }]),
    '[A broken attachment, image/png: It is not valid base64.]',
  ],
  [
    'a link',
    result([
      {
        kind: 'link',
        link: {
          type: 'resource_link',
          uri: 'file:///a',
          name: 'a',
          description: 'the a',
          mimeType: 'text/x',
        },
      },
    ]),
    '[Resource "a": file:///a, text/x, the a]',
  ],
  [
    'resources',
    result([
      { kind: 'resourceText', uri: 'file:///a', text: 'inside', annotations: { lastModified: '2026-01-01' } },
      { kind: 'resourceBlob', uri: 'file:///b', mimeType: 'application/zip', data },
    ]),
    '[Content of file:///a, last modified 2026-01-01]\ninside\n\n[Content of file:///b, application/zip, 3 bytes, not text]',
  ],
  [
    'an unknown type',
    result([{ kind: 'unknown', claimedType: 'video', raw: { x: 1 } }]),
    '[Content of the unknown type "video"]\n{"x":1}',
  ],
  [
    'an unknown type with much data',
    result([{ kind: 'unknown', claimedType: 'video', raw: { data: 'A'.repeat(5000), x: 1 } }]),
    '[Content of the unknown type "video"]\n{"data":"[5000 characters, kept for the user only]","x":1}',
  ],
  [
    'what is for the user only',
    result([
      { kind: 'text', text: 'secret', annotations: { audience: ['user'] } },
      { kind: 'text', text: 'both', annotations: { audience: ['user', 'assistant'] } },
    ]),
    'both\n\n[1 part(s) of the result are meant for the user only.]',
  ],
  [
    'an error',
    result([{ kind: 'text', text: 'no' }], { isError: true }),
    '[The tool reports an error.]\n\nno',
  ],
  [
    'structured content beside other text',
    result([{ kind: 'text', text: 'a' }], { structured: { kind: 'valid', value: { n: 1 } } }),
    'a\n\nStructured content:\n{"n":1}',
  ],
  [
    'structured content that the text repeats',
    result([{ kind: 'text', text: '{"n": 1}' }], {
      structured: { kind: 'valid', value: { n: 1 } },
      structuredTextIndex: 0,
    }),
    '{"n": 1}',
  ],
  [
    'structured content that only text for the user repeats',
    result([{ kind: 'text', text: '{"n":1}', annotations: { audience: ['user'] } }], {
      structured: { kind: 'valid', value: { n: 1 } },
      structuredTextIndex: 0,
    }),
    'Structured content:\n{"n":1}\n\n[1 part(s) of the result are meant for the user only.]',
  ],
  [
    'a failed check, with what came',
    result([], {
      structured: {
        kind: 'invalid',
        value: { n: 'x' },
        problems: [{ path: 'n', message: 'must be an integer' }],
      },
    }),
    '[Failed check: the structured content is not what the tool promises:\nn must be an integer\nWhat came follows.]\n\nStructured content:\n{"n":"x"}',
  ],
  [
    'a promise that was not kept',
    result([{ kind: 'text', text: 'a' }], { structured: { kind: 'missing' } }),
    '[Failed check: the tool promises structured content, and none came. What came follows.]\n\na',
  ],
  ['halves of surrogate pairs', result([{ kind: 'text', text: 'a\ud83d' }]), 'a\ufffd'],
];

describe('resultForModel', () => {
  for (const [title, checked, expected] of rows) {
    it(title, async () => assert.equal(await textOf(checked), expected));
  }

  it('cuts what is too long, states the sizes, and lets the model read the rest', async () => {
    const store = new ResultStore();
    const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index} ü😀`).join('\n');
    const model = await resultForModel(result([{ kind: 'text', text: lines }]), store, 'me');
    const [part] = model.parts;
    assert.ok(part?.kind === 'text' && model.cut !== undefined);
    const { id, shown, total } = model.cut;
    assert.equal(total, lines.length);
    assert.ok(Buffer.byteLength(lines.slice(0, shown)) <= DEFAULT_RESULT_LIMITS.textBytes);
    assert.equal(
      part.text,
      `${lines.slice(0, shown)}\n[Cut: characters ${shown} to ${total} of ${total} are left out here. Read them with read_result {"id":"${id}","start":${shown}}.]`,
    );
    let read = lines.slice(0, shown);
    while (read.length < total) {
      const piece = store.read('me', id, read.length, 5001);
      assert.ok(piece.kind === 'piece' && piece.text.isWellFormed());
      read += piece.text;
    }
    assert.equal(read, lines);
  });

  it('gives the room to what has the highest priority', async () => {
    const long = 'x'.repeat(3000);
    const blocks: CheckedBlock[] = [
      { kind: 'text', text: long, annotations: { priority: 0.1 } },
      { kind: 'text', text: 'important', annotations: { priority: 1 } },
      { kind: 'text', text: 'as usual' },
    ];
    const limits = { ...DEFAULT_RESULT_LIMITS, textBytes: 1000 };
    const model = await resultForModel(result(blocks), new ResultStore(), 'me', limits);
    const [part] = model.parts;
    assert.ok(part?.kind === 'text' && model.cut !== undefined);
    const { id, total } = model.cut;
    const kept = part.text.indexOf('\n');
    assert.equal(
      part.text,
      `${'x'.repeat(kept)}\n[Cut: characters ${kept} to 3002 of ${total} are left out here. Read them with read_result {"id":"${id}","start":${kept}}.]\n\nimportant\n\nas usual`,
    );
  });
});

describe('ResultStore', () => {
  it('gives a result to its owner only', () => {
    const store = new ResultStore();
    const id = store.put('me', 'text');
    assert.deepEqual(
      [store.full('me', id), store.full('you', id), store.read('you', id, 0, 10)],
      ['text', undefined, { kind: 'unknown' }],
    );
    store.forget('me');
    assert.equal(store.full('me', id), undefined);
  });

  it('lets the oldest go when it is full, but never the newest', () => {
    const store = new ResultStore(10);
    const ids = ['12345', '12345', '123', '12345678901234567890'].map((text) => store.put('me', text));
    assert.deepEqual(
      ids.map((id) => store.full('me', id)?.length),
      [undefined, undefined, undefined, 20],
    );
  });

  const pieces: readonly (readonly [start: number, length: number, text: string])[] = [
    [0, 2, 'a'],
    [0, 3, 'a😀'],
    [1, 1, '😀'],
    [2, 1, '😀'],
    [3, 100, 'b'],
    [4, 1, ''],
    [-5, 1, 'a'],
    [1000, 1, ''],
  ];
  for (const [start, length, text] of pieces) {
    it(`reads ${length} from ${start} without splitting a character`, () => {
      const store = new ResultStore();
      const piece = store.read('me', store.put('me', 'a😀b'), start, length);
      assert.equal(piece.kind === 'piece' ? piece.text : undefined, text);
    });
  }
});

describe('read_result', () => {
  it('gives no more bytes than a model may get at once, and everything in the end', () => {
    const text = '漢字😀ab'.repeat(500);
    const store = new ResultStore();
    const id = store.put('me', text);
    let whole = '';
    for (let start = 0; start < text.length; start = whole.length) {
      const [part] = readResult(store, 'me', { id, start }, { bytes: 1000 }).parts;
      const piece = part?.kind === 'text' ? part.text.slice(0, part.text.lastIndexOf('\n\n[Characters')) : '';
      assert.ok(piece !== '' && Buffer.byteLength(piece) <= 1000);
      whole += piece;
    }
    assert.equal(whole, text);
  });

  it('reads on, and says where the end is', () => {
    const store = new ResultStore();
    const id = store.put('me', 'abcdef');
    const texts = [{ id, length: 4 }, { id, start: 4 }, { id, start: 'x' }, { id: 'other' }, {}, null].map(
      (input) => {
        const { isError, parts } = readResult(store, 'me', input, { characters: 5 });
        return `${isError ? 'error ' : ''}${parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')}`;
      },
    );
    assert.deepEqual(texts, [
      `abcd\n\n[Characters 0 to 4 of 6. The rest: read_result {"id":"${id}","start":4}.]`,
      'ef\n\n[Characters 4 to 6 of 6. This is the end.]',
      `abcde\n\n[Characters 0 to 5 of 6. The rest: read_result {"id":"${id}","start":5}.]`,
      'error There is no result "other" any more. Call the tool again.',
      'error "id" must be the id that the cut result names.',
      'error "id" must be the id that the cut result names.',
    ]);
  });
});

describe('failureForModel', () => {
  const rows: readonly (readonly [error: unknown, text: string])[] = [
    [
      new RpcError(-32602, 'Unknown tool'),
      'The server answered with the protocol error -32602: Unknown tool',
    ],
    [new HostError('timeout', 'Too late.'), 'The call was not completed (timeout): Too late.'],
    [new Error('x'), 'The call was not completed: x'],
  ];
  for (const [error, text] of rows) {
    it(text, () =>
      assert.deepEqual(failureForModel(error), { isError: true, parts: [{ kind: 'text', text }] }),
    );
  }
});
