// The rig's own proof: a suite inside the extension host cannot look green when it is not.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { buildFixture } from '../../rig/bundle.ts';
import { hostDied } from '../../rig/hostSuite.ts';
import { fixturesFolder } from '../../rig/paths.ts';
import { runSuites, suitesPassed } from '../../rig/runSuites.ts';

const rows = [
  { suite: 'passing', kinds: ['passed', 'ended'], exitCode: 0, passes: true },
  { suite: 'failing', kinds: ['passed', 'failed', 'ended'], exitCode: 1, passes: false },
  { suite: 'dying', kinds: ['passed'], exitCode: hostDied, passes: false },
];

for (const { suite, kinds, exitCode, passes } of rows)
  void test(`rig: a ${suite} suite`, async () => {
    const result = await runSuites({
      editor: 'shim',
      files: [path.join(fixturesFolder, 'rig-extension/suites', `${suite}.ts`)],
      develop: [await buildFixture('rig-extension')],
    });
    const seen = { kinds: result.events.map((event) => event.kind), exitCode: result.exitCode };
    assert.deepEqual(seen, { kinds, exitCode }, result.output);
    assert.equal(suitesPassed(result), passes);
  });
