import assert from 'node:assert/strict';
import type { PageAnswer } from '../../../src/shared/pageMessage.ts';
import { approval, table } from './samples.ts';
import { it } from '../../helpers/nodeTest.ts';

const problem = { path: '/title', message: 'must be a string' };
const previews = { session: 's', workspace: 'w', everywhere: 'e' };
const proposals = [{ id: 'any', label: 'any arguments', previews }];
const validate = (value: object): Promise<readonly (typeof problem)[]> =>
  Promise.resolve(typeof Reflect.get(value, 'title') === 'string' ? [] : [problem]);

const rows: readonly {
  readonly name: string;
  readonly answer: PageAnswer;
  readonly editable?: boolean;
  readonly expected: object;
}[] = [
  {
    name: 'edited arguments that are valid',
    answer: { kind: 'allow', edited: { title: 'two' } },
    expected: { kind: 'allow', arguments: { title: 'two' }, edited: true },
  },
  {
    name: 'edited arguments that are not valid',
    answer: { kind: 'allow', edited: { title: 2 } },
    expected: { kind: 'refused', reason: 'invalid', problems: [problem] },
  },
  {
    name: 'edited arguments where nothing can check them',
    answer: { kind: 'allow', edited: { title: 'two' } },
    editable: false,
    expected: { kind: 'refused', reason: 'wrongKind', problems: [] },
  },
  {
    name: 'a grant that was proposed',
    answer: { kind: 'allow', grant: { scope: 'workspace', proposalId: 'any' } },
    expected: {
      kind: 'allow',
      arguments: { title: 'one' },
      edited: false,
      grant: { scope: 'workspace', proposalId: 'any' },
    },
  },
  {
    name: 'a grant that nobody proposed',
    answer: { kind: 'allow', grant: { scope: 'workspace', proposalId: 'all' } },
    expected: { kind: 'refused', reason: 'invalid', problems: [] },
  },
  {
    name: 'a grant together with edited arguments',
    answer: { kind: 'allow', edited: { title: 'two' }, grant: { scope: 'session', proposalId: 'any' } },
    expected: { kind: 'refused', reason: 'invalid', problems: [] },
  },
  { name: 'deny', answer: { kind: 'deny' }, expected: { kind: 'deny', stopTurn: false } },
  {
    name: 'deny with blanks for a reason',
    answer: { kind: 'deny', reason: ' \n ' },
    expected: { kind: 'deny', stopTurn: false },
  },
  {
    name: 'deny with a reason',
    answer: { kind: 'deny', reason: 'use the other repository' },
    expected: { kind: 'deny', reason: 'use the other repository', stopTurn: false },
  },
  {
    name: 'stop the turn',
    answer: { kind: 'deny', also: 'turn' },
    expected: { kind: 'deny', stopTurn: true },
  },
];

for (const { name, answer, editable = true, expected } of rows) {
  it(`${name}: ${JSON.stringify(expected)}`, async () => {
    const { queue, arming, seeFirst } = table();
    const asked = queue.ask(approval({ proposals, ...(editable ? { validateArguments: validate } : {}) }));
    const { id, digest } = seeFirst();
    const verdict = await queue.answer(id, digest, answer, arming);
    if (verdict.kind === 'refused') assert.deepEqual(verdict, expected);
    else assert.deepEqual(await asked, { promptId: id, digest, waitedMs: 500, ...expected });
    assert.equal(queue.size, verdict.kind === 'refused' ? 1 : 0);
  });
}

it('typed arguments are checked as the person types', async () => {
  const { queue } = table();
  void queue.ask(approval({ validateArguments: validate }));
  const id = queue.pending[0]!.id;
  assert.deepEqual(await queue.check(id, { title: 2 }), [problem]);
  assert.deepEqual(await queue.check(id, { title: 'two' }), []);
  assert.deepEqual(await queue.check(id, []), [
    { path: '', message: 'The arguments must be a JSON object.' },
  ]);
  assert.equal(await queue.check('gone', {}), undefined);
});
