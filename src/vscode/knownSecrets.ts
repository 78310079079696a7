import { configuredSecrets } from '../audit/redaction/configuredSecrets.ts';
import type { AuditLog } from '../audit/auditLog.ts';
import type { Disposable } from '../base/disposable.ts';
import type { ManagedServer } from '../servers/managedServer.ts';
import type { ServerManager } from '../servers/serverManager.ts';

const maximum = 5_000;

/**
 * Tells the record which configured values are secrets, before the server that knows them starts. Those of servers
 * that are gone stay known: what they said may still come.
 */
export class KnownSecrets implements Disposable {
  readonly #audit: AuditLog;
  readonly #known = new Set<string>();
  readonly #subscription: Disposable;

  constructor(audit: AuditLog, manager: ServerManager) {
    this.#audit = audit;
    this.#subscription = manager.onDidChange(({ kind, server }) => {
      if (kind === 'added') this.add(secretsOf(server));
    });
    for (const server of manager.servers) this.add(secretsOf(server));
  }

  add(secrets: readonly string[]): void {
    const fresh = secrets.filter((secret) => !this.#known.has(secret));
    if (fresh.length === 0) return;
    for (const secret of fresh) this.#known.add(secret);
    for (const oldest of this.#known) {
      if (this.#known.size <= maximum) break;
      this.#known.delete(oldest);
    }
    this.#audit.setKnownSecrets(this.#known);
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}

function secretsOf({ resolved }: ManagedServer): readonly string[] {
  if (resolved?.kind !== 'resolved') return [];
  const { launch } = resolved;
  return launch.kind === 'stdio'
    ? configuredSecrets({ env: launch.env, args: launch.args })
    : configuredSecrets({ headers: launch.headers, url: launch.url });
}
