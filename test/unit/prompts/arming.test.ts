import assert from 'node:assert/strict';
import { Arming } from '../../../src/prompts/arming.ts';
import { ManualClock } from '../../helpers/manualClock.ts';
import { it } from '../../helpers/nodeTest.ts';

type Step =
  | readonly ['shown', string, string]
  | readonly ['hidden', string]
  | readonly ['page', boolean]
  | readonly ['wait', number];

const rows: readonly { readonly name: string; readonly steps: readonly Step[]; readonly armed: boolean }[] = [
  { name: 'never shown', steps: [['wait', 5000]], armed: false },
  {
    name: 'shown for too short a time',
    steps: [
      ['shown', 'a', '1'],
      ['wait', 499],
    ],
    armed: false,
  },
  {
    name: 'shown long enough',
    steps: [
      ['shown', 'a', '1'],
      ['wait', 500],
    ],
    armed: true,
  },
  {
    name: 'shown with another content',
    steps: [
      ['shown', 'a', '2'],
      ['wait', 500],
    ],
    armed: false,
  },
  {
    name: 'the content changed on the way',
    steps: [
      ['shown', 'a', '0'],
      ['wait', 400],
      ['shown', 'a', '1'],
      ['wait', 499],
    ],
    armed: false,
  },
  {
    name: 'another card was shown',
    steps: [
      ['shown', 'b', '1'],
      ['wait', 500],
    ],
    armed: false,
  },
  {
    name: 'hidden again',
    steps: [
      ['shown', 'a', '1'],
      ['wait', 600],
      ['hidden', 'a'],
    ],
    armed: false,
  },
  {
    name: 'twice for half the time',
    steps: [
      ['shown', 'a', '1'],
      ['wait', 300],
      ['hidden', 'a'],
      ['shown', 'a', '1'],
      ['wait', 300],
    ],
    armed: false,
  },
  {
    name: 'said twice',
    steps: [
      ['shown', 'a', '1'],
      ['wait', 300],
      ['shown', 'a', '1'],
      ['wait', 200],
    ],
    armed: true,
  },
  {
    name: 'the page was hidden',
    steps: [
      ['shown', 'a', '1'],
      ['wait', 600],
      ['page', false],
    ],
    armed: false,
  },
  {
    name: 'the page came back without a word',
    steps: [
      ['shown', 'a', '1'],
      ['wait', 600],
      ['page', false],
      ['page', true],
      ['wait', 600],
    ],
    armed: false,
  },
  {
    name: 'said while the page is hidden',
    steps: [
      ['page', false],
      ['shown', 'a', '1'],
      ['wait', 600],
    ],
    armed: false,
  },
  {
    name: 'said again after the page came back',
    steps: [
      ['page', false],
      ['page', true],
      ['shown', 'a', '1'],
      ['wait', 500],
    ],
    armed: true,
  },
];

for (const { name, steps, armed } of rows) {
  it(`${name}: ${armed ? 'armed' : 'not armed'}`, () => {
    const clock = new ManualClock();
    const arming = new Arming(clock, 500);
    for (const step of steps) {
      if (step[0] === 'shown') arming.shown(step[1], step[2]);
      else if (step[0] === 'hidden') arming.hidden(step[1]);
      else if (step[0] === 'page') arming.setVisible(step[1]);
      else clock.advance(step[1]);
    }
    assert.equal(arming.isArmed('a', '1'), armed);
    arming.dispose();
    assert.equal(arming.isArmed('a', '1'), false);
    assert.equal(clock.waiting, 0);
  });
}
