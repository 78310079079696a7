import type { Clock } from '../base/clock.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { InputHandler } from '../client/mcpClient.ts';
import { digest } from '../base/canonicalJson.ts';
import type { Connector, ServerLogLine } from './connector.ts';
import { type Launch, type ResolvedLaunch, resolveLaunch } from './launch.ts';
import type { ClientCapabilities } from '../protocol/model.ts';
import type { ShownLevelSource } from './followLog.ts';
import { ManagedServer } from './managedServer.ts';
import type { ServerEntry } from './serverConfig.ts';
import { ServerLog } from './serverLog.ts';
import type { VariableSource } from './variables.ts';

export interface ServerManagerOptions {
  readonly connect: Connector;
  readonly clock: Clock;
  readonly variables: () => VariableSource;
  /** Takes entries for a server's log: visible text, bounded in length and number. */
  readonly log: (serverId: string, line: ServerLogLine) => void;
  /** How a server's log is looked at; absent: nobody can. */
  readonly shownLevel?: ((serverId: string) => ShownLevelSource) | undefined;
  /** Answers a server's input requests; told which server asks. */
  readonly inputHandler: (serverId: string) => InputHandler;
  /** What is declared to a server; asked at each start. */
  readonly capabilities: (serverId: string) => Promise<ClientCapabilities>;
  readonly currentCapabilities: (serverId: string) => ClientCapabilities;
  /** Why a server may not be used on this machine; `undefined`: it may. */
  readonly blocked: (serverId: string, launch: Launch) => string | undefined;
  /** True when a person agreed to this launch of a workspace's server. */
  readonly isTrusted: (serverId: string, launchFingerprint: string) => boolean;
}

export interface ServerChange {
  readonly kind: 'added' | 'removed' | 'state' | 'tools';
  readonly server: ManagedServer;
}

/** All configured servers. Applies configuration changes to the servers that they concern and to no others. */
export class ServerManager implements Disposable {
  readonly #options: ServerManagerOptions;
  readonly #servers = new Map<
    string,
    { readonly server: ManagedServer; readonly key: string; readonly store: Disposable }
  >();
  readonly #changed = new Emitter<ServerChange>();
  readonly onDidChange: Event<ServerChange> = this.#changed.event;

  constructor(options: ServerManagerOptions) {
    this.#options = options;
  }

  /** In the order of the configuration. */
  get servers(): readonly ManagedServer[] {
    return Array.from(this.#servers.values(), ({ server }) => server);
  }

  get(serverId: string): ManagedServer | undefined {
    return this.#servers.get(serverId)?.server;
  }

  /**
   * Makes the servers those of the configuration. Unchanged ones keep running; changed ones are replaced and
   * run again if they ran; new ones start if `startNew` is set.
   */
  configure(entries: readonly ServerEntry[], startNew: boolean): void {
    const before = new Map(this.#servers);
    this.#servers.clear();
    const added: { readonly server: ManagedServer; readonly start: boolean }[] = [];
    for (const entry of entries) {
      const resolved = this.#resolve(entry);
      // Values of environment and headers count here, though not in the fingerprint: new ones need a new process.
      const key = digest([entry, resolved ?? null]);
      const old = before.get(entry.id);
      if (old?.key === key) {
        this.#servers.set(entry.id, old);
        before.delete(entry.id);
        continue;
      }
      const { clock, log } = this.#options;
      const lines = new ServerLog(clock, (line) => log(entry.id, line));
      const server = this.#create(entry, resolved, lines);
      this.#servers.set(entry.id, { server, key, store: this.#watch(server, lines) });
      added.push({ server, start: old === undefined ? startNew : isActive(old.server) });
    }
    for (const { server, store } of before.values()) {
      store.dispose();
      server.dispose();
      this.#changed.fire({ kind: 'removed', server });
    }
    for (const { server, start } of added) {
      this.#changed.fire({ kind: 'added', server });
      if (start) void server.start();
    }
  }

  /** Ends every server. Resolves when no process is left. */
  async stopAll(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop()));
  }

  dispose(): void {
    for (const { server, store } of this.#servers.values()) {
      store.dispose();
      server.dispose();
    }
    this.#servers.clear();
    this.#changed.dispose();
  }

  #resolve(entry: ServerEntry): ResolvedLaunch | undefined {
    if (entry.kind === 'invalid') return undefined;
    const resolved = resolveLaunch(entry.config, this.#options.variables(), entry.origin);
    const blocked =
      resolved.kind === 'resolved' ? this.#options.blocked(entry.id, resolved.launch) : undefined;
    return blocked === undefined ? resolved : { kind: 'invalid', problems: [{ key: '', message: blocked }] };
  }

  #create(entry: ServerEntry, resolved: ResolvedLaunch | undefined, lines: ServerLog): ManagedServer {
    const { connect, clock, inputHandler, isTrusted, shownLevel } = this.#options;
    return new ManagedServer({
      entry,
      resolved,
      trusted: () =>
        entry.origin === 'user' ||
        (resolved?.kind === 'resolved' && isTrusted(entry.id, resolved.fingerprint)),
      connect,
      clock,
      hooks: {
        log: lines.ours,
        fromServer: lines.theirs,
        shownLevel: shownLevel?.(entry.id),
        inputHandler: inputHandler(entry.id),
        capabilities: () => this.#options.capabilities(entry.id),
        currentCapabilities: () => this.#options.currentCapabilities(entry.id),
      },
    });
  }

  #watch(server: ManagedServer, lines: ServerLog): Disposable {
    const store = new DisposableStore();
    store.add(lines);
    store.add(server.onDidChangeState(() => this.#changed.fire({ kind: 'state', server })));
    store.add(server.onDidChangeTools(() => this.#changed.fire({ kind: 'tools', server })));
    return store;
  }
}

function isActive(server: ManagedServer): boolean {
  return ['starting', 'running', 'restarting', 'failed'].includes(server.state.kind);
}
