import * as vscode from 'vscode';
import { isJsonObject, type JsonValue } from '../base/json.ts';
import type { Tool } from '../protocol/model.ts';
import { describeLaunch, isUnencrypted } from '../servers/launch.ts';
import type { ManagedServer } from '../servers/managedServer.ts';
import type { ServerState } from '../servers/serverState.ts';

export function serverItem(server: ManagedServer): vscode.TreeItem {
  const { state } = server;
  // Always unfolded at first: a row that begins as a leaf stays folded when its tools arrive.
  const item = new vscode.TreeItem(server.id, vscode.TreeItemCollapsibleState.Expanded);
  item.id = `server/${server.id}`;
  item.contextValue = `server-${state.kind}`;
  item.description = describeState(server);
  item.iconPath = stateIcon(state);
  item.tooltip = serverTooltip(server);
  item.accessibilityInformation = { label: `Server ${server.id}, ${item.description}` };
  return item;
}

export function toolItem(server: ManagedServer, tool: Tool): vscode.TreeItem {
  const item = new vscode.TreeItem(tool.name, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `tool/${server.id}/${tool.name}`;
  item.contextValue = 'tool';
  const title = tool.title ?? tool.annotations?.title;
  if (title !== undefined && title !== tool.name) item.description = oneLine(title);
  // Plain text on purpose: a description is server text and must not become markup.
  item.tooltip = [title, tool.description].filter((part) => part !== undefined).join('\n\n') || tool.name;
  item.iconPath = new vscode.ThemeIcon('tools');
  item.accessibilityInformation = { label: `Tool ${tool.name} of ${server.id}` };
  return item;
}

/** One row per top-level argument of a tool. */
export function toolArgumentItems(server: ManagedServer, tool: Tool): vscode.TreeItem[] {
  const properties = tool.inputSchema['properties'];
  if (!isJsonObject(properties) || Object.keys(properties).length === 0) {
    const item = new vscode.TreeItem('no arguments');
    item.id = `argument/${server.id}/${tool.name}/`;
    return [item];
  }
  const required = tool.inputSchema['required'];
  return Object.entries(properties).map(([name, schema]) => {
    const item = new vscode.TreeItem(name);
    item.id = `argument/${server.id}/${tool.name}/${name}`;
    const needed = Array.isArray(required) && required.includes(name);
    item.description = `${describeType(schema)}${needed ? ', required' : ''}`;
    const description = isJsonObject(schema) ? schema['description'] : undefined;
    if (typeof description === 'string') item.tooltip = description;
    item.iconPath = new vscode.ThemeIcon('symbol-parameter');
    return item;
  });
}

function describeType(schema: JsonValue | undefined): string {
  if (!isJsonObject(schema)) return 'any value';
  const { type } = schema;
  if (Array.isArray(schema['enum'])) return `one of ${schema['enum'].length} values`;
  if (typeof type === 'string') return type;
  if (Array.isArray(type)) return type.join(' or ');
  return 'any value';
}

function describeState(server: ManagedServer): string {
  const { state } = server;
  switch (state.kind) {
    case 'invalid':
      return `wrong settings: ${state.problems.map(problemText).join('; ')}`;
    case 'untrusted':
      return 'from this workspace, not trusted yet';
    case 'stopped':
      return 'stopped';
    case 'starting':
      return 'starting…';
    case 'running': {
      const count = server.tools.tools.length;
      const tools = `${count} ${count === 1 ? 'tool' : 'tools'}`;
      return state.toolsFailure === undefined
        ? `running · ${tools}`
        : `running · ${tools}, list is out of date`;
    }
    case 'restarting':
      return `restarting: ${oneLine(state.failure.message)}`;
    case 'failed':
      return `failed: ${oneLine(state.failure.message)}`;
  }
}

function stateIcon(state: ServerState): vscode.ThemeIcon {
  switch (state.kind) {
    case 'running':
      return new vscode.ThemeIcon('vm-running', new vscode.ThemeColor('testing.iconPassed'));
    case 'starting':
    case 'restarting':
      return new vscode.ThemeIcon('loading~spin');
    case 'stopped':
      return new vscode.ThemeIcon('vm-outline');
    case 'untrusted':
      return new vscode.ThemeIcon('workspace-untrusted');
    case 'invalid':
    case 'failed':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  }
}

function serverTooltip(server: ManagedServer): string {
  const { state, resolved } = server;
  const lines: string[] = [];
  if (resolved?.kind === 'resolved') {
    lines.push(describeLaunch(resolved.launch));
    if (isUnencrypted(resolved.launch))
      lines.push('Not encrypted: others on the network can read what is sent.');
  }
  if (state.kind === 'invalid') lines.push(...state.problems.map(problemText));
  if (state.kind === 'running') {
    const { client } = state;
    const info = client.serverInfo;
    lines.push(`Protocol ${client.protocolVersion} (${client.era})`);
    if (info !== undefined) lines.push(`Says it is ${oneLine(`${info.name} ${info.version}`)} (unverified)`);
    if (state.toolsFailure !== undefined) lines.push(state.toolsFailure.message);
  }
  if (state.kind === 'failed' || state.kind === 'restarting') {
    lines.push(state.failure.message, ...state.failure.stderr);
  }
  return lines.join('\n');
}

function problemText(problem: { readonly key: string; readonly message: string }): string {
  return problem.key === '' ? problem.message : `"${problem.key}" ${problem.message}`;
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}
