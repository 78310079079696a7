import * as vscode from 'vscode';
import { splitCommandLine } from '../servers/commandLine.ts';
import { parseServers } from '../servers/configuration.ts';
import { proposeId } from '../servers/proposeId.ts';
import { writeServer } from './settings.ts';
import { pick } from './pick.ts';

/** Asks for a new server step by step and writes it to the user's settings. Escape at any step ends it. */
export async function addServer(taken: (id: string) => boolean): Promise<string | undefined> {
  const type = await pick(
    [
      {
        label: 'Program (stdio)',
        detail: 'Started on this machine, for example with npx, uvx or docker',
        type: 'stdio',
      },
      { label: 'HTTP', detail: 'Reached at an address', type: 'http' },
    ],
    { title: 'Add MCP Server', placeHolder: 'How is the server reached?' },
  );
  if (type === undefined) return undefined;
  const entry = type.type === 'stdio' ? await askCommand() : await askAddress();
  if (entry === undefined) return undefined;
  const id = await vscode.window.showInputBox({
    title: 'Add MCP Server: Server Id',
    prompt: 'The name of the server in prompts, rules and the record',
    value: entry.type === 'http' ? new URL(entry.url).hostname : proposeId([entry.command, ...entry.args]),
    ignoreFocusOut: true,
    validateInput: (value) =>
      taken(value) ? `There is a server "${value}" already.` : problemOf(value, entry),
  });
  if (id === undefined) return undefined;
  await writeServer(id, entry);
  return id;
}

type Entry =
  | { readonly type: 'stdio'; readonly command: string; readonly args: readonly string[] }
  | { readonly type: 'http'; readonly url: string };

async function askCommand(): Promise<Entry | undefined> {
  const line = await vscode.window.showInputBox({
    title: 'Add MCP Server: Command Line',
    prompt: 'The program and its arguments; put parts with spaces in double quotes',
    placeHolder: 'npx -y @modelcontextprotocol/server-everything',
    ignoreFocusOut: true,
    validateInput: (value) =>
      splitCommandLine(value) === undefined ? 'A quote is not closed, or there is no program.' : undefined,
  });
  const [command, ...args] = (line === undefined ? undefined : splitCommandLine(line)) ?? [];
  return command === undefined ? undefined : { type: 'stdio', command, args };
}

async function askAddress(): Promise<Entry | undefined> {
  const url = await vscode.window.showInputBox({
    title: 'Add MCP Server: Address',
    prompt: "The address of the server's MCP endpoint",
    placeHolder: 'https://example.com/mcp',
    ignoreFocusOut: true,
    validateInput: (value) =>
      /^https?:\/\//.test(value) && URL.canParse(value)
        ? undefined
        : 'Enter an address that begins with https:// or http://.',
  });
  return url === undefined ? undefined : { type: 'http', url };
}

function problemOf(id: string, entry: Entry): string | undefined {
  const [parsed] = parseServers({ user: { [id]: entry }, workspace: undefined }).entries;
  return parsed?.kind === 'invalid' ? parsed.problems.map(({ message }) => message).join(' ') : undefined;
}
