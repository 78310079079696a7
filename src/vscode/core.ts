import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import { AuditLog } from '../audit/auditLog.ts';
import { systemClock } from '../base/clock.ts';
import { DisposableStore } from '../base/disposable.ts';
import { ResultDesk } from '../calls/resultDesk.ts';
import { createRoad, type Road } from '../calls/road.ts';
import type { ManagedPolicy } from '../policy/managedPolicy.ts';
import { nodePaths } from '../policy/nodePaths.ts';
import { NodeStateFile } from '../policy/nodeStateFile.ts';
import { createConnector } from '../servers/connectServer.ts';
import { KeyedDigest } from '../audit/redaction/keyedDigest.ts';
import { auditKey } from './auditKey.ts';
import { readAuditSettings, readTrace } from './auditSettings.ts';
import { Collector } from './collector.ts';
import { EnabledTools } from './enabledTools.ts';
import { LanguageModels } from './languageModels.ts';
import { openUrl } from './openUrl.ts';
import { readManagedPolicy } from './policySettings.ts';
import { resultEditor } from './resultEditor.ts';
import { ResultTabs } from './resultTabs.ts';
import { ServerLogs } from './serverLogs.ts';
import { readInputRounds, readSeconds, roadSettings, variableSource } from './settings.ts';
import { VirtualDocuments } from './virtualDocuments.ts';
import { workspaceFacts, workspaceRoots } from './workspaceFacts.ts';
import { showWarning } from './notices.ts';

/** The running program in the editor: everything that contributions are made of. */
export interface Core extends Road {
  readonly audit: AuditLog;
  /** Checks the seals of the record; `undefined` if the key of this window is not that of the others. */
  readonly auditDigest: KeyedDigest | undefined;
  readonly collector: Collector;
  readonly documents: VirtualDocuments;
  readonly log: vscode.LogOutputChannel;
  /** The machine's policy, read once. */
  readonly managed: ManagedPolicy;
  readonly models: LanguageModels;
  readonly results: ResultDesk;
  readonly serverLogs: ServerLogs;
  /** Takes the settings of the record over as they are now. Returns what is wrong with them. */
  applyAuditSettings(): readonly string[];
}

/** Gives the road its editor: settings, storage, models, windows. */
export async function createCore(context: vscode.ExtensionContext): Promise<Core> {
  const held = new DisposableStore();
  const clock = systemClock;
  const storagePath = (name: string): string => path.join(context.globalStorageUri.fsPath, name);
  const log = held.add(vscode.window.createOutputChannel('Countersign', { log: true }));
  const serverLogs = held.add(new ServerLogs());
  const documents = held.add(new VirtualDocuments());
  const managed = await readManagedPolicy();
  const { key, kept } = await auditKey(context.secrets, (problem) => log.warn(problem));
  const ownFolder = storagePath('audit');
  const audit = new AuditLog({ ...readAuditSettings(ownFolder).settings, seal: kept }, key, clock);
  const collector = held.add(
    new Collector({
      audit,
      version: versionOf(context),
      log: (message) => log.warn(message),
      tell: (message) => void showWarning(message),
    }),
  );
  const models = held.add(new LanguageModels());
  const road = await createRoad({
    clock,
    audit,
    connect: createConnector({
      clientInfo: { name: 'countersign', title: 'Countersign', version: versionOf(context) },
      clock,
      probeTimeoutMs: () => readSeconds('probeTimeout'),
      maxRounds: readInputRounds,
      environment: process.env,
    }),
    grantsFile: new NodeStateFile(storagePath('grants.json')),
    pinsFile: new NodeStateFile(storagePath('pins.json')),
    enabled: new EnabledTools(context.globalState),
    workerUrl: pathToFileURL(context.asAbsolutePath('dist/schemaWorker.cjs')),
    models,
    paths: nodePaths(),
    managed,
    settings: { ...roadSettings, traces: readTrace },
    workspace: workspaceFacts,
    isWorkspaceTrusted: () => vscode.workspace.isTrusted,
    roots: workspaceRoots,
    variables: variableSource,
    serverLog: (serverId, line) => serverLogs.write(serverId, line),
    shownLevel: (serverId) => serverLogs.shownLevel(serverId),
    openUrl,
    tell: (message) => void showWarning(message),
  });
  held.add(road);
  const tabs = held.add(
    new ResultTabs({
      root: vscode.Uri.joinPath(context.extensionUri, 'dist', 'webview'),
      results: () => results,
      report: (problem) => log.warn(problem),
    }),
  );
  const results: ResultDesk = held.add(
    new ResultDesk({ shelf: road.shelf, reads: road.reads, editor: resultEditor(tabs, documents) }),
  );
  return {
    ...road,
    audit,
    auditDigest: kept ? new KeyedDigest(key) : undefined,
    collector,
    documents,
    log,
    managed,
    models,
    results,
    serverLogs,
    applyAuditSettings() {
      const { settings, problems } = readAuditSettings(ownFolder);
      audit.change({ ...settings, seal: kept });
      return problems;
    },
    dispose: () => held.dispose(),
  };
}

export function versionOf(context: vscode.ExtensionContext): string {
  const { version } = context.extension.packageJSON as { readonly version?: unknown };
  return typeof version === 'string' ? version : '0.0.0';
}
