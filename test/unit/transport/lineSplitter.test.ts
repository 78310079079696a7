import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { LineSplitter } from '../../../src/transport/lineSplitter.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

type Seen = string | { readonly head: string; readonly tail: string; readonly length: number };

function split(chunks: readonly Buffer[], limit = 1_000, end = true): Seen[] {
  const seen: Seen[] = [];
  const splitter = new LineSplitter(limit, {
    line: (bytes) => seen.push(bytes.toString('latin1')),
    oversized: (head, tail, length) =>
      seen.push({ head: head.toString('latin1'), tail: tail.toString('latin1'), length }),
  });
  for (const chunk of chunks) splitter.push(chunk);
  if (end) splitter.end();
  return seen;
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  const edges = [0, ...sorted, bytes.length];
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
}

const line = fc
  .uint8Array({ maxLength: 40 })
  .map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 10)));
const lines = fc.array(line, { maxLength: 20 });
const places = fc.array(fc.nat(), { maxLength: 30 });

describe('LineSplitter', () => {
  it('finds the same lines however the bytes are cut', () => {
    fc.assert(
      fc.property(lines, line, places, (whole, rest, cuts) => {
        const bytes = Buffer.concat([...whole.flatMap((one) => [one, Buffer.from('\n')]), rest]);
        const expected = whole.map((one) => one.toString('latin1'));
        if (rest.length > 0) expected.push(rest.toString('latin1'));
        assert.deepEqual(split(cut(bytes, cuts)), expected);
      }),
    );
  });

  it('treats lines over the limit the same however the bytes are cut', () => {
    fc.assert(
      fc.property(lines, places, fc.integer({ min: 0, max: 30 }), (whole, cuts, limit) => {
        const bytes = Buffer.concat(whole.flatMap((one) => [one, Buffer.from('\n')]));
        const expected = whole.map((one): Seen => {
          const text = one.toString('latin1');
          return one.length > limit ? { head: text, tail: text, length: one.length } : text;
        });
        assert.deepEqual(split(cut(bytes, cuts), limit), expected);
      }),
    );
  });

  it('keeps both ends of an oversized line and nothing between', () => {
    const bytes = Buffer.from(`HEAD${'x'.repeat(5_000)}TAIL\nnext\n`);
    for (const size of [1, 7, 1_000, bytes.length]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      const [first, second] = split(chunks, 100);
      assert.ok(typeof first === 'object');
      assert.deepEqual(
        [
          first.length,
          first.head.slice(0, 4),
          first.head.length,
          first.tail.slice(-4),
          first.tail.length,
          second,
        ],
        [5_008, 'HEAD', 1_024, 'TAIL', 1_024, 'next'],
      );
    }
  });

  it('says nothing of a line that has not ended', () => {
    assert.deepEqual(split([Buffer.from('a\nb')], 1_000, false), ['a']);
  });

  it('holds no more than about twice the limit, however small the pieces are', () => {
    const limit = 1024 * 1024;
    const splitter = new LineSplitter(limit, { line: () => undefined, oversized: () => undefined });
    const before = process.memoryUsage();
    const piece = Buffer.alloc(16, 'x');
    for (let count = 0; count < (20 * limit) / piece.length; count++) splitter.push(Buffer.from(piece));
    const after = process.memoryUsage();
    const grown = after.arrayBuffers - before.arrayBuffers;
    assert.ok(grown < 16 * limit, `${grown} bytes`);
  });
});
