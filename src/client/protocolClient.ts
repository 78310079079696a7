import { raceAbort } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import { errorMessage, HostError, RpcError } from '../base/errors.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { JsonObject } from '../base/json.ts';
import { errorCode } from '../protocol/errorCodes.ts';
import type { JsonRpcNotification } from '../protocol/jsonRpc.ts';
import { method } from '../protocol/methods.ts';
import type {
  CallToolResult,
  Era,
  GetPromptResult,
  Implementation,
  LogLevel,
  LogMessage,
  Prompt,
  ReadResourceResult,
  Resource,
  ServerCapabilities,
  ToolList,
} from '../protocol/model.ts';
import { readPrompt, readResource } from '../protocol/wire/listings.ts';
import type { ServerIdentity } from '../protocol/wire/legacy.ts';
import { textLengthOf } from '../protocol/wire/textLength.ts';
import { readCallToolResult, readGetPromptResult, readReadResourceResult } from '../protocol/wire/results.ts';
import { encodeParameterHeaders } from '../transport/parameterHeaders.ts';
import type { Listening, MessageOrigin } from '../transport/transport.ts';
import { ChangeNotices } from './changeNotices.ts';
import { type ClientOptions, defaultMaxTimeoutMs, type KnownEra } from './clientOptions.ts';
import type { ConnectedClient } from './connectedClient.ts';
import type { EraCheck } from './eraCheck.ts';
import { Hearing } from './hearing.ts';
import { PagedList } from './pagedList.ts';
import { readLogMessage } from './logMessage.ts';
import type { CallOptions } from './mcpClient.ts';
import type { RequestRunner } from './requestRunner.ts';
import { ResponseCache } from './responseCache.ts';
import type { RpcConnection } from './rpcConnection.ts';
import { ToolLister, type ToolPage } from './toolLister.ts';
import { ToolSubscription } from './toolSubscription.ts';

export interface ProtocolClientOptions {
  readonly options: ClientOptions;
  readonly clock: Clock;
  readonly connection: RpcConnection;
  readonly identity: ServerIdentity;
  readonly runner: RequestRunner;
  readonly eras: EraCheck;
  /** True once a legacy connection has shown that its server is modern after all. */
  readonly turnedOutModern: () => boolean;
}

/** The client of one connected server; era and version are settled. */
export class ProtocolClient implements ConnectedClient {
  readonly #setup: ProtocolClientOptions;
  readonly #runner: RequestRunner;
  readonly #lister: ToolLister;
  readonly #pages: ResponseCache<ToolPage>;
  readonly #resources: ResponseCache<ReadResourceResult>;
  readonly #resourceList: PagedList<Resource | undefined>;
  readonly #promptList: PagedList<Prompt | undefined>;
  readonly #subscription: ToolSubscription | undefined;
  readonly #hearing: Hearing;
  readonly #notices: ChangeNotices;
  /** What a legacy server was last told, for its next session. */
  #sessionLogLevel: LogLevel | undefined;
  readonly #toolsChanged = new Emitter<void>();
  readonly #closed = new Emitter<HostError | undefined>();
  readonly #logMessage = new Emitter<LogMessage>();
  readonly onToolsChanged = this.#toolsChanged.event;
  readonly onClosed = this.#closed.event;
  readonly onLogMessage = this.#logMessage.event;
  readonly onElicitationComplete: Event<string>;

  constructor(setup: ProtocolClientOptions) {
    const { options, clock, connection, runner } = setup;
    this.#setup = setup;
    this.#runner = runner;
    this.onElicitationComplete = runner.elicitationComplete.event;
    const principal = options.principal ?? ((): string => '');
    this.#resources = new ResponseCache(clock, principal);
    this.#pages = new ResponseCache(clock, principal);
    this.#notices = new ChangeNotices(clock, () => this.#toolsChanged.fire());
    this.#hearing = new Hearing(clock, () => this.toolsMayHaveChanged());
    const lists = {
      request: (name: string, params: JsonObject) => runner.send(name, params),
      codec: () => connection.codec,
      clock,
      maxTimeoutMs: options.maxRequestTimeoutMs ?? defaultMaxTimeoutMs,
    };
    this.#resourceList = new PagedList({
      ...lists,
      method: method.listResources,
      member: 'resources',
      read: (raw) => readResource(raw),
      cache: new ResponseCache(clock, principal),
    });
    this.#promptList = new PagedList({
      ...lists,
      method: method.listPrompts,
      member: 'prompts',
      read: (raw) => readPrompt(raw),
      cache: new ResponseCache(clock, principal),
    });
    this.#lister = new ToolLister({
      ...lists,
      cache: this.#pages,
      mirrorsParameters: () => this.#mirrorsParameters,
      runsTasks: () => this.era === 'legacy' && this.capabilities.toolTasks === true,
      warn: (text) => options.log?.({ level: 'warn', text }),
    });
    this.#subscription =
      this.era === 'modern' && this.#announcesTools
        ? new ToolSubscription({
            connection,
            clock,
            random: options.random ?? Math.random,
            onChanged: () => this.toolsMayHaveChanged(),
            hearing: this.#hearing,
            eras: setup.eras,
            log: (text) => options.log?.({ level: 'debug', text }),
          })
        : undefined;
  }

  get era(): Era {
    return this.#setup.connection.codec.era;
  }
  get protocolVersion(): string {
    return this.#setup.connection.codec.version;
  }
  get serverInfo(): Implementation | undefined {
    return this.#setup.identity.serverInfo;
  }
  get capabilities(): ServerCapabilities {
    return this.#setup.identity.capabilities;
  }
  get instructions(): string | undefined {
    return this.#setup.identity.instructions;
  }
  get knownEra(): KnownEra {
    const transport = this.#setup.connection.transport.kind;
    // A slow server is greeted as a legacy one; its next start shall find its true era.
    return { era: this.#setup.turnedOutModern() ? 'modern' : this.era, transport };
  }

  get toolsExpired(): boolean {
    return !this.#hearing.isOpen && this.#lister.isExpired;
  }

  /** Begins to listen for changes. To be called once, after the handshake. */
  start(): void {
    this.#beginToHear();
    this.#subscription?.start();
  }

  listTools(options: { readonly signal?: AbortSignal; readonly refresh?: boolean } = {}): Promise<ToolList> {
    const { ready } = this.#hearing;
    if (ready === undefined) return this.#list(options.refresh === true, options.signal);
    return raceAbort(ready, options.signal).then(() => this.#list(options.refresh === true, options.signal));
  }

  async callTool(
    params: { readonly name: string; readonly arguments: JsonObject },
    options: CallOptions = {},
  ): Promise<CallToolResult> {
    const wire = { name: params.name, arguments: params.arguments };
    const running = this.#runner.rounds(
      method.callTool,
      wire,
      options,
      this.#mirrorsParameters ? (round, limits) => this.#callWithHeaders(params, round, limits) : undefined,
    );
    // The server may not know the tool any more (specification: tools, "Error Handling").
    running.catch((error: unknown) => {
      if (error instanceof RpcError && error.code === errorCode.invalidParams) this.#notices.notice();
    });
    return readCallToolResult((await running).result);
  }

  async readResource(uri: string, options: CallOptions = {}): Promise<ReadResourceResult> {
    const cached = this.#resources.get(uri);
    if (cached !== undefined) return cached;
    const { generation } = this.#resources;
    const { result, retried } = await this.#runner.rounds(method.readResource, { uri }, options);
    const resource = readReadResourceResult(result);
    const hint = this.#setup.connection.codec.readCacheHint(result);
    // What depended on answers must not be given to the next reader (specification: caching, "Cache Key").
    if (!retried && hint.ttlMs > 0)
      this.#resources.set(uri, resource, hint, textLengthOf(result), generation);
    return resource;
  }

  async listResources(options: { readonly signal?: AbortSignal } = {}): Promise<readonly Resource[]> {
    const pages = await raceAbort(this.#resourceList.read(), options.signal);
    return pages.flatMap((page) => page.entries).filter((entry) => entry !== undefined);
  }

  async listPrompts(options: { readonly signal?: AbortSignal } = {}): Promise<readonly Prompt[]> {
    const pages = await raceAbort(this.#promptList.read(), options.signal);
    return pages.flatMap((page) => page.entries).filter((entry) => entry !== undefined);
  }

  async getPrompt(
    params: { readonly name: string; readonly arguments?: Readonly<Record<string, string>> },
    options: CallOptions = {},
  ): Promise<GetPromptResult> {
    const { result } = await this.#runner.rounds(method.getPrompt, { ...params }, options);
    return readGetPromptResult(result);
  }

  async setLogLevel(level: LogLevel | undefined): Promise<void> {
    if (this.era === 'modern') this.#runner.logLevel = level;
    else if (this.capabilities.logging !== undefined) {
      // Old servers cannot be told to be silent; `warning` is what they would send anyway.
      this.#sessionLogLevel = level ?? 'warning';
      await this.#runner.send(method.setLogLevel, { level: this.#sessionLogLevel });
    }
  }

  notifyRootsChanged(): void {
    const { connection, options } = this.#setup;
    if (this.era === 'legacy' && options.capabilities.roots?.listChanged === true)
      connection.notify(method.rootsChanged);
  }

  close(): Promise<void> {
    this.#subscription?.dispose();
    return this.#setup.connection.transport.close();
  }

  /** A notification of the server that is not about a request of ours. */
  receive(notification: JsonRpcNotification, origin: MessageOrigin): void {
    if (this.#subscription?.receive(notification, origin) === true) return;
    const { params } = notification;
    switch (notification.method) {
      case method.toolsChanged:
        // In the modern era a notice belongs to a subscription, or to nobody (specification: subscriptions).
        if (this.era === 'legacy') this.toolsMayHaveChanged();
        return;
      case method.cancelled:
        this.#subscription?.cancelled(params?.['requestId']);
        return;
      case method.logMessage:
        this.#logMessage.fire(readLogMessage(params));
        return;
      case method.elicitationComplete: {
        const id = params?.['elicitationId'];
        if (typeof id === 'string') this.#runner.elicitationComplete.fire(id);
        return;
      }
      default:
    }
  }

  /** A legacy server has been greeted again: what it was told before is forgotten. */
  greetedAgain(): void {
    this.#beginToHear();
    this.toolsMayHaveChanged();
    if (this.#sessionLogLevel === undefined) return;
    this.setLogLevel(this.#sessionLogLevel).catch((error: unknown) => {
      this.#setup.options.log?.({ level: 'warn', text: `The log level is lost: ${errorMessage(error)}` });
    });
  }

  /** What became of the stream on which a legacy HTTP server speaks unasked. */
  listening(state: Listening): void {
    if (!this.#announcesTools) return;
    if (state === 'open') this.#hearing.opened();
    else if (state === 'none') this.#hearing.none();
    else this.#hearing.lost();
  }

  /** Forgets the tools and announces that, at most every now and then. */
  toolsMayHaveChanged(): void {
    this.#pages.clear();
    this.#notices.notice();
  }

  /** The connection has ended. */
  ended(error: HostError | undefined): void {
    this.#notices.dispose();
    this.#hearing.dispose();
    this.#subscription?.dispose();
    this.#closed.fire(error);
  }

  get #announcesTools(): boolean {
    return this.capabilities.tools?.listChanged === true;
  }

  /** On the other legacy transports everything comes on the one channel that there is. */
  #beginToHear(): void {
    const listens =
      this.#subscription !== undefined ||
      (this.era === 'legacy' && this.#setup.connection.transport.kind === 'streamableHttp');
    if (listens && this.#announcesTools) this.#hearing.begin();
  }

  #list(refresh: boolean, signal: AbortSignal | undefined): Promise<ToolList> {
    this.#hearing.listing();
    return this.#lister.list(refresh, signal);
  }

  get #mirrorsParameters(): boolean {
    return this.era === 'modern' && this.#setup.connection.transport.kind === 'streamableHttp';
  }

  /** Streamable HTTP: parameters also travel as headers (specification: "Custom Headers from Tool Parameters"). */
  async #callWithHeaders(
    call: { readonly name: string; readonly arguments: JsonObject },
    params: JsonObject,
    limits: CallOptions,
  ): Promise<JsonObject> {
    const send = (): Promise<JsonObject> => {
      const headers = encodeParameterHeaders(this.#lister.headersOf(call.name), call.arguments);
      return this.#runner.send(method.callTool, params, limits, headers);
    };
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof RpcError) || error.code !== errorCode.headerMismatch) throw error;
      this.#setup.options.log?.({
        level: 'info',
        text: `The server wants other headers for ${JSON.stringify(call.name)}: the tools are listed again. ${errorMessage(error)}`,
      });
      const before = this.#lister.meaningOf(call.name);
      await this.#list(true, limits.signal);
      // Whatever the new list says, those who show the tools have to learn of it.
      this.#notices.notice();
      // Somebody decided on the tool as it was; only where it writes its arguments may be another by itself.
      if (before !== undefined && this.#lister.meaningOf(call.name) !== before)
        throw changedTool(call.name, error);
      return send();
    }
  }
}

function changedTool(name: string, cause: RpcError): HostError {
  return new HostError(
    'toolChanged',
    `The server refused the call because its tool ${JSON.stringify(name)} is not what it was when the call was decided on. Nothing was run. Call it again to decide on it as it is now.`,
    { cause },
  );
}
