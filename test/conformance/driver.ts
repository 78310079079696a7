/*
 * What the conformance suite runs: our client against the suite's server, one scenario a process.
 * `node driver.ts URL`, with the scenario's name and context in the environment. Exit code 0 means that
 * everything the scenario asks of a client was done; what was done well is for the suite to judge.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type ClientOptions } from '../../src/client/clientOptions.ts';
import { connectClient } from '../../src/client/connectClient.ts';
import type { ConnectedClient } from '../../src/client/connectedClient.ts';
import { agreeablePerson } from './person.ts';
import { httpSource } from '../../src/client/transportSources.ts';
import { RpcError } from '../../src/base/errors.ts';
import { isJsonObject, type JsonObject } from '../../src/base/json.ts';

type Scenario = (client: ConnectedClient, context: JsonObject) => Promise<void>;

const list: Scenario = async (client) => void (await client.listTools());

const scenarios: Readonly<Record<string, Scenario>> = {
  initialize: list,
  tools_call: async (client) => {
    await client.listTools();
    await client.callTool({ name: 'add_numbers', arguments: { a: 5, b: 3 } });
  },
  'elicitation-sep1034-client-defaults': callOnly('test_client_elicitation_defaults'),
  'sse-retry': callOnly('test_reconnection'),
  'request-metadata': list,
  'http-standard-headers': async (client) => {
    const { tools } = await client.listTools();
    await client.callTool({ name: tools[0]?.name ?? 'missing', arguments: {} });
    await client.listResources();
    await client.listPrompts();
    await client.readResource('file:///path/to/file%20name.txt');
    await client.getPrompt({ name: 'test_prompt' });
  },
  'http-custom-headers': async (client, context) => {
    await client.listTools();
    for (const call of asList(context['toolCalls'])) {
      if (!isJsonObject(call)) throw new Error('The context holds a call that is none.');
      const { name, arguments: args } = call;
      await client.callTool({ name: asText(name), arguments: isJsonObject(args) ? args : {} });
    }
  },
  'http-invalid-tool-headers': async (client) => {
    for (const tool of (await client.listTools()).tools)
      await client.callTool({ name: tool.name, arguments: { region: 'us-west1' } });
  },
  'sep-2322-client-request-state': async (client) => {
    const { tools } = await client.listTools();
    for (const tool of tools) {
      try {
        await client.callTool({ name: tool.name, arguments: {} });
      } catch (error) {
        // One of the tools answers with an error of its own; that is part of the scenario.
        if (!(error instanceof RpcError)) throw error;
      }
    }
  },
  'json-schema-ref-no-deref': list,
  'json-schema-2020-12-preservation': async (client) => {
    const { tools } = await client.listTools();
    const schema = tools.find((tool) => tool.name === 'json_schema_2020_12_tool')?.inputSchema;
    if (schema === undefined) throw new Error('The tool to preserve is not in the list.');
    await client.callTool({ name: 'json_schema_echo', arguments: { schema } });
  },
};

function callOnly(name: string): Scenario {
  return async (client) => {
    await client.listTools();
    await client.callTool({ name, arguments: {} });
  };
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new Error('A text was expected.');
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

async function run(): Promise<void> {
  const name = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
  const scenario = scenarios[name];
  if (scenario === undefined) throw new Error(`No driver for the scenario "${name}".`);
  const given: unknown = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}');
  const options: ClientOptions = {
    transports: httpSource({ url: process.argv.at(-1) ?? '' }),
    clientInfo: { name: 'countersign', title: 'Countersign', version: '0.0.0-conformance' },
    capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
    inputHandler: agreeablePerson(),
    log: (line) => console.error(`${line.level}: ${line.text}`),
  };
  const client = await connectClient(options, AbortSignal.timeout(30_000));
  try {
    await scenario(client, isJsonObject(given) ? given : {});
  } finally {
    await client.close();
  }
}

const { values } = parseArgs({ options: { report: { type: 'string' } }, allowPositionals: true });
let report: { readonly ok: boolean; readonly error?: string } = { ok: true };
try {
  await run();
} catch (error) {
  console.error(error);
  report = { ok: false, error: String(error) };
  process.exitCode = 1;
}
if (values.report !== undefined) await writeFile(values.report, JSON.stringify(report));
