import type { AuditPort } from '../audit/auditLog.ts';
import type { Clock } from '../base/clock.ts';
import { Emitter, type Event } from '../base/event.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import type { PathPort } from '../policy/gatherPaths.ts';
import { GrantStore } from '../policy/grantStore.ts';
import type { ManagedPolicy } from '../policy/managedPolicy.ts';
import { PinStore } from '../policy/pinStore.ts';
import type { StateFile } from '../policy/stateFile.ts';
import { CallBoard } from '../prompts/callBoard.ts';
import { PromptQueue } from '../prompts/promptQueue.ts';
import type { ClientCapabilities } from '../protocol/model.ts';
import type { Connector, ServerLogLine } from '../servers/connector.ts';
import type { ShownLevelSource } from '../servers/followLog.ts';
import { ServerManager } from '../servers/serverManager.ts';
import type { VariableSource } from '../servers/variables.ts';
import { Catalogue, type EnabledStore } from '../tools/catalogue.ts';
import { ResultStore } from '../tools/resultStore.ts';
import { SchemaChecker } from '../tools/schemaChecker.ts';
import { ToolSearch } from '../tools/toolSearch.ts';
import { ApprovalCards } from './approvalCard.ts';
import { CallApproval } from './callApproval.ts';
import { CallMemory } from './callMemory.ts';
import { managedCallServers } from './callServers.ts';
import { followServers } from './followServers.ts';
import { InputRequests } from './inputRequests.ts';
import { LaunchConsent } from './launchConsent.ts';
import { ModelToolbox } from './modelToolbox.ts';
import { PolicyGate, type WorkspaceFacts } from './policyGate.ts';
import { type PromptExpiry, promptExpiry } from './promptExpiry.ts';
import { ResourceReads } from './resourceReads.ts';
import { ResultReview } from './resultReview.ts';
import { ResultShelf } from './resultShelf.ts';
import { RunningCalls } from './runningCalls.ts';
import type { SamplingModels } from './samplingModels.ts';
import { SamplingRequests, type SamplingSettings } from './samplingRequests.ts';
import { blockedByMachine, completionOf, declaredCapabilities } from './serverPorts.ts';
import type { CallTimeouts } from './invokerPorts.ts';
import { ToolInvoker } from './toolInvoker.ts';

/** What the user has set, read anew whenever it counts. */
export interface RoadSettings {
  readonly timeouts: () => CallTimeouts;
  readonly toolLimit: () => number;
  /** Most text of a result that a model gets at once, in bytes of UTF-8. */
  readonly resultBytes: () => number;
  readonly trustedServers: () => ReadonlySet<string>;
  readonly sampling: (serverId: string) => SamplingSettings;
  readonly sharesFolders: (serverId: string) => boolean;
  /** Servers whose results the person sees before the model does. */
  readonly reviewsResults: (serverId: string) => boolean;
  /** Whether the messages of calls go on record too; absent: no. */
  readonly traces?: () => boolean;
  /** Seconds until a prompt that nobody answers ends by itself; 0: never. */
  readonly promptExpiry: () => number;
}

/** Everything outside that the road needs: the editor, the disk, the network. */
export interface RoadPorts {
  readonly clock: Clock;
  readonly audit: AuditPort;
  readonly connect: Connector;
  readonly grantsFile: StateFile;
  readonly pinsFile: StateFile;
  readonly enabled: EnabledStore;
  /** The schema worker's program. */
  readonly workerUrl: URL;
  readonly models: SamplingModels;
  readonly paths: PathPort;
  readonly managed: ManagedPolicy;
  readonly settings: RoadSettings;
  readonly workspace: () => WorkspaceFacts;
  readonly isWorkspaceTrusted: () => boolean;
  /** The open folders as `file:` URIs. */
  readonly roots: () => readonly { readonly uri: string; readonly name?: string }[];
  readonly variables: () => VariableSource;
  readonly serverLog: (serverId: string, line: ServerLogLine) => void;
  /** How a server's log is looked at; absent: nobody can. */
  readonly shownLevel?: (serverId: string) => ShownLevelSource;
  readonly openUrl: (url: string) => Promise<boolean>;
  /** Tells the person of something that needs them. */
  readonly tell: (message: string) => void;
}

/** The running program without an editor: servers, tools, policy, prompts and calls, tied together. */
export interface Road extends Disposable {
  readonly board: CallBoard;
  readonly calls: ToolInvoker;
  readonly catalogue: Catalogue;
  readonly consent: LaunchConsent;
  readonly gate: PolicyGate;
  readonly grants: GrantStore;
  readonly manager: ServerManager;
  readonly pins: PinStore;
  readonly queue: PromptQueue;
  readonly reads: ResourceReads;
  readonly shelf: ResultShelf;
  readonly toolbox: ModelToolbox;
  /** Before the answer leaves: what a person has typed where a server asked for a secret. */
  readonly onSecretsTyped: Event<readonly string[]>;
  /** Resolves when no server is starting and the tools of all that run are known. Rejects with the signal. */
  settled(signal?: AbortSignal): Promise<void>;
  /** Answers what waits with no, ends all servers, stores what is counted. */
  close(): Promise<void>;
}

/** Builds the road from its parts; the stored grants and pins are read before it is there. */
export async function createRoad(ports: RoadPorts): Promise<Road> {
  const { clock, audit, workspace, settings } = ports;
  const held = new DisposableStore();
  const expiry = (): PromptExpiry => promptExpiry(settings.promptExpiry());
  const queue = new PromptQueue({ clock });
  const board = held.add(new CallBoard({ clock, queue }));
  const checker = held.add(new SchemaChecker({ workerUrl: ports.workerUrl, clock }));
  const catalogue = held.add(new Catalogue({ enabled: ports.enabled, checker }));
  const running = new RunningCalls();
  const secretsTyped = held.add(new Emitter<readonly string[]>());
  const results = new ResultStore();
  const shelf = new ResultShelf();
  const grants = held.add(new GrantStore(ports.grantsFile, clock));
  const pins = held.add(new PinStore(ports.pinsFile, clock));
  await Promise.all([grants.refresh(), pins.refresh()]);

  const consent = new LaunchConsent({ queue, pins, audit, workspace });
  const sampling = new SamplingRequests({
    queue,
    audit,
    models: ports.models,
    clock,
    settings: settings.sampling,
    tell: ports.tell,
    expiry,
  });
  const inputs = new InputRequests({
    queue,
    audit,
    checker,
    running,
    sampling,
    openUrl: ports.openUrl,
    roots: (serverId) => (settings.sharesFolders(serverId) ? ports.roots() : undefined),
    completed: (serverId, elicitationId) => completionOf(manager.get(serverId), elicitationId),
    expiry,
    tell: ports.tell,
    secretsTyped: (secrets) => secretsTyped.fire(secrets),
  });
  const capabilities = (serverId: string): ClientCapabilities =>
    declaredCapabilities({
      sampling: settings.sampling(serverId).mode !== 'off' && ports.models.available,
      roots: settings.sharesFolders(serverId),
    });
  const manager: ServerManager = held.add(
    new ServerManager({
      connect: ports.connect,
      clock,
      variables: ports.variables,
      log: ports.serverLog,
      shownLevel: ports.shownLevel,
      inputHandler: (serverId) => inputs.handler(serverId),
      capabilities: async (serverId) => {
        // Legacy servers are told once, and a window that has just opened does not know its models yet.
        if (settings.sampling(serverId).mode !== 'off') await ports.models.settled();
        return capabilities(serverId);
      },
      currentCapabilities: capabilities,
      blocked: (serverId, launch) => blockedByMachine(ports.managed, serverId, launch),
      isTrusted: (serverId, fingerprint) => ports.isWorkspaceTrusted() && consent.has(serverId, fingerprint),
    }),
  );
  const follower = held.add(followServers(manager, catalogue, audit));

  const gate = new PolicyGate({
    clock,
    grants,
    paths: ports.paths,
    workspace,
    trustedServers: settings.trustedServers,
    reviewsResults: settings.reviewsResults,
  });
  const memory = new CallMemory({ grants, pins, audit, workspace });
  const cards = new ApprovalCards({ gate, memory, checker, catalogue, workspace, expiry });
  const servers = managedCallServers(manager);
  const { timeouts } = settings;
  const reads = new ResourceReads({ audit, clock, running, servers, shelf, timeouts });
  const calls = new ToolInvoker({
    catalogue,
    checker,
    approval: new CallApproval({ gate, queue, audit, cards, memory }),
    memory,
    running,
    review: new ResultReview({ queue, audit, expiry }),
    board,
    audit,
    servers,
    results,
    timeouts,
    traces: settings.traces ?? ((): boolean => false),
    resultBytes: settings.resultBytes,
    clock,
    shelf,
  });
  const toolbox = new ModelToolbox({
    calls,
    catalogue,
    search: new ToolSearch(),
    results,
    limit: settings.toolLimit,
    resultBytes: settings.resultBytes,
  });

  return {
    board,
    calls,
    catalogue,
    consent,
    gate,
    grants,
    manager,
    pins,
    queue,
    reads,
    shelf,
    toolbox,
    onSecretsTyped: secretsTyped.event,
    settled: (signal) => follower.settled(signal),
    async close() {
      // Prompts first: what waits is told no while the record can still hold it.
      queue.dispose();
      await manager.stopAll();
      await Promise.all([grants.flush(), pins.flush()]);
    },
    dispose: () => held.dispose(),
  };
}
