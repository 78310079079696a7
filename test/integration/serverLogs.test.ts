import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Emitter } from '../../src/base/event.ts';
import type { ShownLevel, ShownLevelSource } from '../../src/servers/followLog.ts';
import { describe, it } from '../helpers/nodeTest.ts';
import { startOfficialHttp } from '../helpers/officialHttp.ts';
import { until } from '../helpers/processes.ts';
import { startServers, type TestManager } from '../helpers/serverManager.ts';

/* What servers log, in the log of the right server, while somebody looks at it in detail. */

/** How somebody looks at the log of each server. */
class Looks {
  readonly #levels = new Map<string, ShownLevel>();
  readonly #changed = new Emitter<void>();

  readonly of = (serverId: string): ShownLevelSource => ({
    level: () => this.#levels.get(serverId) ?? 'info',
    onDidChange: this.#changed.event,
  });

  set(serverId: string, level: ShownLevel): void {
    this.#levels.set(serverId, level);
    this.#changed.fire();
  }
}

interface Place {
  readonly name: string;
  readonly open: () => Promise<{
    readonly config: object;
    readonly close: () => Promise<void>;
    readonly forget?: () => void;
  }>;
}

const main = fileURLToPath(new URL('../helpers/officialStdioMain.ts', import.meta.url));
const http = async (
  era: 'modern' | 'legacy',
): Promise<{ config: object; close: () => Promise<void>; forget: () => void }> => {
  const { url, close, forget } = await startOfficialHttp(era);
  return { config: { type: 'http', url }, close, forget };
};
const places: readonly Place[] = [
  {
    name: 'stdio, modern',
    open: () =>
      Promise.resolve({
        config: { command: process.execPath, args: [main, 'reject'] },
        close: () => Promise.resolve(),
      }),
  },
  { name: 'HTTP, modern', open: () => http('modern') },
  { name: 'HTTP, legacy', open: () => http('legacy') },
];

async function call(test: TestManager, name: string): Promise<void> {
  const client = await test.manager.get('talks')?.ready(undefined);
  await client?.callTool({ name, arguments: {} });
}

const said = (test: TestManager): readonly object[] =>
  test.log.filter(({ text }) => /detail|disk|level[ -]message/.test(text));

const entries = [
  { level: 'debug', text: '[official] detail\n    | ⟦U+202E RLO⟧liated', serverId: 'talks' },
  { level: 'error', text: 'critical: {"disk":"full"}', serverId: 'talks' },
];

for (const { name, open } of places) {
  describe(`the log of a server (${name})`, () => {
    it('is asked for while it is looked at in detail, and goes to its own channel only', async () => {
      const { config, close } = await open();
      const looks = new Looks();
      const test = startServers(
        { talks: config, quiet: { command: process.execPath, args: [main, 'reject'] } },
        { shownLevel: looks.of },
      );
      try {
        await test.reaches('talks', 'running');
        await test.reaches('quiet', 'running');
        if (name.endsWith('modern')) {
          await call(test, 'log');
          assert.deepEqual(said(test), []);
        }
        looks.set('quiet', 'warn');
        looks.set('talks', 'trace');
        await until(async () => {
          await call(test, 'log');
          return test.log.some(({ level }) => level === 'debug' && said(test).length > 0);
        });
        // Not looked at in detail any more: modern servers are not asked, legacy ones for less.
        looks.set('talks', 'error');
        await until(async () => {
          const before = said(test).length;
          await call(test, 'log');
          return said(test).length - before === (name.endsWith('modern') ? 0 : 1);
        });
        const distinct = [...new Set(said(test).map((entry) => JSON.stringify(entry)))].sort();
        assert.deepEqual(distinct, entries.map((entry) => JSON.stringify(entry)).sort());
      } finally {
        await test.manager.stopAll();
        await close();
      }
    });

    it('is asked for from the start when it is looked at already, and again after a restart', async () => {
      const { config, close } = await open();
      const looks = new Looks();
      looks.set('talks', 'debug');
      const test = startServers({ talks: config }, { shownLevel: looks.of });
      const isHeard = async (): Promise<boolean> => {
        const before = test.log.filter(({ level }) => level === 'debug').length;
        await call(test, 'log');
        return test.log.filter(({ level }) => level === 'debug').length > before;
      };
      try {
        await test.reaches('talks', 'running');
        await until(isHeard);
        await test.manager.get('talks')?.restart();
        await test.reaches('talks', 'running');
        await until(isHeard);
      } finally {
        await test.manager.stopAll();
        await close();
      }
    });
  });
}

it('a legacy server that forgot the session is told again how much to log', async () => {
  const { config, close, forget } = await http('legacy');
  const looks = new Looks();
  looks.set('talks', 'debug');
  const test = startServers({ talks: config }, { shownLevel: looks.of });
  try {
    await test.reaches('talks', 'running');
    // The tools were listed before this; now the session is one that the server has never seen.
    forget();
    looks.set('talks', 'debug');
    await call(test, 'echo');
    const before = said(test).length;
    await until(async () => {
      await call(test, 'log');
      return test.log.slice(before).some(({ level }) => level === 'debug');
    });
  } finally {
    await test.manager.stopAll();
    await close();
  }
});

it('a published server of the legacy era logs when asked', async () => {
  const looks = new Looks();
  looks.set('talks', 'debug');
  const everything = createRequire(import.meta.url).resolve(
    '@modelcontextprotocol/server-everything/dist/index.js',
  );
  const test = startServers(
    { talks: { command: process.execPath, args: [everything, 'stdio'] } },
    { shownLevel: looks.of },
  );
  try {
    await test.reaches('talks', 'running');
    await call(test, 'toggle-simulated-logging');
    await until(() => said(test).length > 0);
  } finally {
    await test.manager.stopAll();
  }
});
