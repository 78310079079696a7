// Hosts the VS Code server inside a small HTTP server of ours. Started bare, the server falls short in three
// ways: a built product ignores development extensions named in the URL (the embedder's `developmentOptions`
// do count, so they are written into the page), nobody answers POST /mint-key, so that SecretStorage fails,
// and it ends only when told twice.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadServer } from './serverModule.ts';
import { editPage, type PageChanges } from './serverPage.ts';

/** What the starter passes as the only argument, as JSON. */
export type HostOptions = Readonly<{
  codeServer: string;
  port: number;
  keyFile: string;
  /** Options of the VS Code server, by the names of its command line. */
  args: Readonly<Record<string, unknown>>;
  page: PageChanges;
}>;

const options: HostOptions = JSON.parse(process.argv[2] ?? '');

// Imported without this variable, server-main.js starts a server of its own on port 8000.
process.env['CODE_SERVER_PARENT_PID'] = String(process.pid);
const serverMain = pathToFileURL(path.join(options.codeServer, 'lib/vscode/out/server-main.js'));
const server = await loadServer(serverMain.href, options.args);
// With it, a server-main.js that an extension runs would do nothing.
delete process.env['CODE_SERVER_PARENT_PID'];

// Secrets are kept, encrypted, in the browser's storage; this half of the key is the server's.
if (!existsSync(options.keyFile)) writeFileSync(options.keyFile, randomBytes(32), { mode: 0o600 });
const key = readFileSync(options.keyFile);

const web = http.createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  if (request.method === 'POST' && pathname === '/mint-key') {
    response.end(key);
    return;
  }
  // Icons and the service worker of code-server's own front end, which is not used here.
  if (pathname.startsWith('/_static/')) {
    response.writeHead(204).end();
    return;
  }
  if (pathname === '/') editPage(response, request.headers.host ?? '', options.page);
  server.handleRequest(request, response);
});
web.on('upgrade', (request, socket) => server.handleUpgrade(request, socket));
web.listen(options.port, '127.0.0.1', () => {
  const address = web.address();
  if (address !== null && typeof address === 'object') console.log(`RIG PORT ${address.port}`);
});

// Ends with everything this process forked: on a signal, and when the starter is gone (its end of stdin closes).
function end(): void {
  try {
    server.dispose();
  } finally {
    process.kill(-process.pid, 'SIGKILL');
  }
}
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
process.stdin.on('end', end).on('error', end).resume();
