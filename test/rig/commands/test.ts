// `npm test`: runs the stages and ends with one line that counts everything.
import { rmSync } from 'node:fs';
import { outFolder } from '../paths.ts';
import { chooseStages, parseTestArguments } from '../runner/arguments.ts';
import { formatOutcome, isSuccess, sumOutcomes } from '../runner/outcome.ts';
import { runStages } from '../runner/runStages.ts';
import { stages } from '../runner/stages.ts';
import { makeRunFolder } from '../runner/temporary.ts';

const names = stages.map(({ name }) => name);
const args = parseTestArguments(process.argv.slice(2), names);
const abort = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => abort.abort());

const temporary = makeRunFolder();
// Part of a run leaves what another part has left there.
if (args.only.length + args.filters.length === 0) rmSync(outFolder, { recursive: true, force: true });
try {
  const results = await runStages(chooseStages(stages, args), {
    ...args,
    signal: abort.signal,
    print: (line) => console.log(line),
  });
  const total = sumOutcomes(results.map(({ outcome }) => outcome));
  console.log();
  for (const { name, outcome, seconds } of results)
    console.log(
      `${name.padEnd(12)} ${formatOutcome(outcome).padEnd(32)} ${seconds.toFixed(1).padStart(6)} s`,
    );
  if (abort.signal.aborted) console.log('Interrupted: not all stages ran.');
  console.log(formatOutcome(total));
  process.exitCode = isSuccess(total) && !abort.signal.aborted ? 0 : 1;
} finally {
  rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
}
