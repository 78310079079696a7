import assert from 'node:assert/strict';
import { isTraceparent } from '../../../src/protocol/meta.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const trace = '0af7651916cd43dd8448eb211c80319c';
const span = '00f067aa0ba902b7';

const rows: readonly (readonly [string, boolean])[] = [
  [`00-${trace}-${span}-01`, true],
  [`00-${trace.toUpperCase()}-${span}-01`, false],
  [`ff-${trace}-${span}-01`, false],
  [`00-${'0'.repeat(32)}-${span}-01`, false],
  [`00-${trace}-${'0'.repeat(16)}-01`, false],
  [`00-${trace}-${span}-01\n`, false],
  ['', false],
];

describe('isTraceparent', () => {
  for (const [text, expected] of rows)
    it(JSON.stringify(text), () => assert.equal(isTraceparent(text), expected));
});
