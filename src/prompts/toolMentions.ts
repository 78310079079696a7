import type { NamedTool } from './lookAlike.ts';

/** No description is read further than this, in characters. */
const longestRead = 40_000;
const mostFound = 20;
/** A name of several words: `search` is a word of any text, `search_code` is a tool. */
const compound = /^[A-Za-z0-9]+(?:[_.-][A-Za-z0-9]+)+$|^[a-z][a-z0-9]*[A-Z]/;

/** The names of all tools, to find those that a description names. Made once for each list of tools. */
export class ToolMentions {
  readonly #byName = new Map<string, string[]>();

  constructor(tools: readonly NamedTool[]) {
    for (const { serverId, toolName } of tools) {
      if (!compound.test(toolName) || toolName.length > 200) continue;
      const servers = this.#byName.get(toolName);
      if (servers === undefined) this.#byName.set(toolName, [serverId]);
      else servers.push(serverId);
    }
  }

  /** Tools that only other servers have and that this text of a server names. */
  find(serverId: string, text: string): readonly NamedTool[] {
    const found = new Map<string, NamedTool>();
    for (const [word] of text.slice(0, longestRead).matchAll(/[A-Za-z0-9][A-Za-z0-9_.-]{2,199}/g)) {
      const toolName = word.replace(/[.-]+$/, '');
      const servers = this.#byName.get(toolName);
      if (servers === undefined || servers.includes(serverId) || found.has(toolName)) continue;
      found.set(toolName, { serverId: servers[0] ?? '', toolName });
      if (found.size >= mostFound) break;
    }
    return Array.from(found.values());
  }
}
