import assert from 'node:assert/strict';
import { proposeId } from '../../../src/servers/proposeId.ts';
import { it } from '../../helpers/nodeTest.ts';

for (const [line, expected] of [
  ['npx -y @modelcontextprotocol/server-filesystem /tmp', 'filesystem'],
  ['npx -y mcp-server-git@1.2.3', 'git'],
  ['uvx mcp-server-time', 'time'],
  ['/usr/bin/node --inspect /opt/tools/weather.mjs stdio', 'weather'],
  ['python3.12 server.py', 'server'],
  ['C:\\tools\\notes.exe', 'notes'],
  ['github-mcp-server stdio', 'github-mcp-server'],
  ['node', 'node'],
  ['npx @scope/', 'server'],
] as const) {
  it(`the id that is proposed for ${line}: ${expected}`, () =>
    assert.equal(proposeId(line.split(' ')), expected));
}
