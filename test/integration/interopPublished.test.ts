import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { JsonObject } from '../../src/base/json.ts';
import { withServer } from '../helpers/childClient.ts';
import { describe, it } from '../helpers/nodeTest.ts';

/*
 * Published servers: the list of their tools and one harmless call. Most come with the project, as pinned
 * development dependencies; the others, which are heavy or download more, are looked for in the folder that
 * COUNTERSIGN_PUBLISHED_SERVERS names.
 */

interface Published {
  readonly name: string;
  /** Below node_modules. */
  readonly main: string;
  /** Not a development dependency. */
  readonly isExtra?: boolean;
  readonly args?: readonly string[];
  readonly call: { readonly name: string; readonly arguments: JsonObject };
  /**
   * False where a call that succeeds would need a network or a program that need not be there: then it is one
   * that the server refuses by itself, and any answer will do.
   */
  readonly succeeds: boolean;
}

const scope = '@modelcontextprotocol';
const servers: readonly Published[] = [
  {
    name: 'everything',
    main: `${scope}/server-everything/dist/index.js`,
    call: { name: 'echo', arguments: { message: 'hello' } },
    succeeds: true,
  },
  {
    name: 'filesystem',
    main: `${scope}/server-filesystem/dist/index.js`,
    args: [tmpdir()],
    call: { name: 'list_allowed_directories', arguments: {} },
    succeeds: true,
  },
  {
    name: 'memory',
    main: `${scope}/server-memory/dist/index.js`,
    call: { name: 'read_graph', arguments: {} },
    succeeds: true,
  },
  {
    name: 'sequential thinking',
    main: `${scope}/server-sequential-thinking/dist/index.js`,
    call: {
      name: 'sequentialthinking',
      arguments: { thought: 'a', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
    },
    succeeds: true,
  },
  {
    name: 'GitHub',
    main: `${scope}/server-github/dist/index.js`,
    call: { name: 'search_repositories', arguments: {} },
    succeeds: false,
  },
  {
    name: 'Context7',
    main: '@upstash/context7-mcp/dist/index.js',
    isExtra: true,
    call: { name: 'resolve-library-id', arguments: { libraryName: 'react', query: 'react' } },
    succeeds: false,
  },
  {
    name: 'Playwright',
    main: '@playwright/mcp/cli.js',
    isExtra: true,
    args: ['--headless'],
    call: { name: 'browser_close', arguments: {} },
    succeeds: false,
  },
  {
    name: 'code runner',
    main: 'mcp-server-code-runner/dist/cli.js',
    call: { name: 'run-code', arguments: { code: '1', languageId: 'no such language' } },
    succeeds: false,
  },
  {
    name: 'simulator',
    main: 'ios-simulator-mcp/build/index.js',
    call: { name: 'get_booted_sim_id', arguments: {} },
    succeeds: false,
  },
  {
    name: 'Reddit',
    main: 'reddit-mcp-buddy/dist/cli.js',
    call: { name: 'reddit_explain', arguments: { term: 'karma' } },
    succeeds: true,
  },
  {
    name: 'commands',
    main: '@agent-infra/mcp-server-commands/dist/index.cjs',
    isExtra: true,
    call: { name: 'run_command', arguments: { command: 'echo hello' } },
    succeeds: true,
  },
  {
    name: 'charts',
    main: '@antv/mcp-server-chart/build/index.js',
    call: { name: 'generate_pie_chart', arguments: {} },
    succeeds: false,
  },
  {
    name: 'Mantine',
    main: '@mantine/mcp-server/bin/mcp-server.cjs',
    isExtra: true,
    call: { name: 'list_items', arguments: {} },
    succeeds: false,
  },
];

const extra = process.env['COUNTERSIGN_PUBLISHED_SERVERS'];
const folders = [process.cwd(), ...(extra === undefined ? [] : [extra])].map((folder) =>
  path.join(folder, 'node_modules'),
);

function find(main: string): string | undefined {
  return folders.map((folder) => path.join(folder, main)).find((file) => existsSync(file));
}

describe('published servers', () => {
  for (const { name, main, args = [], call, succeeds, isExtra = false } of servers) {
    const file = find(main);
    if (file === undefined && isExtra && extra === undefined) continue;
    it(name, async () => {
      assert.ok(file !== undefined, `${main} is not installed.`);
      const server = {
        command: process.execPath,
        args: [file, ...args],
        env: {},
        cwd: tmpdir(),
        graceMs: 200,
      };
      await withServer(server, async ({ client }) => {
        const { tools, rejected } = await client.listTools();
        // One published server has a tool that can only be called as a task.
        assert.deepEqual(
          rejected.filter(({ reason }) => !reason.includes('as a task')),
          [],
        );
        assert.ok(tools.length > 0);
        const answer = client.callTool(call, { timeoutMs: 10_000 });
        if (succeeds) assert.equal((await answer).isError, false);
        else await answer.catch((error: unknown) => assert.equal((error as Error).name, 'RpcError'));
      });
    });
  }
});
