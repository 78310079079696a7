import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { CallReport } from '../../src/calls/callTypes.ts';
import type { ApprovalCard } from '../../src/shared/approvalCard.ts';
import { startRoad, type TestRoad } from './road.ts';
import { type ScriptServer, scriptServer } from './scriptServer.ts';

/** A tool that calls itself harmless. */
export const write = {
  name: 'write',
  title: 'Write',
  description: 'Writes a text',
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string' }, repo: { type: 'string' } },
    required: ['text'],
  },
  annotations: { readOnlyHint: true, destructiveHint: false },
};

/** Closed with the test file. */
export const roads: TestRoad[] = [];
after(() => Promise.all(roads.map((road) => road.close())));

/** The road on one server, `files`, with these tools; `call` calls one of them as a chat would. */
export async function start(
  tools: readonly object[] = [write],
  options: Omit<Parameters<typeof startRoad>[0], 'servers'> = {},
): Promise<{
  road: TestRoad;
  server: ScriptServer;
  call: (args: unknown, tool?: string) => Promise<CallReport>;
}> {
  const server = scriptServer(tools);
  const road = await startRoad({ servers: { files: server.entry }, ...options });
  roads.push(road);
  await road.running(1);
  const call = (args: unknown, tool = 'write'): Promise<CallReport> =>
    road.calls.invoke({
      caller: { kind: 'chat', label: 'model', turn: 'turn 1' },
      target: { kind: 'tool', serverId: 'files', toolName: tool },
      arguments: args,
    });
  return { road, server, call };
}

/** The first prompt that waits, which has to be about a call. */
export async function approvalCard(road: TestRoad): Promise<ApprovalCard> {
  const card = await road.prompt();
  assert.ok(card.kind === 'approval');
  return card;
}

/** The next change of the catalogue. */
export function nextChange(road: TestRoad): Promise<void> {
  return new Promise((resolve) => {
    const once = road.catalogue.onDidChange(() => {
      once.dispose();
      resolve();
    });
  });
}

/** What the model is told. */
export const textOf = (report: CallReport): string =>
  report.parts.map((part) => (part.kind === 'text' ? part.text : part.mimeType)).join('\n');
