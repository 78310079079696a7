import path from 'node:path';
import * as vscode from 'vscode';
import { AuditLog } from '../audit/auditLog.ts';
import { systemClock } from '../base/clock.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { CallApproval } from '../calls/callApproval.ts';
import { managedCallServers } from '../calls/callServers.ts';
import { PolicyGate } from '../calls/policyGate.ts';
import { ToolInvoker } from '../calls/toolInvoker.ts';
import { CallBoard } from '../prompts/callBoard.ts';
import { PromptQueue } from '../prompts/promptQueue.ts';
import { createConnector } from '../servers/connectServer.ts';
import { ServerManager } from '../servers/serverManager.ts';
import { Catalogue } from '../tools/catalogue.ts';
import { ResultStore } from '../tools/resultStore.ts';
import { SchemaChecker } from '../tools/schemaChecker.ts';
import { auditKey } from './auditKey.ts';
import { EnabledTools } from './enabledTools.ts';
import { KeptResults } from './keptResults.ts';
import { followServers } from './serverEvents.ts';
import { ServerLogs } from './serverLogs.ts';
import { readSeconds, variableSource } from './settings.ts';
import { VirtualDocuments } from './virtualDocuments.ts';
import { WorkspaceTrust } from './workspaceTrust.ts';

/** The running program behind the views: everything that contributions are made of. */
export interface Core extends Disposable {
  readonly audit: AuditLog;
  readonly board: CallBoard;
  readonly catalogue: Catalogue;
  readonly calls: ToolInvoker;
  readonly documents: VirtualDocuments;
  readonly log: vscode.LogOutputChannel;
  readonly manager: ServerManager;
  readonly queue: PromptQueue;
  readonly results: KeptResults;
  readonly serverLogs: ServerLogs;
  readonly trust: WorkspaceTrust;
  /** Ends all servers and closes the record. */
  close(reason: string): Promise<void>;
}

/** Builds the program from its parts. The one place where all of them meet. */
export async function createCore(context: vscode.ExtensionContext): Promise<Core> {
  const held = new DisposableStore();
  const clock = systemClock;
  const version = versionOf(context);
  const log = held.add(vscode.window.createOutputChannel('Countersign', { log: true }));
  const serverLogs = held.add(new ServerLogs());
  const documents = held.add(new VirtualDocuments());
  const results = new KeptResults(documents);
  const trust = new WorkspaceTrust(context.workspaceState);

  const audit = new AuditLog(
    {
      folder: path.join(context.globalStorageUri.fsPath, 'audit'),
      storage: 'redacted',
      sync: 'group',
      whenFailing: 'stop',
    },
    await auditKey(context.secrets, (problem) => log.warn(problem)),
    clock,
  );

  const queue = new PromptQueue({ clock });
  const board = held.add(new CallBoard({ clock, queue }));
  const catalogue = held.add(new Catalogue({ enabled: new EnabledTools(context.globalState) }));
  const checker = new SchemaChecker();
  const manager = held.add(
    new ServerManager({
      connect: createConnector({
        clientInfo: { name: 'countersign', title: 'Countersign', version },
        capabilities: () => ({}),
        clock,
        probeTimeoutMs: () => readSeconds('probeTimeout'),
        environment: process.env,
      }),
      clock,
      variables: variableSource,
      log: (serverId, line) => serverLogs.write(serverId, line),
      inputHandler: () => () => Promise.resolve({ kind: 'refused', code: -32601, message: 'Not supported.' }),
      isTrusted: (serverId, fingerprint) => vscode.workspace.isTrusted && trust.has(serverId, fingerprint),
    }),
  );
  held.add(followServers(manager, catalogue, audit));

  const gate = new PolicyGate({ clock, workspace: vscode.workspace.workspaceFolders?.[0]?.uri.toString() });
  const calls = new ToolInvoker({
    catalogue,
    checker,
    approval: new CallApproval({ gate, queue, audit, checker }),
    board,
    audit,
    servers: managedCallServers(manager),
    results: new ResultStore(),
    timeouts: () => ({
      timeoutMs: readSeconds('callTimeout'),
      maxTimeoutMs: readSeconds('callTimeoutMaximum'),
    }),
    clock,
    keep: (callId, result) => results.keep(callId, result),
  });

  return {
    audit,
    board,
    calls,
    catalogue,
    documents,
    log,
    manager,
    queue,
    results,
    serverLogs,
    trust,
    async close(reason) {
      // Prompts first: what waits is told no while the record can still hold it.
      queue.dispose();
      await manager.stopAll();
      await audit.close(reason);
    },
    dispose: () => held.dispose(),
  };
}

export function versionOf(context: vscode.ExtensionContext): string {
  const { version } = context.extension.packageJSON as { readonly version?: unknown };
  return typeof version === 'string' ? version : '0.0.0';
}
