import { AuditLog } from '../../src/audit/auditLog.ts';
import { systemClock } from '../../src/base/clock.ts';
import { connectClient } from '../../src/client/connectClient.ts';
import { createStdioTransport } from '../../src/transport/stdioTransport.ts';
import { auditKey, intent, result, subject } from './auditKit.ts';

/*
 * Makes calls at full speed until it is killed: intent, call, outcome, as the road does. Arguments: the folder of
 * the journal, the server's script, the file of the server's notes.
 */
const [folder = '', script = '', notes = ''] = process.argv.slice(2);
const lanes = 16;
const command = { command: process.execPath, args: [script, notes], env: {}, cwd: process.cwd() };

const log = new AuditLog(
  // Small files, so that the end also comes while one file is left for the next.
  { folder, storage: 'redacted', sync: 'group', whenFailing: 'stop', maximumFileBytes: 20_000 },
  auditKey,
  systemClock,
);
const client = await connectClient(
  {
    transports: { kind: 'stdio', create: () => createStdioTransport(command) },
    clientInfo: { name: 'crash', version: '1' },
    capabilities: {},
    inputHandler: () => Promise.resolve({ kind: 'refused', code: -32601, message: 'no' }),
  },
  AbortSignal.timeout(30_000),
);

let count = 0;
async function lane(number: number): Promise<void> {
  for (;;) {
    const id = `call-${++count}`;
    const of = subject(id);
    const args = { id, filler: 'x'.repeat((count * 37) % 600) };
    await log.intent(intent(of, args), { personDecided: number % 8 === 0 });
    const answer = await client.callTool({ name: 'note', arguments: args });
    log.record({ ...result(of), result: answer });
  }
}

process.stdout.write('ready\n');
await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
