import * as vscode from 'vscode';
import { CallObstacles } from '../calls/callObstacles.ts';
import { systemClock } from '../base/clock.ts';
import { summaryOf } from '../calls/callSummary.ts';
import { ApprovalsView } from './approvalsView.ts';
import { argumentText } from './argumentText.ts';
import { addAudit } from './auditContribution.ts';
import { createChatHandler } from './chatParticipant.ts';
import type { Core } from './core.ts';
import { addGrantsView } from './grantsView.ts';
import { applyPolicy } from './policyContribution.ts';
import { PromptNotice } from './promptNotice.ts';
import { type RunTool, runTool } from './runTool.ts';
import { registerServerCommands } from './serverCommands.ts';
import { ServerTree } from './serverTree.ts';
import { tellStorageProblems } from './storageProblems.ts';
import { affectsServers, readServers, readStartServers, readToolLimit } from './settings.ts';
import { showError, showWarning } from './notices.ts';
import { searchText } from './treeText.ts';

const noModelMessage =
  'No language model is available for chat. Install an extension that brings one, such as GitHub Copilot Chat. Tools run without a model too: use Run Tool on a tool.';

type Contribution = (core: Core, context: vscode.ExtensionContext) => vscode.Disposable;

/** Everything that the extension adds to the editor, by name, in the order in which it is added. */
export const contributions: Readonly<Record<string, Contribution>> = {
  audit: addAudit,

  approvals(core, context) {
    const view = new ApprovalsView({
      root: vscode.Uri.joinPath(context.extensionUri, 'dist', 'webview'),
      queue: core.queue,
      board: core.board,
      results: core.results,
      obstacles: new CallObstacles({ catalogue: core.catalogue, servers: core.manager }),
      clock: systemClock,
      actions: {
        openText: (card, path) => void core.documents.show(...argumentText(card, path)),
        report: (problem) => core.log.warn(problem),
      },
    });
    const notice = new PromptNotice(core.queue, view);
    const command = vscode.commands.registerCommand('countersign.showApprovals', (promptId?: unknown) =>
      view.reveal(typeof promptId === 'string' ? promptId : undefined, 'move'),
    );
    return vscode.Disposable.from(view, notice, command);
  },

  servers(core) {
    const tree = new ServerTree(core.manager, core.catalogue);
    const treeView = vscode.window.createTreeView('countersign.servers', {
      treeDataProvider: tree,
      showCollapseAll: true,
      canSelectMany: false,
      manageCheckboxStateManually: true,
    });
    const showMessage = (): void => {
      // The editor itself refuses a chat without a model, before we could say what to do.
      const missing = core.manager.servers.length > 0 && !core.models.available;
      treeView.message = missing ? noModelMessage : searchText(core.catalogue.entries, readToolLimit());
    };
    const messageChanges = vscode.Disposable.from(
      core.models.onDidChange(showMessage),
      core.catalogue.onDidChange(showMessage),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('countersign.toolLimit')) showMessage();
      }),
    );
    const checkboxes = treeView.onDidChangeCheckboxState(({ items }) => {
      for (const [node, state] of items) {
        if (node.kind !== 'tool') continue;
        const enabled = state === vscode.TreeItemCheckboxState.Checked;
        core.catalogue.setEnabled(node.entry.serverId, [node.entry.toolName], enabled);
      }
    });
    const run = (call: RunTool): Promise<void> =>
      runTool(
        {
          calls: core.calls,
          reveal: (id) => void vscode.commands.executeCommand('countersign.showApprovals', id),
          showReport: ({ serverId, tool }, { outcome, parts, callId }) => {
            if (outcome.kind === 'completed') return void core.results.open(callId);
            // What the person did, the person knows.
            if (outcome.kind === 'cancelled' || (outcome.kind === 'denied' && outcome.by === 'person'))
              return;
            void showError(`${serverId} · ${tool.name}: ${summaryOf(parts)}`);
          },
        },
        call,
      );
    const { manager, catalogue, serverLogs: logs, consent } = core;
    return vscode.Disposable.from(
      treeView,
      checkboxes,
      messageChanges,
      tree,
      registerServerCommands({
        manager,
        catalogue,
        logs,
        consent,
        run,
        reveal: (server) => treeView.reveal(tree.rowOf(server), { select: true, focus: true }),
      }),
    );
  },

  grants: addGrantsView,

  policy: applyPolicy,

  storageProblems: tellStorageProblems,

  configuration(core) {
    const warned = new Set<string>();
    const apply = (startNew: boolean): void => {
      const { entries, warnings } = readServers();
      core.manager.configure(entries, startNew);
      if (startNew && vscode.workspace.isTrusted) askForLaunches(core);
      for (const warning of warnings) {
        if (warned.has(warning)) continue;
        warned.add(warning);
        core.log.warn(warning);
        void showWarning(warning);
      }
    };
    apply(readStartServers());
    return vscode.Disposable.from(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (affectsServers(change)) apply(readStartServers());
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => apply(readStartServers())),
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        apply(readStartServers());
        for (const { state } of core.manager.servers) {
          if (state.kind === 'running') state.client.notifyRootsChanged();
        }
      }),
      core.manager.onDidChange(({ kind, server }) => {
        if (kind === 'removed') core.consent.forget(server);
      }),
    );
  },

  chat(core, context) {
    const handler = createChatHandler({
      toolbox: core.toolbox,
      settled: (signal) => core.settled(signal),
      log: (text) => core.log.error(text),
    });
    const participant = vscode.chat.createChatParticipant('countersign.chat', handler);
    participant.iconPath = vscode.Uri.joinPath(context.extensionUri, 'media', 'countersign.svg');
    return participant;
  },
};

/** Servers of the workspace wait for a person's word, which is asked for where calls are. */
function askForLaunches({ manager, consent }: Core): void {
  for (const server of manager.servers) {
    if (server.state.kind !== 'untrusted') continue;
    void consent.ask(server).then(async (agreed) => {
      // Only the server that was asked about: it may have been replaced meanwhile.
      if (agreed && manager.get(server.id) === server) await server.start();
    });
  }
}
