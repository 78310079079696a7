/*
 * `npm run bench:results -- [SHAPE]… [--transport stdio,json,sse]`: calls of a real server whose results are as large as
 * a message may be, each in its own way. Prints for how long the thread was held at most, in wall-clock time and in time
 * of this thread's own work (which other programs do not disturb): while the result came in and took the road, while it
 * was made ready for the card, for the tab, and as one text. Nothing is asserted.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ResultDesk } from '../../src/calls/resultDesk.ts';
import { noLimits } from '../../src/policy/limits.ts';
import { compilePolicy } from '../../src/policy/policy.ts';
import { startRoad } from '../helpers/road.ts';
import { resultShapes } from './resultShapes.ts';

const { values, positionals } = parseArgs({
  options: {
    transport: { type: 'string', default: 'stdio,json,sse' },
    storage: { type: 'string', default: 'redacted' },
  },
  allowPositionals: true,
});
const program = fileURLToPath(new URL('resultServer.ts', import.meta.url));

interface Pause {
  readonly wall: number;
  readonly work: number;
  readonly total: number;
}

function workMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The longest time between two turns of the loop while something is done. */
async function watched(run: () => unknown): Promise<Pause> {
  let [wall, work, isOver] = [0, 0, false];
  let [lastWall, lastWork] = [performance.now(), workMs()];
  const watch = (): void => {
    const [nowWall, nowWork] = [performance.now(), workMs()];
    wall = Math.max(wall, nowWall - lastWall);
    work = Math.max(work, nowWork - lastWork);
    [lastWall, lastWork] = [nowWall, nowWork];
    if (!isOver) setImmediate(watch);
  };
  await new Promise(setImmediate);
  [lastWall, lastWork] = [performance.now(), workMs()];
  setImmediate(watch);
  const start = performance.now();
  await run();
  const total = performance.now() - start;
  await new Promise(setImmediate);
  isOver = true;
  return { wall, work, total };
}

const shown = ({ wall, work, total }: Pause): string =>
  `${wall.toFixed(0).padStart(6)} ${work.toFixed(0).padStart(6)} ${total.toFixed(0).padStart(6)}`;

const worst = { name: '', wall: 0, work: 0 };
for (const transport of values.transport.split(',')) {
  const child =
    transport === 'stdio'
      ? undefined
      : spawn(process.execPath, [program, transport], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = child === undefined ? '' : String(await once(child.stdout, 'data')).trim();
  const server =
    child === undefined
      ? { type: 'stdio', command: process.execPath, args: [program, 'stdio'] }
      : { type: 'http', url: `http://127.0.0.1:${port}/mcp` };
  const road = await startRoad({
    servers: { bench: server },
    bare: true,
    storage: values.storage === 'full' ? 'full' : 'redacted',
  });
  await road.running(1);
  const allow = { server: 'bench', tool: '*', decision: 'allow' };
  road.gate.policy = compilePolicy({ user: [allow], workspace: [], limits: noLimits });
  let shownText = (): void => {};
  const desk = new ResultDesk({
    shelf: road.shelf,
    reads: road.reads,
    editor: { openTab: () => {}, showText: () => shownText(), save: () => {}, tell: () => {} },
  });
  console.log(`${transport}: milliseconds at a stretch, work of this thread at a stretch, in all`);
  console.log(`${''.padEnd(26)}${'call'.padEnd(21)}${'card'.padEnd(21)}${'tab'.padEnd(21)}as text`);
  for (const name of Object.keys(resultShapes)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    let id = '';
    let end = '';
    const call = async (): Promise<void> => {
      const { callId, outcome } = await road.calls.invoke({
        caller: { kind: 'user', label: 'bench' },
        target: { kind: 'tool', serverId: 'bench', toolName: name },
        arguments: {},
      });
      id = callId;
      end =
        outcome.kind === 'failed' ? outcome.error.message : outcome.kind === 'completed' ? '' : outcome.kind;
    };
    const pauses = [
      await watched(call),
      // The editor writes what goes to a page as JSON.
      await watched(async () => JSON.stringify(await desk.view(id, 'card'))),
      await watched(async () => JSON.stringify(await desk.view(id, 'tab'))),
      await watched(async () => {
        const shown = new Promise<void>((resolve) => (shownText = resolve));
        desk.use(id, 'openText', undefined);
        if (road.shelf.get(id) !== undefined) await shown;
      }),
    ];
    for (const { wall, work } of pauses) {
      if (work > worst.work) Object.assign(worst, { name: `${transport} ${name}`, wall, work });
    }
    console.log(`${name.padEnd(24)}${pauses.map(shown).join('')}  ${end}`);
  }
  desk.dispose();
  await road.close();
  child?.kill();
}
console.log(`Worst: ${worst.name}, ${worst.wall.toFixed(0)} ms (${worst.work.toFixed(0)} ms of work)`);
