// What the user has configured as a secret is known to the record before any server can say it.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { parseServers } from '../../src/servers/configuration.ts';
import { KnownSecrets } from '../../src/vscode/knownSecrets.ts';
import { compilePolicy } from '../../src/policy/policy.ts';
import { askingServer, formQuestion } from '../helpers/askingServer.ts';
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

for (const era of ['legacy', 'modern'] as const) {
  test(`what is typed where a server asks for a secret stays off the record when it says it again (${era})`, async () => {
    const road = await startRoad({ servers: { s: askingServer(era) }, settings: { traces: () => true } });
    roads.push(road);
    const secrets = new KnownSecrets(road.audit, road.manager);
    const listening = road.onSecretsTyped((typed) => secrets.add(typed));
    road.gate.policy = compilePolicy({
      user: [{ server: '*', tool: '*', decision: 'allow' }],
      workspace: [],
    });
    await road.running(1);
    const string = { type: 'string' };
    const [password, token, harmless] = ['Horse-1 battery', 'staple_77', 'plain words'];
    const question = formQuestion('Sign in', {
      type: 'object',
      properties: {
        Passwort: string,
        密码: string,
        name: string,
      },
    });
    const running = road.calls.invoke({
      caller: { kind: 'chat', label: 'model', turn: era },
      target: { kind: 'tool', serverId: 's', toolName: 'ask' },
      arguments: { rounds: [{ q: question }] },
    });
    const content = {
      Passwort: password,
      密码: token,
      name: harmless,
    };
    await road.answer(await road.prompt(), { kind: 'submit', content });
    const report = await running;
    // The server says it all again, and whoever asked for the call gets it.
    assert.ok(JSON.stringify(report.parts).includes('battery'));
    await road.audit.sync();
    const recorded = JSON.stringify(road.events);
    for (const secret of [password, token]) assert.ok(!recorded.includes(secret), secret);
    assert.ok(recorded.includes(harmless));
    listening.dispose();
    secrets.dispose();
  });
}
