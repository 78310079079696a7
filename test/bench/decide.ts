/*
 * `node test/bench/decide.ts`
 *
 * What policy and the notes of a prompt cost a call. Nothing is asserted.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { decide } from '../../src/policy/decide.ts';
import { gatherPaths } from '../../src/policy/gatherPaths.ts';
import { GrantIndex } from '../../src/policy/grantIndex.ts';
import { GrantStore } from '../../src/policy/grantStore.ts';
import { nodePaths } from '../../src/policy/nodePaths.ts';
import { NodeStateFile } from '../../src/policy/nodeStateFile.ts';
import { noPaths } from '../../src/policy/pathFacts.ts';
import { compilePolicy } from '../../src/policy/policy.ts';
import { grantProposals } from '../../src/prompts/grantProposals.ts';
import { riskNotes } from '../../src/prompts/riskNotes.ts';
import { callFacts, someGrant } from '../unit/policy/callFacts.ts';

async function measure(name: string, rounds: number, run: () => unknown): Promise<void> {
  for (let round = 0; round < rounds / 10; round += 1) await run();
  const times: number[] = [];
  for (let batch = 0; batch < 9; batch += 1) {
    const start = performance.now();
    for (let round = 0; round < rounds; round += 1) {
      const result = run();
      if (result instanceof Promise) await result;
    }
    times.push(((performance.now() - start) * 1000) / rounds);
  }
  const median = times.toSorted((a, b) => a - b)[4] ?? 0;
  console.log(`${name.padEnd(52)} ${median < 100 ? median.toFixed(2) : Math.round(median)} µs`);
}

const handful = compilePolicy({
  user: [
    { server: 'github', tool: 'search*', args: { repo: { glob: 'acme/*' } }, decision: 'allow' },
    { server: '*', tool: 'delete_*', decision: 'deny' },
    { server: 'files', tool: '*', args: { path: { within: '${workspaceFolder}' } }, decision: 'allow' },
    { server: '*', tool: '*', args: { '**': { matches: 'BEGIN [A-Z ]*PRIVATE KEY' } }, decision: 'deny' },
    { server: 'github', tool: '*', claims: { destructiveHint: true }, caller: 'bridge', decision: 'ask' },
  ],
  workspace: [],
});
const empty = compilePolicy({ user: [], workspace: [] });
const thousand = compilePolicy({
  user: Array.from({ length: 1000 }, (_, index) => ({ server: `s${index}*`, tool: 'x*', decision: 'deny' })),
  workspace: [],
});
const many = new GrantIndex(
  Array.from({ length: 10_000 }, (_, index) => someGrant({ toolName: `t${index}` })),
);
const none = new GrantIndex([]);
const one = new GrantIndex([someGrant()]);
const call = callFacts();
const large = callFacts({
  args: { repo: 'acme/site', body: 'A line of text that says something.\n'.repeat(6000) },
});

await measure('decide: no rules, no grants', 20_000, () => decide(call, empty, none));
await measure('decide: one grant', 20_000, () => decide(call, empty, one));
await measure('decide: five rules', 20_000, () => decide(call, handful, none));
await measure('decide: five rules, 200 KB argument', 200, () => decide(large, handful, none));
await measure('decide: a thousand rules', 1000, () => decide(call, thousand, none));
await measure('decide: ten thousand grants', 20_000, () =>
  decide(callFacts({ toolName: 't77' }), empty, many),
);
await measure('compile five rules', 100, () =>
  compilePolicy({ user: handful.rules.map(({ rule }) => rule), workspace: [] }),
);

const folder = mkdtempSync(path.join(tmpdir(), 'bench-'));
try {
  const query = {
    roots: ['${workspaceFolder}'],
    cwd: folder,
    workspaceFolders: [{ name: 'x', path: folder }],
  };
  await measure('look up one path', 500, () =>
    gatherPaths(nodePaths(), { ...query, texts: ['src/new/a.ts'] }),
  );
  const store = new GrantStore(new NodeStateFile(path.join(folder, 'grants.json')), systemClock);
  const { id: _id, createdAt: _createdAt, ...grant } = someGrant();
  await store.add({ ...grant, snapshots: { tool: undefined, launch: undefined } });
  await measure('refresh grants, nothing new', 500, () => store.refresh());
  await measure('store a grant', 20, () =>
    store.add({ ...grant, snapshots: { tool: undefined, launch: undefined } }),
  );
  store.dispose();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const risk = {
  serverId: 'github',
  serverOrigin: 'user',
  tool: { name: 'search', title: 'Search', description: 'Searches.', definition: { name: 'search' } },
  history: { isNew: false, toolChanged: false, launchChanged: false, calls: 1 },
  lookAlikes: [],
  paths: noPaths,
} as const;
await measure('risk notes, small call', 2000, () => riskNotes({ ...risk, args: call.args }));
await measure('risk notes, 200 KB argument', 20, () => riskNotes({ ...risk, args: large.args }));
await measure('grant proposals', 2000, () =>
  grantProposals({ serverId: 'github', toolName: 'search', caller: 'chat', args: call.args, paths: noPaths }),
);
