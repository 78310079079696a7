import type { AuditPort } from '../audit/auditLog.ts';
import { raceAbort } from '../base/abort.ts';
import type { Disposable } from '../base/disposable.ts';
import type { ManagedServer } from '../servers/managedServer.ts';
import type { ServerChange, ServerManager } from '../servers/serverManager.ts';
import type { Catalogue } from '../tools/catalogue.ts';

export interface ServerFollower extends Disposable {
  /** Resolves when no server is starting and the catalogue has the tools of all that run. Rejects with the signal. */
  settled(signal: AbortSignal | undefined): Promise<void>;
}

/** Brings what happens to servers into the catalogue and the record. */
export function followServers(
  manager: ServerManager,
  catalogue: Catalogue,
  audit: AuditPort,
): ServerFollower {
  const building = new Set<Promise<void>>();
  const build = (server: ManagedServer): void => {
    const done = catalogue.setServerTools(server.id, server.tools).finally(() => building.delete(done));
    building.add(done);
  };
  const startedAt = new Map<string, number>();
  const recordState = (server: ManagedServer): void => {
    const { id, state, resolved } = server;
    switch (state.kind) {
      case 'starting':
        startedAt.set(id, performance.now());
        break;
      case 'running': {
        // A refreshed list is no new start.
        const since = startedAt.get(id);
        startedAt.delete(id);
        if (since === undefined || resolved?.kind !== 'resolved') break;
        const { client } = state;
        audit.record({
          kind: 'serverStarted',
          serverId: id,
          transport: resolved.launch.kind,
          era: client.era,
          protocolVersion: client.protocolVersion,
          launchFingerprint: resolved.fingerprint,
          durationMs: performance.now() - since,
          ...(client.serverInfo === undefined ? {} : { serverInfo: client.serverInfo }),
          ...(resolved.launch.kind === 'http' ? { address: addressOf(resolved.launch.url) } : {}),
        });
        break;
      }
      case 'failed':
      case 'restarting':
        audit.record({
          kind: 'serverFailed',
          serverId: id,
          code: state.kind,
          message: state.failure.message,
        });
        break;
      case 'stopped':
        audit.record({ kind: 'serverStopped', serverId: id, reason: 'stopped by request' });
        break;
      case 'invalid':
      case 'untrusted':
        break;
    }
  };
  const changes = manager.onDidChange(({ kind, server }: ServerChange) => {
    if (kind === 'added' || kind === 'removed') catalogue.setServerIds(manager.servers.map(({ id }) => id));
    if (kind === 'removed' && manager.get(server.id) === undefined) catalogue.removeServer(server.id);
    if (kind === 'state') recordState(server);
    if (kind === 'tools') {
      if (server.state.kind === 'running') build(server);
      else catalogue.removeServer(server.id);
    }
  });
  const tools = catalogue.onDidChange(({ added, changed, removed }) => {
    const ids = new Set(
      [...added, ...removed, ...changed.map(({ after }) => after)].map(({ serverId }) => serverId),
    );
    for (const serverId of ids) {
      const entries = catalogue.entriesOf(serverId);
      const names = (list: readonly { readonly serverId: string; readonly toolName: string }[]): string[] =>
        list.filter((entry) => entry.serverId === serverId).map(({ toolName }) => toolName);
      const redefined = changed.filter(({ before, after }) => before.fingerprint !== after.fingerprint);
      audit.record({
        kind: 'toolsChanged',
        serverId,
        added: names(added),
        removed: names(removed),
        changed: names(redefined.map(({ after }) => after)),
        rejected: entries.filter(({ state }) => state.kind === 'setAside').length,
        total: entries.length,
      });
    }
  });
  return {
    async settled(signal) {
      await raceAbort(Promise.all(manager.servers.map((server) => server.freshTools())), signal);
      for (;;) {
        if (manager.servers.some(({ state }) => state.kind === 'starting')) {
          await raceAbort(nextChange(manager), signal);
        } else if (building.size > 0) {
          await raceAbort(Promise.all(building), signal);
        } else return;
      }
    },
    dispose() {
      changes.dispose();
      tools.dispose();
    },
  };
}

function nextChange(manager: ServerManager): Promise<void> {
  return new Promise((resolve) => {
    const once = manager.onDidChange(() => {
      once.dispose();
      resolve();
    });
  });
}

function addressOf(url: string): { readonly host: string; readonly port: number } {
  const { hostname, port, protocol } = new URL(url);
  return { host: hostname, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) };
}
