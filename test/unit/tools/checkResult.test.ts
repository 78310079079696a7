import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import type { CallToolResult, ContentBlock } from '../../../src/protocol/model.ts';
import { readCallToolResult } from '../../../src/protocol/wire/results.ts';
import { decodeBase64 } from '../../../src/tools/base64.ts';
import { checkBlock, checkResult } from '../../../src/tools/checkResult.ts';
import { checkMediaType } from '../../../src/tools/mediaType.ts';
import { SchemaChecker } from '../../../src/tools/schemaChecker.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

/** The first bytes of files of every type that is known. */
const files: Readonly<Record<string, Buffer>> = {
  'image/png': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  'image/jpeg': Buffer.from('ffd8ffe000104a464946', 'hex'),
  'image/gif': Buffer.from('GIF89a....'),
  'image/webp': Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1'),
  'image/bmp': Buffer.from('BM\x10\0\0\0', 'latin1'),
  'image/tiff': Buffer.from('II*\0\x08\0', 'latin1'),
  'image/x-icon': Buffer.from('\0\0\x01\0\x01\0', 'latin1'),
  'image/avif': Buffer.from('\0\0\0\x1cftypavif\0\0\0\0', 'latin1'),
  'image/heic': Buffer.from('\0\0\0\x1cftypheic\0\0\0\0', 'latin1'),
  'image/svg+xml': Buffer.from('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>'),
  'audio/wav': Buffer.from('RIFF\x10\0\0\0WAVEfmt ', 'latin1'),
  'audio/mpeg': Buffer.from('ID3\x04\0\0', 'latin1'),
  'audio/aac': Buffer.from([0xff, 0xf1, 0x50, 0x80]),
  'audio/ogg': Buffer.from('OggS\0\x02', 'latin1'),
  'audio/flac': Buffer.from('fLaC\0\0', 'latin1'),
  'audio/mp4': Buffer.from('\0\0\0\x1cftypM4A \0\0\0\0', 'latin1'),
  'audio/webm': Buffer.from('1a45dfa39f428681', 'hex'),
  'audio/aiff': Buffer.from('FORM\0\0\0\x10AIFF', 'latin1'),
  'audio/midi': Buffer.from('MThd\0\0', 'latin1'),
  'application/pdf': Buffer.from('%PDF-1.7\n'),
  'application/zip': Buffer.from('PK\x03\x04\x14\0', 'latin1'),
};

describe('checkMediaType', () => {
  for (const [type, bytes] of Object.entries(files)) {
    it(`knows ${type} and nothing else by it`, () => {
      assert.deepEqual(checkMediaType(type, bytes), { kind: 'right' });
      assert.deepEqual(checkMediaType(`${type.toUpperCase()}; charset=x`, bytes), { kind: 'right' });
      const other = type === 'image/png' ? 'image/gif' : 'image/png';
      assert.equal(checkMediaType(other, bytes).kind, 'wrong');
    });
  }

  const rows: readonly (readonly [
    claimed: string,
    bytes: Buffer,
    expected: ReturnType<typeof checkMediaType>,
  ])[] = [
    ['audio/mp3', Buffer.from([0xff, 0xfb, 0x90, 0x64]), { kind: 'right' }],
    ['image/jpg', files['image/jpeg'] ?? Buffer.alloc(0), { kind: 'right' }],
    [
      'image/png',
      Buffer.from('<html>'),
      { kind: 'wrong', reason: 'It says image/png, but its bytes are of no type that is known.' },
    ],
    [
      'image/png',
      files['image/jpeg'] ?? Buffer.alloc(0),
      { kind: 'wrong', reason: 'It says image/png, but its bytes are image/jpeg.' },
    ],
    [
      'image/x-new',
      files['image/png'] ?? Buffer.alloc(0),
      { kind: 'wrong', reason: 'It says image/x-new, but its bytes are image/png.' },
    ],
    ['image/x-new', Buffer.from('new'), { kind: 'unchecked' }],
    ['audio/pcm', Buffer.from('BM'), { kind: 'unchecked' }],
    ['audio/basic', Buffer.from('1f8b0000', 'hex'), { kind: 'unchecked' }],
    [
      'audio/wav',
      Buffer.from('BM'),
      { kind: 'wrong', reason: 'It says audio/wav, but its bytes are image/bmp.' },
    ],
    ['text/csv', Buffer.from('a,b'), { kind: 'unchecked' }],
    [
      'image/png',
      Buffer.alloc(0),
      { kind: 'wrong', reason: 'It says image/png, but its bytes are of no type that is known.' },
    ],
    ['', Buffer.from('x'), { kind: 'unchecked' }],
  ];
  for (const [claimed, bytes, expected] of rows) {
    it(`${claimed} of ${bytes.subarray(0, 6).toString('hex')}`, () => {
      assert.deepEqual(checkMediaType(claimed, bytes), expected);
    });
  }
});

describe('decodeBase64', () => {
  const rows: readonly (readonly [text: string, expected: string | undefined])[] = [
    ['aGVsbG8=', 'hello'],
    ['aGVsbG8', 'hello'],
    ['aGVs\r\nbG8=\n', 'hello'],
    ['_-A', '\xff\xe0'],
    ['', undefined],
    ['a', undefined],
    ['aGVsb!G8=', undefined],
    ['hello world, this is text', undefined],
    ['data:image/png;base64,aGVsbG8=', undefined],
    ['====', undefined],
  ];
  for (const [text, expected] of rows) {
    it(JSON.stringify(text), () => {
      const found = decodeBase64(text);
      assert.equal(
        found.kind === 'decoded' ? Buffer.from(found.bytes).toString('latin1') : undefined,
        expected,
      );
    });
  }
});

const png = files['image/png'] ?? Buffer.alloc(0);
const annotations = { audience: ['user' as const], priority: 0.9, lastModified: '2026-07-28T00:00:00Z' };

describe('checkBlock', () => {
  const rows: readonly (readonly [title: string, block: ContentBlock, expected: unknown])[] = [
    ['text', { type: 'text', text: 'x', annotations }, { kind: 'text', text: 'x', annotations }],
    [
      'an image',
      { type: 'image', mimeType: 'IMAGE/PNG', data: png.toString('base64'), annotations },
      { kind: 'media', media: 'image', mimeType: 'image/png', data: png, annotations },
    ],
    [
      'text that calls itself an image',
      { type: 'image', mimeType: 'image/png', data: 'not base64!' },
      { kind: 'broken', claimedType: 'image/png', reason: 'It is not valid base64.', size: 11 },
    ],
    [
      'an image that calls itself sound',
      { type: 'audio', mimeType: 'audio/wav', data: png.toString('base64') },
      {
        kind: 'broken',
        claimedType: 'audio/wav',
        reason: 'It says audio/wav, but its bytes are image/png.',
        size: 24,
      },
    ],
    [
      'an image of a type that cannot be checked',
      { type: 'image', mimeType: 'image/x-new', data: 'aGVsbG8=', annotations },
      {
        kind: 'media',
        media: 'image',
        mimeType: 'image/x-new',
        data: Buffer.from('hello'),
        isUnchecked: true,
        annotations,
      },
    ],
    [
      'raw samples, which have no signature',
      { type: 'audio', mimeType: 'audio/L16;rate=16000', data: '//sAAQ==' },
      {
        kind: 'media',
        media: 'audio',
        mimeType: 'audio/l16',
        data: Buffer.from('fffb0001', 'hex'),
        isUnchecked: true,
      },
    ],
    [
      'a picture that calls itself raw samples',
      { type: 'audio', mimeType: 'audio/pcm', data: png.toString('base64') },
      {
        kind: 'broken',
        claimedType: 'audio/pcm',
        reason: 'It says audio/pcm, but its bytes are image/png.',
        size: 24,
      },
    ],
    [
      'an image with a type of something else',
      { type: 'image', mimeType: 'text/html', data: 'aGVsbG8=' },
      {
        kind: 'broken',
        claimedType: 'text/html',
        reason: 'It is sent as image, but its type is "text/html".',
        size: 8,
      },
    ],
    [
      'a resource with text',
      { type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/x', text: 'x' } },
      { kind: 'resourceText', uri: 'file:///a', mimeType: 'text/x', text: 'x' },
    ],
    [
      'a resource with bytes',
      { type: 'resource', resource: { uri: 'file:///a', blob: 'aGVsbG8=' } },
      {
        kind: 'resourceBlob',
        uri: 'file:///a',
        mimeType: 'application/octet-stream',
        data: Buffer.from('hello'),
      },
    ],
    [
      'a resource without a type, whose bytes tell it',
      { type: 'resource', resource: { uri: 'file:///a', blob: 'JVBERi0xLjc=' } },
      {
        kind: 'resourceBlob',
        uri: 'file:///a',
        mimeType: 'application/pdf',
        data: Buffer.from('%PDF-1.7'),
      },
    ],
    [
      'an empty resource',
      { type: 'resource', resource: { uri: 'file:///a', blob: '' } },
      {
        kind: 'resourceBlob',
        uri: 'file:///a',
        mimeType: 'application/octet-stream',
        data: new Uint8Array(),
      },
    ],
    [
      'a resource with wrong bytes',
      { type: 'resource', resource: { uri: 'file:///a', mimeType: 'application/pdf', blob: 'aGVsbG8=' } },
      {
        kind: 'broken',
        claimedType: 'application/pdf',
        reason: 'It says application/pdf, but its bytes are of no type that is known.',
        size: 8,
        uri: 'file:///a',
      },
    ],
    [
      'a link',
      { type: 'resource_link', uri: 'file:///a', name: 'a' },
      { kind: 'link', link: { type: 'resource_link', uri: 'file:///a', name: 'a' } },
    ],
    [
      'what nobody knows',
      { type: 'unknown', claimedType: 'video', raw: { type: 'video', x: 1 } },
      { kind: 'unknown', claimedType: 'video', raw: { type: 'video', x: 1 } },
    ],
  ];
  for (const [title, block, expected] of rows) it(title, () => assert.deepEqual(checkBlock(block), expected));
});

describe('checkResult: structured content', () => {
  const outputSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
  const text = (value: string): ContentBlock => ({ type: 'text', text: value });
  const rows: readonly (readonly [
    title: string,
    outputSchema: JsonObject | undefined,
    result: CallToolResult,
    structured: unknown,
    writtenOut?: number,
  ])[] = [
    ['none promised, none came', undefined, { content: [], isError: false }, { kind: 'absent' }],
    [
      'none promised, some came',
      undefined,
      { content: [], structuredContent: [1], isError: false },
      { kind: 'unpromised', value: [1] },
    ],
    [
      'promised and right',
      outputSchema,
      { content: [], structuredContent: { n: 1 }, isError: false },
      { kind: 'valid', value: { n: 1 } },
    ],
    ['promised and missing', outputSchema, { content: [text('x')], isError: false }, { kind: 'missing' }],
    [
      'promised and wrong',
      outputSchema,
      { content: [], structuredContent: { n: 'x' }, isError: false },
      {
        kind: 'invalid',
        value: { n: 'x' },
        problems: [
          { path: 'n', message: 'must be an integer, but is a string ("x")', wish: 'must be an integer' },
        ],
      },
    ],
    [
      'null for any schema',
      {},
      { content: [], structuredContent: null, isError: false },
      { kind: 'valid', value: null },
    ],
    [
      'an error need not keep the promise',
      outputSchema,
      { content: [text('x')], isError: true },
      { kind: 'absent' },
    ],
    [
      'an error with something else',
      outputSchema,
      { content: [], structuredContent: 'x', isError: true },
      { kind: 'unpromised', value: 'x' },
    ],
    [
      'a schema that cannot be used',
      { $schema: 'https://example.com/x' },
      { content: [], structuredContent: 1, isError: false },
      { kind: 'unchecked', value: 1, reason: 'The dialect "https://example.com/x" is not supported.' },
    ],
    [
      'written out as text',
      outputSchema,
      { content: [text('first'), text('{"n":1}')], structuredContent: { n: 1 }, isError: false },
      { kind: 'valid', value: { n: 1 } },
      1,
    ],
    [
      'written out in another order and with spaces',
      undefined,
      {
        content: [text('{ "b": [1, 2],\t"a": null }')],
        structuredContent: { a: null, b: [1, 2] },
        isError: false,
      },
      { kind: 'unpromised', value: { a: null, b: [1, 2] } },
      0,
    ],
    [
      'written out indented',
      undefined,
      {
        content: [text(JSON.stringify({ a: { b: 1 } }, undefined, 2))],
        structuredContent: { a: { b: 1 } },
        isError: false,
      },
      { kind: 'unpromised', value: { a: { b: 1 } } },
      0,
    ],
    [
      'text that says something else',
      undefined,
      { content: [text('{"n":2}')], structuredContent: { n: 1 }, isError: false },
      { kind: 'unpromised', value: { n: 1 } },
    ],
  ];
  for (const [title, schema, result, structured, writtenOut] of rows) {
    it(title, async () => {
      const tool = schema === undefined ? {} : { outputSchema: schema };
      const checked = await checkResult(tool, result, new SchemaChecker());
      assert.deepEqual([checked.structured, checked.structuredTextIndex], [structured, writtenOut]);
    });
  }
});

describe('checkBlock: attachments that cannot be read', () => {
  const image = 'It is sent as image, but without ';
  const resource = 'It is sent as a resource, but not with a URI and with either text or data.';
  const rows: readonly (readonly [raw: JsonObject, reason: string, size: number])[] = [
    [{ type: 'image', data: 'QUJD' }, `${image}a type.`, 4],
    [{ type: 'image', data: 7, mimeType: 'image/png' }, `${image}data.`, 0],
    [{ type: 'image', mimeType: 'image/png' }, `${image}data.`, 0],
    [{ type: 'audio', data: 'QUJD', mimeType: null }, 'It is sent as audio, but without a type.', 4],
    [{ type: 'resource', resource: { uri: 'x:1', text: 'x', blob: 'QUJD' } }, resource, 4],
    [{ type: 'resource', resource: { blob: 'QUJD' } }, resource, 4],
  ];
  for (const [raw, reason, size] of rows) {
    it(`${JSON.stringify(raw)} is broken, and no text`, () => {
      const [block] = readCallToolResult({ content: [raw] }).content;
      assert.ok(block !== undefined);
      const checked = checkBlock(block);
      assert.ok(checked.kind === 'broken');
      assert.deepEqual([checked.reason, checked.size], [reason, size]);
    });
  }

  it('is shown whatever it holds if it is no attachment', () => {
    const raw = { type: 'resource', resource: { uri: 'x:1' } };
    assert.deepEqual(checkBlock({ type: 'unknown', claimedType: 'resource', raw }), {
      kind: 'unknown',
      claimedType: 'resource',
      raw,
    });
  });
});

describe('decodeBase64: white space', () => {
  const rows: readonly (readonly [text: string, decoded: string | undefined])[] = [
    ['Q U J D', 'ABC'],
    ['QUJD\r\nQUI=\n', 'ABCAB'],
    ['QU I\n=\n', 'AB'],
    ['Q Q = =', 'A'],
    ['QUJD Q', undefined],
    ['QUJD\u00a0', undefined],
    [' \n', ''],
  ];
  for (const [text, decoded] of rows) {
    it(JSON.stringify(text), () => {
      const verdict = decodeBase64(text);
      const bytes = verdict.kind === 'decoded' ? Buffer.from(verdict.bytes).toString() : undefined;
      assert.equal(bytes, decoded);
    });
  }
});
