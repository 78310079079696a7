import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { HostError } from '../../../src/base/errors.ts';
import { LastEventId } from '../../../src/transport/lastEventId.ts';
import { type SseEvent, SseReader } from '../../../src/transport/sseReader.ts';

interface Read {
  readonly events: readonly SseEvent[];
  readonly lastEventId?: string | undefined;
  readonly retryMs?: number | undefined;
}

/** Reads a stream whose bytes come in pieces of these sizes, repeated. */
function read(
  bytes: Uint8Array,
  sizes: readonly number[] = [bytes.length],
  maxEventChars: number = 10_000,
): Read {
  const events: SseEvent[] = [];
  const ids = new LastEventId();
  const reader = new SseReader({ event: (event) => events.push(event) }, maxEventChars, ids);
  let at = 0;
  for (let turn = 0; at < bytes.length; turn++) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1);
    reader.push(bytes.subarray(at, at + size));
    at += size;
  }
  return { events, lastEventId: ids.value, retryMs: reader.retryMs };
}

const message = (data: string): SseEvent => ({ type: 'message', data });
const rows: readonly [name: string, text: string, expected: Read][] = [
  ['one event', 'data: x\n\n', { events: [message('x')] }],
  ['no space after the colon', 'data:x\n\n', { events: [message('x')] }],
  ['one space is taken, not two', 'data:  x\n\n', { events: [message(' x')] }],
  ['several lines', 'data: a\ndata: b\ndata:\ndata: c\n\n', { events: [message('a\nb\n\nc')] }],
  ['CRLF', 'data: a\r\ndata: b\r\n\r\n', { events: [message('a\nb')] }],
  ['CR', 'data: a\rdata: b\r\r', { events: [message('a\nb')] }],
  ['mixed line ends', 'data: a\r\ndata: b\rdata: c\n\r', { events: [message('a\nb\nc')] }],
  ['CR at the very end is not held back', 'data: a\r\r', { events: [message('a')] }],
  ['a byte order mark', '\ufeffdata: x\n\n', { events: [message('x')] }],
  ['a byte order mark later is text', 'data: x\n\n\ufeffdata: y\n\n', { events: [message('x')] }],
  ['comments', ': ping\n\n:\ndata: x\n: in between\n\n:\n\n', { events: [message('x')] }],
  ['a type', 'event: endpoint\ndata: /post\n\n', { events: [{ type: 'endpoint', data: '/post' }] }],
  [
    'a type lasts for one event',
    'event: a\ndata: 1\n\ndata: 2\n\n',
    { events: [{ type: 'a', data: '1' }, message('2')] },
  ],
  ['no data, no event', 'event: a\n\n\n\n', { events: [] }],
  ['an empty field is data', 'data\n\n', { events: [message('')] }],
  ['an id', 'id: 7\ndata: x\n\n', { events: [message('x')], lastEventId: '7' }],
  [
    'an id lasts',
    'id: 7\ndata: x\n\ndata: y\n\n',
    { events: [message('x'), message('y')], lastEventId: '7' },
  ],
  ['an id with empty data', 'id: 7\ndata:\n\n', { events: [message('')], lastEventId: '7' }],
  ['an id without data', 'id: 7\nretry: 5\n\n', { events: [], lastEventId: '7', retryMs: 5 }],
  ['an id without colon space', 'id:7\ndata: x\n\n', { events: [message('x')], lastEventId: '7' }],
  ['the last id of a block', 'id: 6\nid: 7\ndata: x\n\n', { events: [message('x')], lastEventId: '7' }],
  [
    'an id of an unfinished block',
    'id: 7\ndata: x\n\nid: 8\ndata: y\n',
    { events: [message('x')], lastEventId: '7' },
  ],
  [
    'what only looks like an id',
    'identity: 7\n id: 8\nID: 9\ndata: id: 7\n\n',
    { events: [message('id: 7')] },
  ],
  ['an id that no header can carry', 'id: é\ndata: x\n\n', { events: [message('x')] }],
  ['an empty id resets', 'id: 7\ndata: x\n\nid\ndata: y\n\n', { events: [message('x'), message('y')] }],
  [
    'an id with a null is ignored',
    'id: 7\ndata: x\n\nid: a\u0000b\ndata: y\n\n',
    { events: [message('x'), message('y')], lastEventId: '7' },
  ],
  ['an endless id is not kept', `id: ${'7'.repeat(2000)}\ndata: x\n\n`, { events: [message('x')] }],
  ['retry', 'retry: 1500\ndata: x\n\n', { events: [message('x')], retryMs: 1500 }],
  ['retry that is no number', 'retry: 1.5\nretry: -1\nretry: soon\ndata: x\n\n', { events: [message('x')] }],
  ['unknown fields', 'foo: bar\ndata: x\nDATA: y\n\n', { events: [message('x')] }],
  ['an unfinished event is none', 'data: x\n\ndata: y\n', { events: [message('x')] }],
  ['all of Unicode', 'data: 世界 𝕏 \u2028 ﻿\n\n', { events: [message('世界 𝕏 \u2028 ﻿')] }],
];
for (const [name, text, expected] of rows) {
  test(`event stream: ${name}`, () => {
    const bytes = Buffer.from(text, 'utf8');
    const whole = { lastEventId: undefined, retryMs: undefined, ...expected };
    assert.deepEqual(read(bytes), whole);
    assert.deepEqual(read(bytes, [1]), whole, 'byte by byte');
  });
}

test('any stream reads the same in any pieces', () => {
  const line = fc.oneof(
    fc.string({ unit: 'grapheme' }).map((text) => `data: ${text.replaceAll(/[\r\n]/g, '')}`),
    fc.constantFrom(
      '',
      '',
      '',
      ': comment',
      'event: endpoint',
      'id: 5',
      'id',
      'data',
      'retry: 20',
      'other: x',
    ),
  );
  const stream = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 40 });
  fc.assert(
    fc.property(stream, fc.array(fc.nat({ max: 9 }), { minLength: 1 }), (lines, sizes) => {
      const text = lines.map(([content, end]) => content + end).join('');
      const bytes = Buffer.from(text, 'utf8');
      assert.deepEqual(read(bytes, sizes), read(Buffer.from(text.replaceAll(/\r\n?/g, '\n'), 'utf8')));
    }),
    { numRuns: 500 },
  );
});

test('every event that was written is read', () => {
  const events = fc.array(fc.string({ unit: 'binary' }).map((text) => text.replaceAll(/[\r\n]/g, ' ')));
  fc.assert(
    fc.property(events, fc.array(fc.nat({ max: 30 }), { minLength: 1 }), (texts, sizes) => {
      const stream = texts.map((text) => `data: ${text}\n\n`).join('');
      assert.deepEqual(read(Buffer.from(stream, 'utf8'), sizes).events, texts.map(message));
    }),
    { numRuns: 500 },
  );
});

const broken: readonly [name: string, chunks: readonly Uint8Array[], code: string][] = [
  ['a byte that UTF-8 has not', [Buffer.from('data: \xff\n\n', 'latin1')], 'malformedMessage'],
  [
    'an encoded surrogate',
    [Buffer.from([0x64, 0x61, 0x74, 0x61, 0x3a, 0xed, 0xa0, 0x80, 0x0a, 0x0a])],
    'malformedMessage',
  ],
  ['a character cut off by another', [Buffer.from([0xe4, 0xb8]), Buffer.from('\n\n')], 'malformedMessage'],
  ['a line without end', Array.from({ length: 20 }, () => Buffer.alloc(100, 'x')), 'messageTooLarge'],
  [
    'data without end',
    Array.from({ length: 20 }, () => Buffer.from(`data: ${'x'.repeat(90)}\n`)),
    'messageTooLarge',
  ],
  [
    'empty data lines without end',
    Array.from({ length: 20 }, () => Buffer.from('data\n'.repeat(60))),
    'messageTooLarge',
  ],
  [
    'a comment without end',
    [Buffer.from(':'), ...Array.from({ length: 20 }, () => Buffer.alloc(100, ' '))],
    'messageTooLarge',
  ],
];
for (const [name, chunks, code] of broken) {
  test(`event stream that cannot be read: ${name}`, () => {
    const reader = new SseReader({ event: () => assert.fail('no event') }, 1000);
    assert.throws(
      () => {
        for (const chunk of chunks) reader.push(chunk);
      },
      (error) => error instanceof HostError && error.code === code,
    );
  });
}

test('an event of very many short lines is too large, however few characters it has', () => {
  const block = Buffer.from('data: a\n'.repeat(100_000));
  const reader = new SseReader({ event: () => undefined }, Infinity);
  const push = (blocks: number): void => {
    for (let count = 0; count < blocks; count++) reader.push(block);
  };
  push(9);
  reader.push(Buffer.from('\n'));
  push(10);
  assert.throws(() => push(1), { code: 'messageTooLarge' });
});
