import type { Event } from '../base/event.ts';
import type { ManagedPolicy } from '../policy/managedPolicy.ts';
import type { ClientCapabilities } from '../protocol/model.ts';
import type { Launch } from '../servers/launch.ts';
import type { ManagedServer } from '../servers/managedServer.ts';

/** What is declared to a server; nothing that could not be honoured right now. */
export function declaredCapabilities(can: {
  readonly sampling: boolean;
  readonly roots: boolean;
}): ClientCapabilities {
  return {
    elicitation: { form: {}, url: {} },
    ...(can.sampling ? { sampling: { tools: {} } } : {}),
    ...(can.roots ? { roots: { listChanged: true } } : {}),
  };
}

/** Legacy: fires when the server says that one URL elicitation is complete. */
export function completionOf(
  server: ManagedServer | undefined,
  elicitationId: string,
): Event<void> | undefined {
  if (server?.state.kind !== 'running') return undefined;
  const { client } = server.state;
  return (listener) =>
    client.onElicitationComplete((id) => {
      if (id === elicitationId) listener();
    });
}

/** Why the machine's policy keeps a server from being used; `undefined`: it does not. */
export function blockedByMachine(
  managed: ManagedPolicy,
  serverId: string,
  launch: Launch,
): string | undefined {
  if (managed.unreadable) return "This machine's policy file cannot be read, so no server may be used.";
  const target =
    launch.kind === 'stdio'
      ? { kind: launch.kind, command: launch.command, args: launch.args }
      : { kind: launch.kind, url: launch.url };
  return managed.allowsServer(serverId, target)
    ? undefined
    : "This machine's policy does not list this server.";
}
