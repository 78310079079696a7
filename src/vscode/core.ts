import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import { AuditLog } from '../audit/auditLog.ts';
import { systemClock } from '../base/clock.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { CallApproval } from '../calls/callApproval.ts';
import { managedCallServers } from '../calls/callServers.ts';
import { ApprovalCards } from '../calls/approvalCard.ts';
import { CallMemory } from '../calls/callMemory.ts';
import { GrantStore } from '../policy/grantStore.ts';
import { nodePaths } from '../policy/nodePaths.ts';
import { NodeStateFile } from '../policy/nodeStateFile.ts';
import { PinStore } from '../policy/pinStore.ts';
import { InputRequests } from '../calls/inputRequests.ts';
import { LaunchConsent } from '../calls/launchConsent.ts';
import { ModelToolbox } from '../calls/modelToolbox.ts';
import { ToolSearch } from '../tools/toolSearch.ts';
import { ResultReview } from '../calls/resultReview.ts';
import { RunningCalls } from '../calls/runningCalls.ts';
import { SamplingRequests } from '../calls/samplingRequests.ts';
import type { ManagedPolicy } from '../policy/managedPolicy.ts';
import { LanguageModels } from './languageModels.ts';
import { readManagedPolicy, readTrustedServers } from './policySettings.ts';
import { blockedByMachine, completionOf, declaredCapabilities, sharedRoots } from './serverPorts.ts';
import { workspaceFacts } from './workspaceFacts.ts';
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
import { readSampling, readSeconds, readSharesFolders, readToolLimit, variableSource } from './settings.ts';
import { VirtualDocuments } from './virtualDocuments.ts';

/** The running program behind the views: everything that contributions are made of. */
export interface Core extends Disposable {
  readonly audit: AuditLog;
  readonly board: CallBoard;
  readonly catalogue: Catalogue;
  readonly calls: ToolInvoker;
  readonly documents: VirtualDocuments;
  readonly gate: PolicyGate;
  readonly grants: GrantStore;
  readonly pins: PinStore;
  readonly log: vscode.LogOutputChannel;
  readonly manager: ServerManager;
  readonly queue: PromptQueue;
  readonly results: KeptResults;
  readonly serverLogs: ServerLogs;
  readonly toolbox: ModelToolbox;
  readonly consent: LaunchConsent;
  /** The machine's policy, read once. */
  readonly managed: ManagedPolicy;
  /** Ends all servers and closes the record. */
  close(reason: string): Promise<void>;
}

/** Builds the program from its parts. The one place where all of them meet. */
export async function createCore(context: vscode.ExtensionContext): Promise<Core> {
  const held = new DisposableStore();
  const clock = systemClock;
  const version = versionOf(context);
  const storagePath = (name: string): string => path.join(context.globalStorageUri.fsPath, name);
  const log = held.add(vscode.window.createOutputChannel('Countersign', { log: true }));
  const serverLogs = held.add(new ServerLogs());
  const documents = held.add(new VirtualDocuments());
  const results = new KeptResults(documents);

  const audit = new AuditLog(
    {
      folder: storagePath('audit'),
      storage: 'redacted',
      sync: 'group',
      whenFailing: 'stop',
    },
    await auditKey(context.secrets, (problem) => log.warn(problem)),
    clock,
  );

  const workspace = workspaceFacts;
  const managed = await readManagedPolicy();
  const queue = new PromptQueue({ clock });
  const board = held.add(new CallBoard({ clock, queue }));
  const workerUrl = pathToFileURL(context.asAbsolutePath('dist/schemaWorker.cjs'));
  const checker = held.add(new SchemaChecker({ workerUrl, clock }));
  const catalogue = held.add(new Catalogue({ enabled: new EnabledTools(context.globalState), checker }));
  const running = new RunningCalls();
  const grants = held.add(new GrantStore(new NodeStateFile(storagePath('grants.json')), clock));
  const pins = held.add(new PinStore(new NodeStateFile(storagePath('pins.json')), clock));
  await Promise.all([grants.refresh(), pins.refresh()]);
  const consent = new LaunchConsent({ queue, pins, audit, workspace });

  const models = held.add(new LanguageModels());
  const sampling = new SamplingRequests({
    queue,
    audit,
    models,
    clock,
    settings: readSampling,
    tell: (message) => void vscode.window.showWarningMessage(message),
  });
  const inputs = new InputRequests({
    queue,
    audit,
    checker,
    running,
    sampling,
    openUrl: async (url) => await vscode.env.openExternal(vscode.Uri.parse(url, true)),
    roots: (serverId) => sharedRoots(manager.get(serverId)),
    completed: (serverId, elicitationId) => completionOf(manager.get(serverId), elicitationId),
  });
  const manager: ServerManager = held.add(
    new ServerManager({
      connect: createConnector({
        clientInfo: { name: 'countersign', title: 'Countersign', version },
        clock,
        probeTimeoutMs: () => readSeconds('probeTimeout'),
        environment: process.env,
      }),
      clock,
      variables: variableSource,
      log: (serverId, line) => serverLogs.write(serverId, line),
      inputHandler: (serverId) => inputs.handler(serverId),
      capabilities: (serverId) =>
        declaredCapabilities({
          sampling: models.available && readSampling(serverId).mode !== 'off',
          roots: readSharesFolders(serverId),
        }),
      blocked: (serverId, launch) => blockedByMachine(managed, serverId, launch),
      isTrusted: (serverId, fingerprint) => vscode.workspace.isTrusted && consent.has(serverId, fingerprint),
    }),
  );
  held.add(followServers(manager, catalogue, audit));

  const gate = new PolicyGate({
    clock,
    grants,
    paths: nodePaths(),
    workspace,
    trustedServers: readTrustedServers,
  });
  const memory = new CallMemory({ grants, pins, audit, workspace });
  const cards = new ApprovalCards({ gate, memory, checker, catalogue, workspace });
  const cutResults = new ResultStore();
  const calls = new ToolInvoker({
    catalogue,
    checker,
    approval: new CallApproval({ gate, queue, audit, cards, memory }),
    memory,
    running,
    review: new ResultReview({ queue, audit }),
    board,
    audit,
    servers: managedCallServers(manager),
    results: cutResults,
    timeouts: () => ({
      timeoutMs: readSeconds('callTimeout'),
      maxTimeoutMs: readSeconds('callTimeoutMaximum'),
    }),
    clock,
    keep: (callId, result) => results.keep(callId, result),
  });

  const toolbox = new ModelToolbox({
    calls,
    catalogue,
    search: new ToolSearch(),
    results: cutResults,
    limit: readToolLimit,
  });

  return {
    audit,
    board,
    calls,
    catalogue,
    consent,
    documents,
    gate,
    grants,
    log,
    managed,
    manager,
    pins,
    queue,
    results,
    serverLogs,
    toolbox,
    async close(reason) {
      // Prompts first: what waits is told no while the record can still hold it.
      queue.dispose();
      await manager.stopAll();
      await Promise.all([grants.flush(), pins.flush()]);
      await audit.close(reason);
    },
    dispose: () => held.dispose(),
  };
}

export function versionOf(context: vscode.ExtensionContext): string {
  const { version } = context.extension.packageJSON as { readonly version?: unknown };
  return typeof version === 'string' ? version : '0.0.0';
}
