import * as vscode from 'vscode';
import { describeLaunch, isUnencrypted } from '../servers/launch.ts';
import type { ManagedServer } from '../servers/managedServer.ts';
import type { ServerState } from '../servers/serverState.ts';
import type { CatalogueEntry } from '../tools/catalogueEntry.ts';
import { visibleText } from '../shared/visibleText.ts';
import { oneLine, toolsText } from './treeText.ts';

/** The row of a server. `entries`: its tools in the catalogue. */
export function serverItem(server: ManagedServer, entries: readonly CatalogueEntry[]): vscode.TreeItem {
  const { state } = server;
  // Always unfolded at first: a row that begins as a leaf stays folded when its tools arrive.
  const item = new vscode.TreeItem(oneLine(server.id), vscode.TreeItemCollapsibleState.Expanded);
  item.id = `server/${server.id}`;
  item.contextValue = `server-${state.kind}`;
  item.description = describeState(server, entries);
  item.iconPath = stateIcon(state);
  item.tooltip = serverTooltip(server);
  item.accessibilityInformation = { label: `Server ${oneLine(server.id)}, ${item.description}` };
  return item;
}

function describeState(server: ManagedServer, entries: readonly CatalogueEntry[]): string {
  const { state } = server;
  switch (state.kind) {
    case 'invalid':
      return oneLine(`wrong settings: ${state.problems.map(problemText).join('; ')}`);
    case 'untrusted':
      return 'from this workspace, not trusted yet';
    case 'stopped':
      return 'stopped';
    case 'starting':
      return 'starting…';
    case 'running': {
      const tools = toolsText(entries);
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
  return lines.map((line) => visibleText(line)).join('\n');
}

function problemText(problem: { readonly key: string; readonly message: string }): string {
  return problem.key === '' ? problem.message : `"${problem.key}" ${problem.message}`;
}
