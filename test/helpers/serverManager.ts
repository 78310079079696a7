import { homedir } from 'node:os';
import { systemClock } from '../../src/base/clock.ts';
import { strictlyChecked } from './checkedTransport.ts';
import type { InputHandler } from '../../src/client/mcpClient.ts';
import type { ClientCapabilities } from '../../src/protocol/model.ts';
import { parseServers } from '../../src/servers/configuration.ts';
import type { ShownLevelSource } from '../../src/servers/followLog.ts';
import { createConnector } from '../../src/servers/connectServer.ts';
import type { ServerLogLine } from '../../src/servers/connector.ts';
import { ServerManager } from '../../src/servers/serverManager.ts';
import type { ServerState } from '../../src/servers/serverState.ts';

export interface TestManager {
  readonly manager: ServerManager;
  readonly log: readonly (ServerLogLine & { readonly serverId: string })[];
  /** Resolves once the server is in one of these states, now or later. */
  readonly reaches: <K extends ServerState['kind']>(
    id: string,
    ...kinds: K[]
  ) => Promise<ServerState & { readonly kind: K }>;
}

/** A manager of real servers, as the extension has it, configured with user settings. */
export function startServers(
  servers: unknown,
  options: {
    readonly workspaceFolder?: string;
    readonly environment?: Readonly<Record<string, string | undefined>>;
    readonly probeTimeoutMs?: number;
    readonly maxRounds?: () => number;
    readonly shownLevel?: (serverId: string) => ShownLevelSource;
    readonly inputHandler?: InputHandler;
    readonly capabilities?: ClientCapabilities;
  } = {},
): TestManager {
  const log: (ServerLogLine & { serverId: string })[] = [];
  const environment = options.environment ?? process.env;
  const manager = new ServerManager({
    connect: createConnector({
      clientInfo: { name: 'countersign', version: '0' },
      clock: systemClock,
      probeTimeoutMs: () => options.probeTimeoutMs ?? 3000,
      watch: strictlyChecked,
      environment,
      ...(options.maxRounds === undefined ? undefined : { maxRounds: options.maxRounds }),
    }),
    clock: systemClock,
    variables: () => ({ workspaceFolder: options.workspaceFolder, userHome: homedir(), environment }),
    log: (serverId, line) => log.push({ ...line, serverId }),
    shownLevel: options.shownLevel,
    inputHandler: () =>
      options.inputHandler ??
      (() => Promise.resolve({ kind: 'refused', code: -32601, message: 'not expected' })),
    capabilities: () => Promise.resolve(options.capabilities ?? {}),
    currentCapabilities: () => options.capabilities ?? {},
    blocked: () => undefined,
    isTrusted: () => false,
  });
  manager.configure(parseServers({ user: servers, workspace: undefined }).entries, true);
  return {
    manager,
    log,
    reaches(id, ...kinds) {
      type Wanted = ServerState & { readonly kind: (typeof kinds)[number] };
      const current = (): Wanted | undefined => {
        const state = manager.get(id)?.state;
        return state !== undefined && (kinds as string[]).includes(state.kind)
          ? (state as Wanted)
          : undefined;
      };
      return new Promise((resolve) => {
        const found = current();
        if (found !== undefined) return resolve(found);
        const subscription = manager.onDidChange(() => {
          const state = current();
          if (state === undefined) return;
          subscription.dispose();
          resolve(state);
        });
      });
    },
  };
}
