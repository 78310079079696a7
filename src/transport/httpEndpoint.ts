import { type Dispatcher, Pool } from 'undici';
import { HostError } from '../base/errors.ts';
import { type Authorize, HttpExchange, type HttpRequest, type HttpSink } from './httpExchange.ts';
import { checkConfiguredHeaders, redact, secretsOf } from './httpHeaders.ts';

export interface HttpEndpointOptions {
  readonly url: string;
  /** Sent with every request to this origin and never to another. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Not asked when an Authorization header is configured. */
  readonly authorize?: Authorize;
  /** Carries the requests; without it the endpoint has connections of its own. It stays the caller's to close. */
  readonly dispatcher?: Dispatcher;
  /** Milliseconds until a connection stands. */
  readonly connectTimeoutMs?: number;
  /** Sent as User-Agent unless the configured headers have one. */
  readonly userAgent?: string;
}

/** Connections at once. Every open stream holds one. */
const maxConnections = 256;

/** One URL of one server, with its connections. Nothing is ever sent to another origin. */
export class HttpEndpoint {
  readonly url: URL;
  /** True when the user configured the Authorization header. */
  readonly hasConfiguredAuthorization: boolean;
  readonly #origin: ConstructorParameters<typeof HttpExchange>[0];
  /** The connections, if they are ours to close. */
  readonly #own: Dispatcher | undefined;
  readonly #secrets: readonly string[];
  readonly #ignored: readonly string[];
  #granted = '';

  /** @throws HostError `invalidConfiguration` */
  constructor(options: HttpEndpointOptions) {
    this.url = readUrl(options.url);
    const { pairs, names, ignored } = checkConfiguredHeaders(options.headers ?? {});
    this.#ignored = ignored;
    this.hasConfiguredAuthorization = names.has('authorization');
    // Keys are also handed out as part of the address.
    const values = [...pairs.filter((_, index) => index % 2 === 1), ...this.url.searchParams.values()];
    this.#secrets = secretsOf(values);
    const dispatcher = options.dispatcher ?? openPool(this.url, options);
    this.#own = options.dispatcher === undefined ? dispatcher : undefined;
    const agent = names.has('user-agent') ? [] : ['user-agent', options.userAgent ?? 'countersign'];
    this.#origin = {
      origin: this.url.origin,
      dispatcher,
      authorize: this.hasConfiguredAuthorization ? undefined : this.#remembering(options.authorize),
      // Without this a server may choose any encoding (RFC 9110, 12.5.3), and we decode none.
      headers: ['accept-encoding', 'identity', ...agent, ...pairs],
    };
  }

  /**
   * Opens an exchange; the sink is never called before this returns.
   * @throws HostError `protocolViolation` for a URL on another origin
   */
  open(request: HttpRequest, sink: HttpSink): HttpExchange {
    if (request.url !== this.url && request.url.origin !== this.url.origin) {
      throw new HostError('protocolViolation', 'The server named an address on another origin.');
    }
    const exchange = new HttpExchange(this.#origin, request, sink);
    exchange.start();
    return exchange;
  }

  /** Names the configured headers that are not sent because the protocol decides them. */
  reportIgnoredHeaders(log: (line: string) => void): void {
    for (const name of this.#ignored)
      log(`The configured header ${name} is decided by the protocol and not sent.`);
  }

  /** A text from the server without the configured values that it may quote. */
  redact(text: string): string {
    return redact(text, [...secretsOf([this.#granted]), ...this.#secrets]);
  }

  /** Keeps what the hook gives, so that it can be redacted. */
  #remembering(authorize: Authorize | undefined): Authorize | undefined {
    if (authorize === undefined) return undefined;
    return async (request) => {
      const value = await authorize(request);
      this.#granted = value ?? this.#granted;
      return value;
    };
  }

  /** Ends all connections at once. */
  async close(): Promise<void> {
    await this.#own?.destroy();
  }
}

function openPool(url: URL, options: HttpEndpointOptions): Pool {
  return new Pool(url.origin, {
    connections: maxConnections,
    // A call may take minutes; nothing may queue behind it on its connection.
    pipelining: 1,
    allowH2: false,
    connectTimeout: options.connectTimeoutMs ?? 10_000,
    // Replies may be silent for hours; the owner of a request decides how long it waits.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** Only HTTP, without fragment, and no credentials: those belong into headers, where they are kept secret. */
function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new HostError('invalidConfiguration', 'The server URL must be an http or https URL.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new HostError(
      'invalidConfiguration',
      'The server URL must not contain a user name or password; configure a header instead.',
    );
  }
  url.hash = '';
  return url;
}
