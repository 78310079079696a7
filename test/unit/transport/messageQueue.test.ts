import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { ParsedMessage } from '../../../src/protocol/parseMessages.ts';
import { MessageQueue } from '../../../src/transport/messageQueue.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

function queue(): {
  readonly queue: MessageQueue;
  readonly log: string[];
  readonly push: (text: string) => void;
} {
  const log: string[] = [];
  const made = new MessageQueue({
    hold: () => log.push('hold'),
    release: () => log.push('release'),
    flooded: ({ code }) => log.push(code),
  });
  const deliver = (entries: readonly ParsedMessage[]): void => {
    for (const entry of entries) {
      log.push(entry.kind === 'message' && 'method' in entry.message ? entry.message.method : entry.kind);
    }
  };
  return { queue: made, log, push: (text) => made.push(text, deliver) };
}

const note = (method: string, size = 0): string =>
  JSON.stringify({ jsonrpc: '2.0', method, params: { list: Array.from({ length: size }, () => []) } });
const large = 400_000;

describe('the messages of one channel', () => {
  it('are delivered at once while they are small and few', async () => {
    // On a busy machine a turn may be over before it has begun; then they come in the next one.
    for (;;) {
      await setImmediate();
      const { queue: made, log, push } = queue();
      push(note('a'));
      push('no message');
      made.afterwards(() => log.push('afterwards'));
      if (made.working !== undefined) continue;
      return assert.deepEqual(log, ['a', 'invalid', 'afterwards']);
    }
  });

  it('keep their order when one is large, and the source waits for it', async () => {
    const { queue: made, log, push } = queue();
    push(note('a'));
    push(note('b', large));
    push(note('c'));
    made.afterwards(() => log.push('afterwards'));
    push(note('d', large));
    push(note('e'));
    let turns = 0;
    while (made.working !== undefined) {
      turns += 1;
      await setImmediate();
    }
    assert.deepEqual(
      log.filter((entry) => entry !== 'hold'),
      ['a', 'b', 'c', 'afterwards', 'd', 'e', 'release'],
    );
    assert.equal(log.filter((entry) => entry === 'hold').length, 1);
    assert.ok(turns > 3, `others had ${turns} turns`);
  });

  it('are not delivered any more once it has stopped', async () => {
    const { queue: made, log, push } = queue();
    push(note('a', large));
    push(note('b'));
    const { working } = made;
    made.stop();
    made.afterwards(() => log.push('afterwards'));
    push(note('c'));
    await working;
    assert.deepEqual(log, ['hold']);
  });

  it('leave other work its turn, however many come at once', async () => {
    const { queue: made, log, push } = queue();
    // What is slowest for its length: each of them costs an exception.
    for (let count = 0; count < 10_000; count++) push('[');
    push(note('last'));
    let turns = 0;
    for (; made.working !== undefined; turns++) await setImmediate();
    assert.ok(turns > 3, `others had ${turns} turns`);
    assert.deepEqual(
      [log.filter((entry) => entry === 'invalid').length, log.at(-2), log.at(-1)],
      [10_000, 'last', 'release'],
    );
  });

  it('are cut out of what comes piece by piece, in order', async () => {
    const { queue: made, log } = queue();
    // Each piece is a text of its own, and slow enough that a few fill a turn.
    const bytes = Buffer.from('['.repeat(4_096 * 200));
    const cuts: number[] = [];
    made.feed(bytes.length, (from, to) => {
      const place = cuts.push(from);
      for (let count = 0; count < 50; count++) made.push('[', () => undefined);
      made.push(note(`of piece ${place}`), () => log.push(`${place}`));
      assert.ok(to > from);
    });
    made.afterwards(() => log.push('afterwards'));
    made.feed(1, () => made.push(note('later'), () => log.push('later')));
    let turns = 0;
    for (; made.working !== undefined; turns++) await setImmediate();
    assert.ok(turns > 3, `others had ${turns} turns`);
    assert.deepEqual(
      cuts,
      Array.from({ length: 200 }, (_, index) => index * 4_096),
    );
    assert.deepEqual(
      log.filter((entry) => entry !== 'hold' && entry !== 'release'),
      [...Array.from({ length: 200 }, (_, index) => String(index + 1)), 'afterwards', 'later'],
    );
  });

  const floods: readonly (readonly [string, string, number])[] = [
    ['texts that are no JSON', '[', 30_000],
    ['JSON that is no message', '{"level":30,"msg":"hello"}', 30_000],
    ['lists of what is no message', JSON.stringify(Array.from({ length: 500 }, () => 1)), 1_000],
    ['long texts', `{"text":"${'x'.repeat(100_000)}"}`, 1_000],
  ];
  for (const [name, text, count] of floods)
    it(`are not waited for in a flood of ${name}`, async () => {
      const { queue: made, log, push } = queue();
      for (let index = 0; index < count; index++) push(text);
      push(note('never'));
      await made.working;
      const { length } = log.filter((entry) => entry === 'invalid');
      assert.deepEqual(
        log.filter((entry) => entry !== 'invalid' && entry !== 'hold'),
        ['limitExceeded'],
      );
      assert.ok(length < (name.startsWith('lists') ? count * 500 : count));
    });

  it('and lines that are none may be many', async () => {
    const { queue: made, log, push } = queue();
    made.junk(3_000_000);
    push(note('a'));
    await made.working;
    made.junk(2_000_000);
    push(note('b'));
    await made.working;
    assert.deepEqual(
      log.filter((entry) => entry !== 'hold' && entry !== 'release'),
      ['a', 'limitExceeded'],
    );
  });
});
