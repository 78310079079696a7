/* The official server as a child process: `node officialStdioMain.ts serve|reject`. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { buildOfficialServer, type Shelf } from './officialServer.ts';

const shelf: Shelf = { grown: [], cancelled: [], announce: (server) => server.sendToolListChanged() };
const legacy = process.argv[2] === 'reject' ? 'reject' : 'serve';
serveStdio((context) => buildOfficialServer(context, shelf), { legacy });
