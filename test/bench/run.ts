/*
 * `npm run bench -- [NAME]… [--rounds N]`
 *
 * Speed of our client beside the bare official client and beside the limit: JSON lines over a pipe, or bare
 * undici. Each round runs all three, so that what else the machine does hits all alike; the medians count.
 * Nothing is asserted.
 */
import { parseArgs } from 'node:util';
import { type Contender, type Contenders, httpContenders, stdioContenders } from './contenders.ts';

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '9' } },
  allowPositionals: true,
});
const rounds = Number(values.rounds);

/** Runs a contender once and returns operations a second. */
type Measure = (contender: Contender) => Promise<number>;

const sequential =
  (count: number): Measure =>
  async (contender) => {
    const start = performance.now();
    for (let done = 0; done < count; done++) await contender.call();
    return perSecond(count, start);
  };

const parallel =
  (count: number, width: number): Measure =>
  async (contender) => {
    const start = performance.now();
    let begun = 0;
    const lane = async (): Promise<void> => {
      while (begun++ < count) await contender.call();
    };
    await Promise.all(Array.from({ length: width }, lane));
    return perSecond(count, start);
  };

const listing: Measure = async (contender) => {
  const start = performance.now();
  const count = await contender.list();
  if (count !== 10_000) throw new Error(`${count} tools were listed.`);
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
  'stdio-call': { open: stdioContenders, measure: sequential(3_000), targets: 'limit 0.8, peer 1.3' },
  'stdio-parallel': { open: stdioContenders, measure: parallel(10_000, 64), targets: 'limit 0.6, peer 2.5' },
  'http-call': {
    open: () => httpContenders('json'),
    measure: sequential(1_000),
    targets: 'limit 0.75, peer 1.5',
  },
  'http-parallel': {
    open: () => httpContenders('json'),
    measure: parallel(3_000, 64),
    targets: 'limit 0.6, peer 3',
  },
  'http-sse': { open: () => httpContenders('sse'), measure: sequential(1_000), targets: 'none' },
  list: { open: stdioContenders, measure: listing, targets: 'peer 1' },
};

const unknown = positionals.filter((name) => benchmarks[name] === undefined);
if (unknown.length > 0) throw new Error(`Known benchmarks: ${Object.keys(benchmarks).join(', ')}.`);

const heads = [
  'benchmark',
  'ours/s',
  'peer/s',
  'limit/s',
  'ours÷limit',
  'ours÷peer',
  'CPU µs: ours',
  'peer',
  'limit',
];
const widths = [16, 9, 9, 9, 11, 10, 13, 7, 7];
const row = (cells: readonly string[]): string =>
  cells.map((cell, place) => cell.padStart(widths[place] ?? 0)).join(' ');
console.log(row(heads), ' targets');
for (const [name, benchmark] of Object.entries(benchmarks)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const { stop, ...contenders } = await benchmark.open();
  const sides = Object.entries(contenders);
  const samples = new Map(sides.map(([side]): [string, Sample[]] => [side, []]));
  // Round 0 warms up and does not count.
  for (let round = 0; round <= rounds; round++) {
    // The order turns, so that nobody always runs after the same one.
    for (let place = 0; place < sides.length; place++) {
      const [side, contender] = sides[(place + round) % sides.length] ?? [];
      if (side === undefined || contender === undefined) continue;
      const sample = await take(benchmark, contender);
      if (round > 0) samples.get(side)?.push(sample);
    }
  }
  const [ours, peer, limit] = ['ours', 'peer', 'limit'].map((side) => medians(samples.get(side) ?? []));
  if (ours === undefined || peer === undefined || limit === undefined) continue;
  const cells = [
    name,
    ...[ours, peer, limit].map(({ speed }) => (speed > 100 ? speed.toFixed(0) : speed.toFixed(2))),
    (ours.speed / limit.speed).toFixed(2),
    (ours.speed / peer.speed).toFixed(2),
    ...[ours, peer, limit].map(({ cpu }) => cpu.toFixed(1)),
  ];
  console.log(row(cells), ` ${benchmark.targets}`);
  for (const [, contender] of sides) await contender.close();
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

function medians(samples: readonly Sample[]): Sample | undefined {
  const speed = median(samples.map((sample) => sample.speed));
  const cpu = median(samples.map((sample) => sample.cpu));
  return speed === undefined || cpu === undefined ? undefined : { speed, cpu };
}

function median(numbers: readonly number[]): number | undefined {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}
