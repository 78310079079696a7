import type { Event } from '../base/event.ts';
import type { ManagedPolicy } from '../policy/managedPolicy.ts';
import type { ClientCapabilities } from '../protocol/model.ts';
import type { Launch } from '../servers/launch.ts';
import type { ManagedServer } from '../servers/managedServer.ts';

/** What is declared to a server; nothing that could not be honoured right now. Always the same object for the same. */
export function declaredCapabilities(can: {
  readonly sampling: boolean;
  readonly roots: boolean;
}): ClientCapabilities {
  const [neither, sampling, roots, both] = declarations;
  return can.sampling ? (can.roots ? both : sampling) : can.roots ? roots : neither;
}

const elicitation = { form: {}, url: {} };
const sampling = { tools: {} };
const roots = { listChanged: true };
const declarations = [
  { elicitation },
  { elicitation, sampling },
  { elicitation, roots },
  { elicitation, sampling, roots },
] as const satisfies readonly ClientCapabilities[];

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
