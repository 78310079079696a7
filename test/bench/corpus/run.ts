import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { errorMessage } from '../../../src/base/errors.ts';
import { CORPUS } from './servers.ts';
import { type ServerSummary, measureServer } from './summary.ts';

/*
 * `npm run corpus [-- --update] [names…]`: lists the tools of published servers and says what the catalogue makes of
 * them. The first run installs the servers (some gigabytes). With `--update` the summary that tests compare with is
 * written anew.
 */

const file = new URL('./summary.json', import.meta.url);
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const isUpdate = process.argv.includes('--update');

const known = new Map(readSummaries().map((summary) => [summary.name, summary]));
let failures = 0;
let differences = 0;
for (const server of CORPUS.filter(({ name }) => names.length === 0 || names.includes(name))) {
  try {
    const { summary, listMs, compileMs, slowestMs } = await measureServer(server);
    const setAside = Object.entries(summary.setAside);
    console.log(
      [
        server.name.padEnd(44),
        summary.era.padEnd(6),
        `${String(summary.tools).padStart(4)} tools`,
        `${String(summary.tokens).padStart(7)} tokens`,
        `${String(setAside.length).padStart(3)} set aside`,
        `${String(summary.repaired).padStart(4)} repaired`,
        `${String(summary.costly).padStart(3)} costly`,
        `${listMs.toFixed(0).padStart(6)} ms to list`,
        `${compileMs.toFixed(0).padStart(6)} ms to compile`,
        `${slowestMs.toFixed(0).padStart(4)} ms the slowest`,
      ].join('  '),
    );
    for (const [tool, reason] of setAside) console.log(`    set aside: ${tool}: ${reason}`);
    for (const [tool, reason] of Object.entries(summary.unusable))
      console.log(`    not for models: ${tool}: ${reason}`);
    for (const [tool, flags] of Object.entries(summary.flagged))
      console.log(`    flagged: ${tool}: ${flags.join(' ')}`);
    for (const [kind, count] of Object.entries(summary.repairs))
      console.log(`    repair: ${count} × ${kind}`);
    if (!isDeepStrictEqual(comparable(known.get(server.name)), comparable(summary))) {
      differences += 1;
      if (!isUpdate) console.log('    differs from the summary that is checked in');
    }
    known.set(server.name, summary);
  } catch (error) {
    failures += 1;
    console.log(`${server.name.padEnd(44)}  failed: ${errorMessage(error)}`);
  }
}
if (isUpdate) {
  const order = CORPUS.flatMap(({ name }) => known.get(name) ?? []);
  writeFileSync(file, `${JSON.stringify(order, undefined, 2)}\n`);
}
console.log(
  `${CORPUS.length} servers in the corpus, ${failures} failed, ${differences} differ from the summary`,
);
process.exitCode = failures > 0 || (differences > 0 && !isUpdate) ? 1 : 0;

/** Some servers put facts of the machine into their descriptions, so the number of tokens may differ a little. */
function comparable(summary: ServerSummary | undefined): unknown {
  return summary === undefined ? undefined : { ...summary, tokens: 0 };
}

function readSummaries(): ServerSummary[] {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}
