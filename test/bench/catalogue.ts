import { isJsonObject, type JsonObject } from '../../src/base/json.ts';
import type { Tool } from '../../src/protocol/model.ts';
import { Catalogue } from '../../src/tools/catalogue.ts';
import { exposeTools, offeredEntries, readyTools } from '../../src/tools/exposedTools.ts';
import { MAX_LOOKED_AT } from '../../src/tools/hostTools.ts';
import { SchemaChecker } from '../../src/tools/schemaChecker.ts';
import { ToolSearch } from '../../src/tools/toolSearch.ts';
import { step } from './stretch.ts';

/*
 * `npm run bench:catalogue`: 10,000 tools over 50 servers. Prints, for each step, the time in all and the longest
 * time for which it held the thread.
 */

const SERVERS = 50;
const TOOLS = 200;

const verbs = ['create', 'list', 'get', 'update', 'delete', 'search', 'merge', 'close', 'assign', 'export'];
const nouns = [
  'issue',
  'pull_request',
  'invoice',
  'calendar_event',
  'file',
  'customer',
  'deployment',
  'message',
];

function makeTool(server: number, index: number): Tool {
  const verb = verbs[index % verbs.length] ?? '';
  const noun = nouns[(index + server) % nouns.length] ?? '';
  const properties: Record<string, JsonObject> = {};
  for (let number = 0; number < 4 + (index % 12); number += 1) {
    properties[`argument_${number}`] =
      number % 4 === 0
        ? {
            type: ['string', 'null'],
            description: `The ${noun} to ${verb}, by its id or its full name.`,
            maxLength: 200,
          }
        : number % 4 === 1
          ? { type: 'array', items: { type: 'string', pattern: '^[a-z0-9-]+$' }, description: 'Labels.' }
          : number % 4 === 2
            ? { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }], default: null }
            : {
                type: 'object',
                properties: { from: { type: 'string', format: 'date-time' }, kind: { enum: ['a', 'b'] } },
              };
  }
  const definition = {
    name: `${verb}_${noun}_${index}`,
    description: `Use this tool to ${verb} one or more of the ${noun}s of the account. `.repeat(
      1 + (index % 9),
    ),
    inputSchema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties,
      required: ['argument_0'],
    },
  };
  // As it comes over the wire: every list is made of new objects.
  const parsed: unknown = JSON.parse(JSON.stringify(definition));
  if (!isJsonObject(parsed) || !isJsonObject(parsed['inputSchema'])) throw new Error('unreachable');
  return { ...definition, inputSchema: parsed['inputSchema'], definition: parsed };
}

const lists = new Map(
  Array.from({ length: SERVERS }, (_, server) => [
    `server${server}`,
    Array.from({ length: TOOLS }, (_unused, index) => makeTool(server, index)),
  ]),
);
const checker = new SchemaChecker({ workerUrl: new URL('../../src/tools/schemaWorker.ts', import.meta.url) });
const choices = new Map<string, boolean>();
const catalogue = new Catalogue({
  checker,
  enabled: {
    get: (server, tool) => choices.get(server + tool),
    set: (server, tool, on) => void choices.set(server + tool, on),
  },
});
let changes = 0;
catalogue.onDidChange((change) => {
  changes += change.added.length + change.changed.length + change.removed.length;
});

console.log(`${SERVERS} servers with ${TOOLS} tools each`);
await step('ids of all servers', () => catalogue.setServerIds([...lists.keys()]));
await step('build: all servers at once', () =>
  Promise.all([...lists].map(([id, tools]) => catalogue.setServerTools(id, { tools, rejected: [] }))),
);
await step('refresh: one server, nothing changed', () =>
  catalogue.setServerTools('server7', { tools: lists.get('server7') ?? [], rejected: [] }),
);
await step('refresh: one server, one tool changed', () =>
  catalogue.setServerTools('server7', {
    tools: (lists.get('server7') ?? []).map((tool, index) => {
      if (index !== 3) return tool;
      return { ...tool, description: 'new', definition: { ...tool.definition, description: 'new' } };
    }),
    rejected: [],
  }),
);
await step('switch off 100 tools of one server', () =>
  catalogue.setEnabled(
    'server9',
    (lists.get('server9') ?? []).slice(0, 100).map(({ name }) => name),
    false,
  ),
);
await step('another server is configured', () => catalogue.setServerIds([...lists.keys(), 'one_more']));
await step('tree: all servers with their tools and tokens', () => {
  let tokens = 0;
  for (const id of catalogue.serverIds) for (const entry of catalogue.entriesOf(id)) tokens += entry.tokens;
  return tokens;
});
await step('what the model gets (too many: search)', () => exposeTools(catalogue.entries));
await step('what the model gets (128 tools listed)', () =>
  exposeTools(catalogue.entriesOf('server1').slice(0, 128)),
);
const wide = Array.from({ length: 150 }, (_, index): Tool => {
  const properties = Object.fromEntries(
    Array.from({ length: 15_000 }, (_unused, number) => [`argument_${number}`, {}]),
  );
  const inputSchema = { type: 'object', properties };
  const definition = { name: `wide_${index}`, inputSchema };
  return { ...definition, definition };
});
const wideCatalogue = new Catalogue({ enabled: { get: () => true, set: () => undefined }, checker });
await step('150 tools of 15,000 arguments: build', () =>
  wideCatalogue.setServerTools('wide', { tools: wide, rejected: [] }),
);
await step('150 tools of 15,000 arguments: what the model gets', () => exposeTools(wideCatalogue.entries));
await step('150 tools of 15,000 arguments: what a search finds', async () =>
  readyTools(await new ToolSearch().search(wideCatalogue.entries, 'wide', MAX_LOOKED_AT), 25),
);
const search = new ToolSearch();
await step('search: the first one, which builds the index', () =>
  search.search(offeredEntries(catalogue.entries), 'close invoice', 8),
);
for (const query of [
  'create calendar event',
  'server12 deployment',
  'a',
  'tool account use one more',
  'nothing at all',
]) {
  await step(`search: ${query}`, () => search.search(offeredEntries(catalogue.entries), query, 8));
}
const name = catalogue.entriesOf('server3')[5]?.modelName ?? '';
await step('resolve 100,000 names', () => {
  for (let turn = 0; turn < 100_000; turn += 1) catalogue.resolve(name);
});
await step('remove a server', () => catalogue.removeServer('server3'));
console.log(
  `${changes} changes announced, ${catalogue.entries.length} tools left, ${(process.memoryUsage().heapUsed / 1e6).toFixed(0)} MB of heap`,
);
checker.dispose();
