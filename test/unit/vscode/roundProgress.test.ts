import assert from 'node:assert/strict';
import { RoundProgress, type ToldCall } from '../../../src/vscode/roundProgress.ts';
import { ManualClock } from '../../helpers/manualClock.ts';
import { it } from '../../helpers/nodeTest.ts';

type Step = (calls: readonly ToldCall[], clock: ManualClock) => void;

const wait: Step = (_, clock) => clock.advance(200);
const waits =
  (index: number): Step =>
  (calls) =>
    calls[index]!.waiting(`s · t${index}`);
const asks =
  (index: number): Step =>
  (calls) =>
    calls[index]!.asked(`s · t${index}`);
const ends =
  (index: number): Step =>
  (calls) =>
    calls[index]!.ended();

const rows: readonly {
  readonly name: string;
  readonly calls: number;
  readonly steps: readonly Step[];
  readonly says: readonly string[];
}[] = [
  { name: 'a call that runs', calls: 1, steps: [wait, wait], says: ['Calling t0…'] },
  { name: 'a call that is over at once', calls: 1, steps: [ends(0), wait], says: ['Calling t0…'] },
  {
    name: 'a call that waits, is allowed and runs',
    calls: 1,
    steps: [waits(0), wait, ends(0), wait],
    says: ['Waiting for you in Approvals: s · t0'],
  },
  {
    name: 'a call that waits only after it was told of',
    calls: 1,
    steps: [wait, waits(0), wait],
    says: ['Calling t0…', 'Waiting for you in Approvals: s · t0'],
  },
  {
    name: 'several that wait',
    calls: 3,
    steps: [waits(0), waits(2), wait, ends(0), ends(2), wait],
    says: ['Waiting for you in Approvals: 2 calls'],
  },
  {
    name: 'some that come to wait while others wait already',
    calls: 5,
    steps: [waits(0), waits(1), wait, waits(2), wait, ends(0), waits(3), waits(4), wait],
    says: [
      'Waiting for you in Approvals: 2 calls',
      'Also waiting for you in Approvals: s · t2',
      'Also waiting for you in Approvals: 2 calls',
    ],
  },
  {
    name: 'many that run',
    calls: 20,
    steps: [wait, ends(3), ends(4), wait],
    says: ['Calling t0, t1, t2 and 17 more…'],
  },
  {
    name: 'a call whose server asks for input, again and again',
    calls: 1,
    steps: [waits(0), wait, asks(0), wait, asks(0), wait, ends(0)],
    says: ['Waiting for you in Approvals: s · t0', 'Waiting for your input in Approvals: s · t0'],
  },
  {
    name: 'several whose servers ask for input, without a question before',
    calls: 3,
    steps: [asks(0), asks(2), wait, asks(1), wait],
    says: ['Waiting for your input in Approvals: 2 calls', 'Waiting for your input in Approvals: s · t1'],
  },
  {
    name: 'one that waits while another asks for input',
    calls: 2,
    steps: [asks(0), waits(1), wait],
    says: ['Waiting for you in Approvals: s · t1', 'Waiting for your input in Approvals: s · t0'],
  },
  { name: 'nothing before the prompt had time to be drawn', calls: 1, steps: [waits(0)], says: [] },
];

for (const { name, calls, steps, says } of rows) {
  it(`${name}: one line in the chat for what is going on`, () => {
    const clock = new ManualClock();
    const said: string[] = [];
    const round = new RoundProgress((text) => said.push(text), clock);
    const told = Array.from({ length: calls }, (_, index) => round.begin(`t${index}`));
    for (const step of steps) step(told, clock);
    assert.deepEqual(said, says);
  });
}
