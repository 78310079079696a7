import type { Disposable } from '../base/disposable.ts';
import type { Event } from '../base/event.ts';
import type { ObstaclePort } from '../prompts/obstaclePort.ts';
import type { ManagedServer } from '../servers/managedServer.ts';
import type { PromptCard } from '../shared/promptCard.ts';
import type { Catalogue } from '../tools/catalogue.ts';
import { findTool } from './callTarget.ts';

/** What stands in the way of calls that wait, as it is now: their server has gone, their tool is another. */
export class CallObstacles implements ObstaclePort {
  readonly #catalogue: Catalogue;
  readonly #servers: { get(id: string): ManagedServer | undefined };
  readonly onDidChange: Event<unknown>;

  constructor(ports: {
    readonly catalogue: Catalogue;
    readonly servers: {
      get(id: string): ManagedServer | undefined;
      readonly onDidChange: Event<unknown>;
    };
  }) {
    this.#catalogue = ports.catalogue;
    this.#servers = ports.servers;
    this.onDidChange = (listener): Disposable => {
      const held = [ports.catalogue.onDidChange(listener), ports.servers.onDidChange(listener)];
      return { dispose: () => held.forEach((one) => one.dispose()) };
    };
  }

  of(card: PromptCard): string | undefined {
    if (card.kind !== 'approval') return undefined;
    const { serverId, tool, toolFingerprint } = card;
    const server = this.#servers.get(serverId);
    if (server?.state.kind !== 'running') return serverWords(server?.state.kind);
    const found = findTool(this.#catalogue, { kind: 'tool', serverId, toolName: tool.name });
    if (found.kind === 'refused') return 'The tool cannot be called any more, so the call would not be made.';
    if (found.entry.fingerprint === toolFingerprint) return undefined;
    return 'The tool has changed since it was asked for. If you allow it, you are asked again and see the difference.';
  }
}

function serverWords(state: ManagedServer['state']['kind'] | undefined): string {
  if (state === undefined) return 'Its server is not there any more. The call cannot be made.';
  return state === 'starting' || state === 'restarting'
    ? 'Its server is starting again. Until it runs, the call cannot be made.'
    : 'Its server is not running. Until it is started again, the call cannot be made.';
}
