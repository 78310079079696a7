import type { Catalogue } from '../tools/catalogue.ts';
import type { CatalogueEntry } from '../tools/catalogueEntry.ts';
import type { Tool } from '../protocol/model.ts';
import type { CallTarget } from './callTypes.ts';

/** A tool that may be called, as the catalogue has it now. */
export interface CallableTool {
  readonly entry: CatalogueEntry;
  readonly tool: Tool;
}

export type FoundTool =
  | ({ readonly kind: 'found' } & CallableTool)
  /** `serverId` and `toolName`: as far as they are known, for the record. */
  | {
      readonly kind: 'refused';
      readonly serverId: string;
      readonly toolName: string;
      readonly message: string;
    };

/** The catalogue step of the road. */
export function findTool(catalogue: Catalogue, target: CallTarget): FoundTool {
  const entry =
    target.kind === 'modelName'
      ? catalogue.resolve(target.name)
      : catalogue.find(target.serverId, target.toolName);
  const named = target.kind === 'modelName' ? target.name : target.toolName;
  const serverId = entry?.serverId ?? (target.kind === 'tool' ? target.serverId : '');
  const toolName = entry?.toolName ?? named;
  if (entry?.tool === undefined) {
    const message = `There is no tool ${JSON.stringify(named)}. Use one of the tools that are listed.`;
    return { kind: 'refused', serverId, toolName, message };
  }
  if (entry.state.kind === 'setAside') {
    const message = `The tool ${JSON.stringify(named)} cannot be called: ${entry.state.reason}`;
    return { kind: 'refused', serverId, toolName, message };
  }
  // Switched off means not exposed to models; a person may still run it by hand.
  if (!entry.enabled && target.kind === 'modelName') {
    const message = `The tool ${JSON.stringify(named)} is switched off.`;
    return { kind: 'refused', serverId, toolName, message };
  }
  return { kind: 'found', entry, tool: entry.tool };
}
