import assert from 'node:assert/strict';
import { bestCommonVersion, eraOf } from '../../../src/protocol/versions.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const rows: readonly (readonly [readonly string[], string | undefined, string | undefined])[] = [
  [['2026-07-28'], '2026-07-28', 'modern'],
  [['2024-11-05', '2025-06-18', '2026-07-28'], '2026-07-28', 'modern'],
  [['2024-11-05', '2025-06-18'], '2025-06-18', 'legacy'],
  [['2099-01-01', '2025-03-26'], '2025-03-26', 'legacy'],
  [['2099-01-01'], undefined, undefined],
  [[], undefined, undefined],
];

describe('bestCommonVersion', () => {
  for (const [offered, version, era] of rows)
    it(JSON.stringify(offered), () => {
      const best = bestCommonVersion(offered);
      assert.deepEqual([best, best === undefined ? undefined : eraOf(best)], [version, era]);
    });
});
