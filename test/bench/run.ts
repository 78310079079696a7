/*
 * `npm run bench -- [NAME]… [--rounds N]`
 *
 * Speed of our client beside the bare official client and beside the limit: JSON lines over a pipe, or bare
 * undici. Each round runs all three, so that what else the machine does hits all alike; the medians count.
 * Nothing is asserted.
 */
import { parseArgs } from 'node:util';
import { listedTools } from './answers.ts';
import { type Contender, type Contenders, httpContenders, stdioContenders } from './contenders.ts';

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '9' } },
  allowPositionals: true,
});
const rounds = Number(values.rounds);

/** Runs a contender once and returns operations a second. */
type Measure = (contender: Contender) => Promise<number>;

/** How long one measurement lasts; a fixed count would take for ever on the slow side. Milliseconds. */
const sampleMs = 400;

/** As many calls as go into the time, with `width` of them in flight. */
const calls =
  (width: number): Measure =>
  async (contender) => {
    const start = performance.now();
    const end = start + sampleMs;
    let done = 0;
    const lane = async (): Promise<void> => {
      while (performance.now() < end) {
        await contender.call();
        done++;
      }
    };
    await Promise.all(Array.from({ length: width }, lane));
    return perSecond(done, start);
  };

const listing: Measure = async (contender) => {
  const start = performance.now();
  const count = await contender.list();
  if (count !== listedTools) throw new Error(`${count} tools were listed.`);
  return perSecond(1, start);
};

function perSecond(count: number, start: number): number {
  return (count * 1_000) / (performance.now() - start);
}

interface Benchmark {
  readonly open: () => Promise<Contenders & { readonly stop?: () => void }>;
  readonly measure: Measure;
  readonly targets: string;
}

const benchmarks: Readonly<Record<string, Benchmark>> = {
  'stdio-call': {
    open: () => stdioContenders(10),
    measure: calls(1),
    targets: 'limit 0.8, peer 1.3',
  },
  'stdio-parallel': {
    open: () => stdioContenders(10),
    measure: calls(64),
    targets: 'limit 0.6, peer 2.5',
  },
  'http-call': {
    open: () => httpContenders('json'),
    measure: calls(1),
    targets: 'limit 0.75, peer 1.5',
  },
  'http-parallel': {
    open: () => httpContenders('json'),
    measure: calls(64),
    targets: 'limit 0.6, peer 3',
  },
  'http-sse': { open: () => httpContenders('sse'), measure: calls(1), targets: 'none' },
  list: { open: () => stdioContenders(listedTools), measure: listing, targets: 'peer 1' },
};

const unknown = positionals.filter((name) => benchmarks[name] === undefined);
if (unknown.length > 0) throw new Error(`Known benchmarks: ${Object.keys(benchmarks).join(', ')}.`);

const sideNames = ['road', 'ours', 'peer', 'limit'] as const;
const ratios: readonly (readonly [(typeof sideNames)[number], (typeof sideNames)[number]])[] = [
  ['road', 'limit'],
  ['road', 'peer'],
  ['ours', 'limit'],
  ['ours', 'peer'],
];

for (const [name, benchmark] of Object.entries(benchmarks)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const { stop, ...contenders } = await benchmark.open();
  const samples = new Map(sideNames.map((side): [string, Sample[]] => [side, []]));
  // Round 0 warms up and does not count.
  for (let round = 0; round <= rounds; round++) {
    // The order turns, so that nobody always runs after the same one.
    for (let place = 0; place < sideNames.length; place++) {
      const side = sideNames[(place + round) % sideNames.length] ?? 'ours';
      const sample = await take(benchmark, contenders[side]);
      if (round > 0) samples.get(side)?.push(sample);
    }
  }
  console.log(`${name} (targets: ${benchmark.targets})`);
  const speeds = new Map<string, number>();
  for (const side of sideNames) {
    const { speed, cpu } = medians(samples.get(side) ?? []);
    speeds.set(side, speed);
    console.log(
      `  ${side.padEnd(6)} ${speed.toFixed(speed > 100 ? 0 : 2).padStart(9)} /s ${cpu.toFixed(1).padStart(9)} µs CPU`,
    );
  }
  const shown = ratios.map(
    ([one, other]) => `${one}÷${other} ${((speeds.get(one) ?? 0) / (speeds.get(other) ?? 0)).toFixed(2)}`,
  );
  console.log(`  ${shown.join('   ')}`);
  for (const side of sideNames) await contenders[side].close();
  stop?.();
}

/** One run of one contender. */
interface Sample {
  /** Operations a second. */
  readonly speed: number;
  /** Our own processor time for one operation, in microseconds: steadier than speed on a busy machine. */
  readonly cpu: number;
}

async function take({ measure }: Benchmark, contender: Contender): Promise<Sample> {
  const start = performance.now();
  const before = process.cpuUsage();
  const speed = await measure(contender);
  const used = process.cpuUsage(before);
  const operations = (speed * (performance.now() - start)) / 1_000;
  return { speed, cpu: (used.user + used.system) / operations };
}

function medians(samples: readonly Sample[]): Sample {
  return {
    speed: median(samples.map((sample) => sample.speed)),
    cpu: median(samples.map((sample) => sample.cpu)),
  };
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
