import { systemClock } from '../../../src/base/clock.ts';
import { GrantStore } from '../../../src/policy/grantStore.ts';
import { NodeStateFile } from '../../../src/policy/nodeStateFile.ts';
import { someGrant } from './callFacts.ts';

/*
 * Another window, as a process of its own: adds grants one after the other, counts a use of each, and takes every
 * third away again. Arguments: the file, a name for its tools, how many.
 */
const [place = '', name = '', count = '0'] = process.argv.slice(2);
const store = new GrantStore(new NodeStateFile(place), systemClock);
const { id: _id, createdAt: _createdAt, ...grant } = someGrant();
for (let index = 0; index < Number(count); index += 1) {
  const made = await store.add({
    ...grant,
    toolName: `${name}-${index}`,
    snapshots: { tool: { name }, launch: undefined },
  });
  store.recordUse(made.id);
  await store.flush();
  if (index % 3 === 2) await store.revoke(made.id);
}
store.dispose();
