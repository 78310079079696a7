import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../../src/base/json.ts';
import type { StdioOptions } from '../../src/transport/stdioTransport.ts';

/** What the functions of a child server can do. They run in the child: nothing of the test is in reach. */
export interface ChildSide {
  send(message: object): void;
  raw(data: string | Uint8Array): void;
  /** Like `raw`, and waits until more can be written. */
  rawAndWait(data: string | Uint8Array): Promise<void>;
  answer(request: { readonly id: number }, result: object): void;
  refuse(request: { readonly id: number }, code: number): void;
  notify(method: string, params?: object): void;
  log(text: string): void;
  exit(code: number): void;
  kill(signal: string): void;
  stopReading(): void;
  /** Modules, because the source of a function carries no imports. */
  import(name: string): Promise<never>;
}

export type ChildMethod = (
  request: { readonly id: number; readonly method: string; readonly params?: JsonObject },
  side: ChildSide,
) => void | Promise<void>;

export interface ChildPlan {
  readonly start?: (side: ChildSide) => void;
  readonly methods?: Readonly<Record<string, ChildMethod>>;
  /** Stays alive when its input closes. */
  readonly ignoreEnd?: boolean;
}

/** Answers to the opening of either era. */
export const modernOpening: Readonly<Record<string, ChildMethod>> = {
  'server/discover': (request, side) =>
    side.answer(request, {
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      ttlMs: 0,
      cacheScope: 'private',
    }),
};
export const legacyOpening: Readonly<Record<string, ChildMethod>> = {
  initialize: (request, side) =>
    side.answer(request, {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'child', version: '1' },
    }),
  'notifications/initialized': () => undefined,
};

/** How to start a child server with these functions. */
export function childServer(plan: ChildPlan): StdioOptions {
  const main = fileURLToPath(new URL('childServerMain.ts', import.meta.url));
  const methods = Object.fromEntries(
    Object.entries(plan.methods ?? {}).map(([name, method]) => [name, method.toString()]),
  );
  const sources = JSON.stringify({
    methods,
    ignoreEnd: plan.ignoreEnd ?? false,
    ...(plan.start === undefined ? undefined : { start: plan.start.toString() }),
  });
  return { command: process.execPath, args: [main, sources], env: {}, cwd: process.cwd(), graceMs: 200 };
}
