import { visibleLine } from '../shared/visibleText.ts';
import type { CatalogueEntry } from '../tools/catalogueEntry.ts';

/** Server text for one line of a tree: hidden characters made visible, cut where nobody reads on. */
export function oneLine(text: string): string {
  return visibleLine(text, 200);
}

/** An estimate of tokens as people read it: `~40 tokens`, `~1.2k tokens`. */
export function tokenText(tokens: number): string {
  if (tokens < 1000) return `~${tokens} tokens`;
  return `~${(tokens / 1000).toFixed(tokens < 10_000 ? 1 : 0)}k tokens`;
}

/** Above the tools when there are too many to list for a model, with the way out; empty otherwise. `limit`: of settings. */
export function searchText(
  entries: readonly Pick<CatalogueEntry, 'enabled' | 'state' | 'tokens'>[],
  limit: number,
): string {
  const listed = entries.filter(
    ({ enabled, state, tokens }) => enabled && state.kind === 'usable' && tokens > 0,
  );
  // One place is taken by `read_result`.
  if (listed.length < limit) return '';
  return `Models search the ${listed.length} tools instead of getting a list, because they are more than ${limit - 1}. To have them listed, uncheck some or raise the setting countersign.toolLimit.`;
}

/** What a server has, for its row: `21 tools, ~1.2k tokens, 3 set aside`. */
export function toolsText(entries: readonly Pick<CatalogueEntry, 'enabled' | 'state' | 'tokens'>[]): string {
  const usable = entries.filter(({ state }) => state.kind === 'usable');
  const told = usable.filter(({ enabled }) => enabled);
  const tokens = tokenText(told.reduce((sum, entry) => sum + entry.tokens, 0));
  const aside = entries.length - usable.length;
  return [
    `${usable.length} ${usable.length === 1 ? 'tool' : 'tools'}`,
    tokens,
    ...(aside === 0 ? [] : [`${aside} set aside`]),
  ].join(', ');
}
