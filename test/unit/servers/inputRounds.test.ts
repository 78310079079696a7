import assert from 'node:assert/strict';
import { inputRounds } from '../../../src/servers/inputRounds.ts';
import { it } from '../../helpers/nodeTest.ts';

it('the setting for input rounds is a whole number within bounds, or ten', () => {
  const values = [undefined, null, '5', 0, -1, Number.NaN, 0.5, 1, 2.9, 10, 100, 101, Infinity];
  assert.deepEqual(values.map(inputRounds), [10, 10, 10, 10, 10, 10, 10, 1, 2, 10, 100, 100, 100]);
});
