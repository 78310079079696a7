/** Where a server's configuration comes from. A workspace is not trusted to start programs unasked. */
export type ServerOrigin = 'user' | 'workspace';

export interface StdioServerConfig {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
}

export interface HttpServerConfig {
  readonly kind: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** How to reach a server, as configured: variables are not yet replaced. */
export type ServerConfig = StdioServerConfig | HttpServerConfig;

export interface ConfigProblem {
  /** The key inside the entry, such as `args[1]`; empty for the entry itself. */
  readonly key: string;
  readonly message: string;
}

/** One entry of `countersign.servers`. A wrong one stays visible with what is wrong. */
export type ServerEntry =
  | {
      readonly kind: 'valid';
      readonly id: string;
      readonly origin: ServerOrigin;
      readonly config: ServerConfig;
    }
  | {
      readonly kind: 'invalid';
      readonly id: string;
      readonly origin: ServerOrigin;
      readonly problems: readonly ConfigProblem[];
    };
