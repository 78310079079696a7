import { raceAbort } from '../base/abort.ts';
import type { ServerManager } from '../servers/serverManager.ts';

/** Resolves once no server is starting: a question asked right after the window opened should find its tools. */
export async function serversSettled(manager: ServerManager, signal: AbortSignal): Promise<void> {
  const starting = (): boolean => manager.servers.some(({ state }) => state.kind === 'starting');
  while (starting()) {
    await raceAbort(
      new Promise<void>((resolve) => {
        const once = manager.onDidChange(() => {
          once.dispose();
          resolve();
        });
      }),
      signal,
    );
  }
}
