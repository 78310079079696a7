import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../../../src/base/json.ts';
import type { Tool } from '../../../src/protocol/model.ts';
import { Catalogue, type CatalogueChange, type EnabledStore } from '../../../src/tools/catalogue.ts';

export function makeTool(name: string, rest: JsonObject = {}): Tool {
  const definition = { name, inputSchema: { type: 'object' }, ...rest };
  return { ...definition, definition };
}

function memoryStore(): EnabledStore {
  const map = new Map<string, boolean>();
  return {
    get: (serverId, toolName) => map.get(JSON.stringify([serverId, toolName])),
    set: (serverId, toolName, enabled) => void map.set(JSON.stringify([serverId, toolName]), enabled),
  };
}

function summary(change: CatalogueChange): unknown {
  return {
    added: change.added.map((entry) => entry.modelName),
    changed: change.changed.map(({ after }) => after.modelName),
    removed: change.removed.map((entry) => entry.modelName),
  };
}

describe('Catalogue', () => {
  it('announces what was added, changed and removed', async () => {
    const catalogue = new Catalogue({ enabled: memoryStore() });
    const changes: unknown[] = [];
    catalogue.onDidChange((change) => changes.push(summary(change)));
    await catalogue.setServerTools('s', { tools: [makeTool('a'), makeTool('b')], rejected: [] });
    await catalogue.setServerTools('s', {
      tools: [makeTool('a'), makeTool('b', { description: 'new' }), makeTool('c')],
      rejected: [],
    });
    catalogue.removeServer('s');
    assert.deepEqual(changes, [
      { added: ['s_a', 's_b'], changed: [], removed: [] },
      { added: ['s_c'], changed: ['s_b'], removed: [] },
      { added: [], changed: [], removed: ['s_a', 's_b', 's_c'] },
    ]);
  });

  it('sets the second of two equal names aside, and what was no tool', async () => {
    const catalogue = new Catalogue({ enabled: memoryStore() });
    await catalogue.setServerTools('s', {
      tools: [makeTool('a'), makeTool('a', { description: 'other' })],
      rejected: [{ name: '#3', reason: 'no name' }],
    });
    assert.deepEqual(
      catalogue.entries.map((entry) => [entry.toolName, entry.modelName, entry.state]),
      [
        ['a', 's_a', { kind: 'usable' }],
        ['a', '', { kind: 'setAside', reason: 'Another tool earlier in the list has the same name.' }],
        ['#3', '', { kind: 'setAside', reason: 'no name' }],
      ],
    );
    assert.equal(catalogue.find('s', 'a'), catalogue.entries[0]);
    assert.equal(catalogue.resolve('s_a'), catalogue.entries[0]);
    assert.equal(catalogue.resolve('constructor'), undefined);
  });
});
