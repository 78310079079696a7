import * as vscode from 'vscode';
import { systemClock } from '../base/clock.ts';
import type { LaunchConsent } from '../calls/launchConsent.ts';
import type { ManagedServer } from '../servers/managedServer.ts';
import type { ServerManager } from '../servers/serverManager.ts';
import type { Catalogue } from '../tools/catalogue.ts';
import type { CatalogueEntry } from '../tools/catalogueEntry.ts';
import { oneLine } from './treeText.ts';
import { addServer } from './addServer.ts';
import type { RunTool } from './runTool.ts';
import type { ServerLogs } from './serverLogs.ts';
import type { TreeNode } from './serverTree.ts';
import { pick } from './pick.ts';

/** How long written settings may take to be told. Milliseconds. */
const longestWait = 5_000;

export interface ServerCommandsOptions {
  readonly manager: ServerManager;
  readonly catalogue: Catalogue;
  readonly logs: ServerLogs;
  readonly consent: LaunchConsent;
  readonly run: (call: RunTool) => Promise<void>;
  /** Brings the row of a server into view, with the keyboard. */
  readonly reveal: (server: ManagedServer) => unknown;
}

/** The commands of the view "Servers & Tools". From the palette, without a row, they ask which one is meant. */
export function registerServerCommands(options: ServerCommandsOptions): vscode.Disposable {
  const { manager, catalogue, logs, consent, run: runTool, reveal } = options;
  const start = async (server: ManagedServer): Promise<void> => {
    if (server.state.kind === 'untrusted') void vscode.commands.executeCommand('countersign.showApprovals');
    if (server.state.kind === 'untrusted' && !(await consent.ask(server))) return;
    await server.start();
  };
  const onServer =
    (title: string, run: (server: ManagedServer) => unknown) =>
    async (node?: TreeNode): Promise<void> => {
      const server =
        node !== undefined && node.kind !== 'note' ? node.server : await pickServer(manager, title);
      if (server !== undefined) await run(server);
    };
  const commands: Readonly<Record<string, (node?: TreeNode) => unknown>> = {
    addServer: async () => {
      const id = await addServer((taken) => manager.get(taken) !== undefined);
      if (id === undefined) return;
      // The settings event has made the server by now, or will; it starts by itself unless that is switched off.
      const server = manager.get(id) ?? (await added(manager, id));
      await (server === undefined
        ? vscode.commands.executeCommand('countersign.servers.focus')
        : reveal(server));
    },
    startServer: onServer('Start which server?', start),
    stopServer: onServer('Stop which server?', (server) => server.stop()),
    restartServer: onServer('Restart which server?', (server) => server.restart()),
    showServerLog: onServer("Show which server's log?", (server) => logs.show(server.id)),
    openSettings: () =>
      vscode.commands.executeCommand('workbench.action.openSettings', 'countersign.servers'),
    runTool: async (node) => {
      const chosen = node?.kind === 'tool' ? node : await pickTool(catalogue);
      const { serverId, tool } = chosen?.entry ?? {};
      if (serverId !== undefined && tool !== undefined) await runTool({ serverId, tool });
    },
  };
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([name, run]) =>
      vscode.commands.registerCommand(`countersign.${name}`, run),
    ),
  );
}

/** The server with this id once it is there; `undefined` if it does not come. */
function added(manager: ServerManager, id: string): Promise<ManagedServer | undefined> {
  return new Promise((resolve) => {
    const end = (server: ManagedServer | undefined): void => {
      changes.dispose();
      timer.dispose();
      resolve(server);
    };
    const changes = manager.onDidChange(({ server }) => server.id === id && end(server));
    const timer = systemClock.after(longestWait, () => end(undefined));
  });
}

async function pickServer(manager: ServerManager, title: string): Promise<ManagedServer | undefined> {
  const items = manager.servers.map((server) => ({
    label: server.id,
    description: server.state.kind,
    server,
  }));
  return (await pick(items, { title, placeHolder: 'Server' }))?.server;
}

async function pickTool(catalogue: Catalogue): Promise<{ readonly entry: CatalogueEntry } | undefined> {
  const items = catalogue.entries
    .filter(({ state, isAddressable }) => state.kind === 'usable' && isAddressable)
    .map((entry) => ({
      label: oneLine(entry.toolName),
      description: entry.serverId,
      detail: oneLine(entry.tool?.title ?? entry.tool?.description ?? ''),
      entry,
    }));
  return pick(items, {
    title: 'Run which tool?',
    placeHolder: 'Tool',
    matchOnDescription: true,
    matchOnDetail: true,
  });
}
