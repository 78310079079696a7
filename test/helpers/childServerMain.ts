/*
 * A server as a child process whose behaviour is written in the test that uses it (see childServer.ts): the
 * sources of the functions come as arguments.
 */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { runInThisContext } from 'node:vm';
import type { ChildSide, ChildMethod } from './childServer.ts';

interface Plan {
  readonly start?: string;
  readonly methods: Readonly<Record<string, string>>;
  readonly ignoreEnd: boolean;
}

const plan = JSON.parse(process.argv[2] ?? '{}') as Plan;
const compile = (source: string): unknown => runInThisContext(`(${source})`);

const side: ChildSide = {
  send: (message) => side.raw(`${JSON.stringify(message)}\n`),
  raw: (data) => void process.stdout.write(data),
  rawAndWait: async (data) => {
    if (!process.stdout.write(data)) await once(process.stdout, 'drain');
  },
  answer: (request, result) => side.send({ jsonrpc: '2.0', id: request.id, result }),
  refuse: (request, code) =>
    side.send({ jsonrpc: '2.0', id: request.id, error: { code, message: 'refused' } }),
  notify: (method, params) => side.send({ jsonrpc: '2.0', method, params }),
  log: (text) => void process.stderr.write(`${text}\n`),
  exit: (code) => process.exit(code),
  kill: (signal) => process.kill(process.pid, signal),
  stopReading: () => input.pause(),
  import: (name) => import(name) as Promise<never>,
};
const methods = new Map(
  Object.entries(plan.methods).map(([name, source]) => [name, compile(source) as ChildMethod]),
);

const input = createInterface({ input: process.stdin });
input.on('line', (line) => {
  const request = JSON.parse(line) as { id?: number; method?: string; params?: never };
  const { method, id } = request;
  if (method === undefined) return;
  const handler = methods.get(method);
  if (handler !== undefined) void handler({ ...request, id: id ?? -1, method }, side);
  else if (id !== undefined) side.refuse({ id }, -32601);
});
input.on('close', () => {
  if (!plan.ignoreEnd) process.exit(0);
});
if (plan.ignoreEnd) setInterval(() => undefined, 1_000);
if (plan.start !== undefined) (compile(plan.start) as (side: ChildSide) => void)(side);
