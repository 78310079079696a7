import type { McpClient } from '../client/mcpClient.ts';
import type { Launch } from '../servers/launch.ts';
import type { ServerOrigin } from '../servers/serverConfig.ts';
import type { ServerManager } from '../servers/serverManager.ts';

/** What the road needs of a server. */
export interface CallServer {
  readonly id: string;
  readonly origin: ServerOrigin;
  readonly launch: Launch;
  readonly launchFingerprint: string;
  /** Waits through a start or restart. @throws HostError `notRunning` or `cancelled` */
  ready(signal: AbortSignal | undefined): Promise<McpClient>;
}

/** The servers as the road sees them: by id, as configured right now. */
export interface CallServers {
  get(serverId: string): CallServer | undefined;
}

/** Adapts the manager. A server whose configuration changed comes back with another fingerprint. */
export function managedCallServers(manager: ServerManager): CallServers {
  return {
    get(serverId) {
      const server = manager.get(serverId);
      if (server?.resolved?.kind !== 'resolved') return undefined;
      const { launch, fingerprint } = server.resolved;
      return {
        id: server.id,
        origin: server.entry.origin,
        launch,
        launchFingerprint: fingerprint,
        ready: (signal) => server.ready(signal),
      };
    },
  };
}
