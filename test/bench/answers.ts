/* What the benchmark servers answer; the same for everybody who asks. No library: the server must not be the limit. */

const pageSize = 500;
export const listedTools = 10_000;
/** How many tools the server has: the whole list is for the benchmark of lists only. */
const toolCount = Number(process.argv.at(-1)) || 10;

const result = { content: [{ type: 'text', text: 'hello' }], isError: false };

function tool(index: number): object {
  return {
    name: `tool_${index}`,
    title: `Tool ${index}`,
    description: `The tool number ${index}, which does something with a query and a limit.`,
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What to look for.' },
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['query'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
}

const pages: string[] = [];
for (let start = 0; start < toolCount; start += pageSize) {
  const tools = Array.from({ length: Math.min(pageSize, toolCount - start) }, (_, offset) =>
    tool(start + offset),
  );
  const next = start + pageSize;
  const page = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools };
  pages.push(JSON.stringify(next < toolCount ? { ...page, nextCursor: String(next) } : page));
}

const discover = JSON.stringify({
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {} },
  ttlMs: 0,
  cacheScope: 'private',
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'bench', version: '1' } },
});
const called = JSON.stringify({ resultType: 'complete', ...result });

/** The answer to one message, as text; `undefined` for notifications. */
export function answerTo(text: string): string | undefined {
  const message = JSON.parse(text) as { id?: unknown; method: string; params?: { cursor?: string } };
  if (message.id === undefined) return undefined;
  const id = JSON.stringify(message.id);
  switch (message.method) {
    case 'server/discover':
      return `{"jsonrpc":"2.0","id":${id},"result":${discover}}`;
    case 'tools/call':
      return `{"jsonrpc":"2.0","id":${id},"result":${called}}`;
    case 'tools/list':
      return `{"jsonrpc":"2.0","id":${id},"result":${pages[Number(message.params?.cursor ?? 0) / pageSize] ?? '{}'}}`;
    default:
      return `{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"no"}}`;
  }
}
