import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import { connectClient } from '../../../src/client/connectClient.ts';
import { stdioSource } from '../../../src/client/transportSources.ts';
import type { Era, ToolList } from '../../../src/protocol/model.ts';
import { Catalogue } from '../../../src/tools/catalogue.ts';
import type { CatalogueEntry } from '../../../src/tools/catalogueEntry.ts';
import { SchemaChecker } from '../../../src/tools/schemaChecker.ts';
import { serverScript } from './install.ts';
import type { CorpusServer } from './servers.ts';

/** What the catalogue makes of a server's tools; the same each time for the same version of the server. */
export interface ServerSummary {
  readonly name: string;
  readonly version: string;
  readonly era: Era;
  readonly tools: number;
  /** Estimated for all tools together. */
  readonly tokens: number;
  /** Schemas that only the worker may compile. */
  readonly costly: number;
  readonly setAside: Readonly<Record<string, string>>;
  readonly flagged: Readonly<Record<string, readonly string[]>>;
  /** Tools whose schema for models differs in more than `$schema`. */
  readonly repaired: number;
  /** Kinds of differences, and how many there are of each. */
  readonly repairs: Readonly<Record<string, number>>;
  /** Tools that cannot be given to a model. */
  readonly unusable: Readonly<Record<string, string>>;
}

/** The summary, and what differs from run to run: milliseconds. */
export interface MeasuredServer {
  readonly summary: ServerSummary;
  readonly listMs: number;
  /** For all schemas together, and for the slowest. */
  readonly compileMs: number;
  readonly slowestMs: number;
}

/** Starts a server, lists its tools and looks at them the way the extension does. */
export async function measureServer(server: CorpusServer): Promise<MeasuredServer> {
  const start = performance.now();
  const { era, list } = await listTools(server);
  const listMs = performance.now() - start;
  const checker = new SchemaChecker({
    workerUrl: new URL('../../../src/tools/schemaWorker.ts', import.meta.url),
  });
  try {
    const times: number[] = [];
    let costly = 0;
    for (const { inputSchema, outputSchema } of list.tools) {
      for (const schema of [inputSchema, outputSchema]) {
        if (schema === undefined) continue;
        if (checker.plan(schema).kind === 'worker') costly += 1;
        const before = performance.now();
        await checker.check(schema, {});
        times.push(performance.now() - before);
      }
    }
    const catalogue = new Catalogue({ enabled: { get: () => undefined, set: () => undefined }, checker });
    await catalogue.setServerTools(server.name, list);
    // What the worker knows already is put in place in the turns after this one.
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
    return {
      summary: { name: server.name, version: server.version, era, ...summarise(catalogue.entries), costly },
      listMs,
      compileMs: times.reduce((sum, time) => sum + time, 0),
      slowestMs: Math.max(0, ...times),
    };
  } finally {
    checker.dispose();
  }
}

function summarise(
  entries: readonly CatalogueEntry[],
): Omit<ServerSummary, 'name' | 'version' | 'era' | 'costly'> {
  const setAside: Record<string, string> = {};
  const flagged: Record<string, readonly string[]> = {};
  const unusable: Record<string, string> = {};
  const repairs: Record<string, number> = {};
  let repaired = 0;
  for (const entry of entries) {
    if (entry.state.kind === 'setAside') {
      setAside[entry.toolName] = entry.state.reason;
      continue;
    }
    if (entry.flags.length > 0)
      flagged[entry.toolName] = entry.flags.map(({ kind, detail }) => `${kind}: ${detail}`);
    const model = entry.modelSchema;
    if (model.kind === 'unusable') unusable[entry.toolName] = model.reason;
    else {
      const differences = model.repairs.filter(({ detail }) => detail !== 'Left out: $schema.');
      if (differences.length > 0) repaired += 1;
      for (const { detail } of differences) {
        const kind = detail.replace(/"(?:#|http)[^"]*"/g, '…');
        repairs[kind] = (repairs[kind] ?? 0) + 1;
      }
    }
  }
  const tokens = entries.reduce((sum, entry) => sum + entry.tokens, 0);
  return { tools: entries.length, tokens, setAside, flagged, repaired, repairs, unusable };
}

/** Milliseconds that a server may take to start and to list its tools. */
const PATIENCE_MS = 60_000;

async function listTools(server: CorpusServer): Promise<{ readonly era: Era; readonly list: ToolList }> {
  const script = await serverScript(server);
  // A home of its own, so that no server reads or leaves anything elsewhere.
  const home = await mkdtemp(path.join(os.tmpdir(), 'corpus-'));
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const client = await connectClient(
      {
        transports: stdioSource({
          command: process.execPath,
          args: [script, ...(server.args ?? [])],
          env: { HOME: home, USERPROFILE: home },
          cwd: home,
          clock: systemClock,
          onStderr: () => undefined,
        }),
        clientInfo: { name: 'countersign-corpus', version: '0' },
        capabilities: {},
        inputHandler: () =>
          Promise.resolve({ kind: 'refused', code: -32_601, message: 'Nobody is here to answer.' }),
      },
      signal,
    );
    try {
      return { era: client.era, list: await client.listTools({ signal }) };
    } finally {
      await client.close();
    }
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
  }
}
