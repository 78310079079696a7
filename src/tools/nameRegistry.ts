import { type ToolKey, longModelName, modelName } from './toolNames.ts';

/** Keeps the model-facing names of all tools unique while tools come and go. */
export class NameRegistry {
  #ids: readonly string[] = [];
  /** Short name → who would have it. Nearly always one. */
  readonly #claims = new Map<string, Set<string>>();
  readonly #keys = new Map<string, { readonly tool: ToolKey; readonly short: string }>();

  /** Sets the ids of all servers there may be. The names of all tools may change by it. */
  setIds(ids: readonly string[]): void {
    this.#ids = ids;
    const before = [...this.#keys];
    this.#claims.clear();
    this.#keys.clear();
    for (const [key, { tool }] of before) this.add(key, tool);
  }

  /** Adds a tool under a key, and returns the keys whose names may be others now, its own among them. */
  add(key: string, tool: ToolKey): ReadonlySet<string> {
    const known = this.#keys.get(key);
    if (known !== undefined) return this.#claims.get(known.short) ?? new Set();
    const short = modelName(tool, this.#ids);
    this.#keys.set(key, { tool, short });
    let claim = this.#claims.get(short);
    if (claim === undefined) {
      claim = new Set();
      this.#claims.set(short, claim);
    }
    claim.add(key);
    return claim;
  }

  /** Removes a tool, and returns the keys whose names may be others now. */
  remove(key: string): ReadonlySet<string> {
    const known = this.#keys.get(key);
    const claim = known === undefined ? undefined : this.#claims.get(known.short);
    if (known === undefined || claim === undefined) return new Set();
    this.#keys.delete(key);
    claim.delete(key);
    if (claim.size === 0) this.#claims.delete(known.short);
    return claim;
  }

  /** The name of a tool: the short one, or a long one for each of several that would share the short one. */
  nameOf(key: string): string {
    const known = this.#keys.get(key);
    if (known === undefined) return '';
    return this.#claims.get(known.short)?.size === 1 ? known.short : longModelName(known.tool);
  }
}
