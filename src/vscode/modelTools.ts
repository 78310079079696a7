import { raceAbort } from '../base/abort.ts';
import type { ServerManager } from '../servers/serverManager.ts';
import type { Catalogue } from '../tools/catalogue.ts';
import type { ModelTool } from './chatParticipant.ts';

/** The tools that a model is told of: usable, switched on, with a schema that back ends accept. */
export function modelTools(catalogue: Catalogue): ModelTool[] {
  return catalogue.entries.flatMap((entry) => {
    if (entry.state.kind !== 'usable' || !entry.enabled || entry.modelName === '') return [];
    const schema = entry.modelSchema;
    if (schema.kind !== 'ready') return [];
    const description = entry.tool?.description ?? entry.tool?.title ?? entry.toolName;
    return [{ name: entry.modelName, description, inputSchema: schema.schema }];
  });
}

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
