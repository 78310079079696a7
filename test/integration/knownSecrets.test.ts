// What the user has configured as a secret is known to the record before any server can say it.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { parseServers } from '../../src/servers/configuration.ts';
import { KnownSecrets } from '../../src/vscode/knownSecrets.ts';
import { startRoad, type TestRoad } from '../helpers/road.ts';

const roads: TestRoad[] = [];
after(() => Promise.all(roads.map((road) => road.close())));

const stdio = (env: object, args: readonly string[] = []): object => ({
  type: 'stdio',
  command: process.execPath,
  args: ['-e', '0', ...args],
  env,
});

test('secrets of servers that are there, come, change and go are hidden', async () => {
  const road = await startRoad({ servers: { first: stdio({ API_TOKEN: 'first-token-1' }) } });
  roads.push(road);
  const secrets = new KnownSecrets(road.audit, road.manager);
  const whenAdded: string[] = [];
  road.manager.onDidChange(({ kind, server }) => {
    if (kind !== 'added') return;
    // What the server could say in the very moment of its start.
    road.audit.record({
      kind: 'serverStopped',
      serverId: server.id,
      reason: 'http-token-2 env-pass-3 arg-key-44444',
    });
  });
  const configure = (servers: object): void =>
    road.manager.configure(parseServers({ user: servers, workspace: undefined }).entries, false);
  configure({
    web: { type: 'http', url: 'https://example.com/mcp', headers: { Authorization: 'Bearer http-token-2' } },
    env: stdio({ DB_PASSWORD: 'env-pass-3', NODE_ENV: 'production' }, ['--api-key=arg-key-44444']),
  });
  configure({});
  secrets.add(['collector-5']);
  road.audit.record({
    kind: 'serverStopped',
    serverId: 'last',
    reason: 'first-token-1 http-token-2 env-pass-3 arg-key-44444 collector-5 production',
  });
  await road.audit.sync();
  for (const event of road.events)
    if (event.kind === 'serverStopped')
      whenAdded.push(event.reason.replaceAll(/\[secret:[\w-]+ #[0-9a-f]+\]/g, '*'));
  assert.equal(whenAdded.at(-1), '* * * * * production');
  assert.ok(whenAdded.includes('* * *'), whenAdded.join('\n'));
  secrets.dispose();
});
