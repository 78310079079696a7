import { abortError, delay, raceAbort } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { errorMessage, HostError } from '../base/errors.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { ConnectedClient } from '../client/connectedClient.ts';
import type { ToolList } from '../protocol/model.ts';
import type { ConnectHooks, Connector } from './connector.ts';
import { describeFailure } from './failure.ts';
import type { ResolvedLaunch } from './launch.ts';
import type { ServerEntry } from './serverConfig.ts';
import { noTools, restartDelay, type ServerState } from './serverState.ts';

/** A run this long counts as healthy: the next unexpected end is a first one again. Milliseconds. */
const healthyAfter = 60_000;

/** How long whoever wants to use tools waits for their being read again. Milliseconds. */
const patienceMs = 1_000;
/** Calls lead to no more readings than one in this time. Milliseconds. */
const callSpacingMs = 30_000;

export interface ManagedServerOptions {
  readonly entry: ServerEntry;
  readonly resolved: ResolvedLaunch | undefined;
  /** True once a person agreed to start this launch, or when none needs to. */
  readonly trusted: () => boolean;
  readonly connect: Connector;
  readonly hooks: ConnectHooks;
  readonly clock: Clock;
}

/** One configured server: its connection, its tools, and its restarts. */
export class ManagedServer implements Disposable {
  readonly entry: ServerEntry;
  readonly resolved: ResolvedLaunch | undefined;
  readonly #options: ManagedServerOptions;
  readonly #stateChanged = new Emitter<ServerState>();
  readonly #toolsChanged = new Emitter<ToolList>();
  readonly onDidChangeState: Event<ServerState> = this.#stateChanged.event;
  readonly onDidChangeTools: Event<ToolList> = this.#toolsChanged.event;

  #state: ServerState;
  #tools: ToolList = noTools;
  #launch = 0;
  #restarts = 0;
  /** What was asked for last; a start that waits its turn checks it, so that a stop in between holds. */
  #wanted = false;
  #abort: AbortController | undefined;
  #timer: Disposable | undefined;
  #subscriptions: Disposable[] = [];
  /** Set when the tools have to be read again. */
  #staleTools = false;
  #refreshing: Promise<void> | undefined;
  /** When the tools were last asked for; monotonic milliseconds. */
  #readAt = 0;
  /** Starts and stops wait for each other here, so that two never run side by side. */
  #queue: Promise<void> = Promise.resolve();

  constructor(options: ManagedServerOptions) {
    this.#options = options;
    this.entry = options.entry;
    this.resolved = options.resolved;
    this.#state = this.#restingState();
  }

  get id(): string {
    return this.entry.id;
  }

  get state(): ServerState {
    return this.#state;
  }

  /** The tools as last read. Kept through an automatic restart, gone after a stop or a failure. */
  get tools(): ToolList {
    return this.#tools;
  }

  /** Starts the server unless it runs already. Never rejects: a failure is a state. */
  start(): Promise<void> {
    this.#restarts = 0;
    this.#wanted = true;
    return this.#enqueue(() => this.#start());
  }

  /** Ends the server, or what there is of it yet. Resolves when nothing is left running. */
  stop(): Promise<void> {
    this.#wanted = false;
    this.#abort?.abort(new HostError('cancelled', `Server "${this.id}" was stopped.`));
    return this.#enqueue(() => this.#stop(this.#restingState()));
  }

  restart(): Promise<void> {
    void this.stop();
    return this.start();
  }

  /**
   * The connection, once there is one: waits through a start or an automatic restart.
   * @throws HostError `notRunning` naming the reason, or `cancelled`
   */
  async ready(signal: AbortSignal | undefined): Promise<ConnectedClient> {
    for (;;) {
      const state = this.#state;
      if (signal?.aborted === true) throw abortError(signal);
      if (state.kind === 'running') {
        // Calls may be many, and the time that a server gives short.
        if (this.#options.clock.monotonic() - this.#readAt >= callSpacingMs) void this.freshTools();
        return state.client;
      }
      if (state.kind !== 'starting' && state.kind !== 'restarting') throw notRunning(this.id, state);
      await raceAbort(this.#nextState(), signal);
    }
  }

  /**
   * Reads the tools again. Never rejects: a failure is shown with the old list. Asked for while it is under way,
   * it is done once more after that: a server that answers slowly must not be asked side by side.
   */
  refreshTools(): Promise<void> {
    this.#staleTools = true;
    // A server that is starting reads them again when it runs.
    if (this.#state.kind !== 'running') return Promise.resolve();
    return (this.#refreshing ??= this.#refreshWhileStale());
  }

  /**
   * To be called when the tools are about to be used: reads them again if the time is over for which the server said that
   * they hold, and waits a moment for that. Nothing is read when nobody uses them. Never rejects.
   */
  async freshTools(): Promise<void> {
    if (this.#state.kind !== 'running' || !this.#state.client.toolsExpired) return;
    await Promise.race([this.refreshTools(), delay(this.#options.clock, patienceMs)]);
  }

  async #refreshWhileStale(): Promise<void> {
    while (this.#staleTools) {
      this.#staleTools = false;
      await this.#readTools();
    }
    this.#refreshing = undefined;
  }

  async #readTools(): Promise<void> {
    const state = this.#state;
    if (state.kind !== 'running') return;
    this.#readAt = this.#options.clock.monotonic();
    try {
      const tools = await state.client.listTools({ refresh: true });
      if (this.#state.kind !== 'running' || this.#state.launch !== state.launch) return;
      if (state.toolsFailure !== undefined) this.#setState({ ...state, toolsFailure: undefined });
      this.#setTools(tools);
    } catch (error) {
      if (this.#state.kind !== 'running' || this.#state.launch !== state.launch) return;
      this.#setState({ ...state, toolsFailure: describeFailure(error, this.id) });
    }
  }

  dispose(): void {
    void this.stop().finally(() => {
      this.#stateChanged.dispose();
      this.#toolsChanged.dispose();
    });
  }

  async #start(): Promise<void> {
    const { resolved } = this;
    if (!this.#wanted || this.#state.kind === 'running' || resolved?.kind !== 'resolved') return;
    this.#timer?.dispose();
    if (!this.#options.trusted()) return this.#setState({ kind: 'untrusted' });

    const launch = ++this.#launch;
    const abort = (this.#abort = new AbortController());
    this.#setState({ kind: 'starting', launch });
    this.#staleTools = false;
    let client: ConnectedClient | undefined;
    try {
      client = await this.#options.connect(resolved.launch, this.#options.hooks, abort.signal);
      // Before the list is read: a change while that goes on must not be missed.
      this.#subscriptions = [client.onToolsChanged(() => void this.refreshTools())];
      const tools =
        client.capabilities.tools === undefined ? noTools : await client.listTools({ signal: abort.signal });
      if (abort.signal.aborted) throw abortError(abort.signal);
      this.#settle(launch, client, tools);
    } catch (error) {
      this.#unsubscribe();
      await client?.close();
      if (abort.signal.aborted) return;
      this.#options.hooks.log({ level: 'error', text: errorMessage(error) });
      this.#failed(error, this.#restarts > 0);
    }
  }

  #settle(launch: number, client: ConnectedClient, tools: ToolList): void {
    const since = this.#options.clock.monotonic();
    this.#readAt = since;
    this.#subscriptions.push(
      client.onClosed((error) => {
        if (this.#state.kind !== 'running' || this.#state.launch !== launch) return;
        this.#unsubscribe();
        if (this.#options.clock.monotonic() - since >= healthyAfter) this.#restarts = 0;
        this.#failed(error ?? new HostError('closed', 'The connection ended.'), true);
      }),
    );
    // Whoever hears that it runs must find its tools.
    const changed = tools !== this.#tools;
    this.#tools = tools;
    this.#setState({ kind: 'running', launch, client, toolsFailure: undefined });
    if (changed) this.#toolsChanged.fire(tools);
    if (this.#staleTools) void this.refreshTools();
  }

  /** Only a server that has worked is started again by itself: one that never did needs a person. */
  #failed(error: unknown, mayRestart: boolean): void {
    const failure = describeFailure(error, this.id);
    const wait = mayRestart ? restartDelay(this.#restarts + 1) : undefined;
    if (wait === undefined) {
      this.#setTools(noTools);
      this.#setState({ kind: 'failed', failure });
      return;
    }
    this.#restarts += 1;
    this.#setState({ kind: 'restarting', retryAt: this.#options.clock.now() + wait, failure });
    this.#timer = this.#options.clock.after(wait, () => void this.#enqueue(() => this.#start()));
  }

  async #stop(next: ServerState): Promise<void> {
    this.#timer?.dispose();
    this.#unsubscribe();
    const state = this.#state;
    this.#setTools(noTools);
    if (state.kind === 'running') await state.client.close();
    this.#setState(next);
  }

  #restingState(): ServerState {
    const { entry } = this;
    if (entry.kind === 'invalid') return { kind: 'invalid', problems: entry.problems };
    if (this.resolved?.kind === 'invalid') return { kind: 'invalid', problems: this.resolved.problems };
    return this.#options.trusted() ? { kind: 'stopped' } : { kind: 'untrusted' };
  }

  #enqueue(run: () => Promise<void>): Promise<void> {
    return (this.#queue = this.#queue.then(run));
  }

  #nextState(): Promise<unknown> {
    return new Promise((resolve) => {
      const once = this.#stateChanged.event((state) => {
        once.dispose();
        resolve(state);
      });
    });
  }

  #unsubscribe(): void {
    for (const subscription of this.#subscriptions.splice(0)) subscription.dispose();
  }

  #setState(state: ServerState): void {
    this.#state = state;
    this.#stateChanged.fire(state);
  }

  #setTools(tools: ToolList): void {
    if (tools === this.#tools) return;
    this.#tools = tools;
    this.#toolsChanged.fire(tools);
  }
}

function notRunning(id: string, state: ServerState): HostError {
  const why = state.kind === 'failed' ? ` ${state.failure.message}` : '';
  return new HostError('notRunning', `Server "${id}" is not running.${why}`, {
    details: { state: state.kind },
  });
}
