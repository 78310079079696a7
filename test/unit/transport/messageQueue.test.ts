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
  const made = new MessageQueue({ hold: () => log.push('hold'), release: () => log.push('release') });
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
  it('are delivered at once while they are small', () => {
    const { queue: made, log, push } = queue();
    push(note('a'));
    push('no message');
    made.afterwards(() => log.push('afterwards'));
    assert.deepEqual(log, ['a', 'invalid', 'afterwards']);
    assert.equal(made.working, undefined);
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
    assert.deepEqual(log, ['a', 'hold', 'b', 'c', 'afterwards', 'd', 'e', 'release']);
    assert.ok(turns > 3, `others had ${turns} turns`);
    push(note('f'));
    assert.equal(log.at(-1), 'f', 'and at once again');
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
});
