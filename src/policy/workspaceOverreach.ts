import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import type { TextSpan } from './problemLocation.ts';

/** A setting that a workspace writes although only the user may. */
export interface Overreach extends TextSpan {
  readonly setting: string;
}

/** A repository's file may be anything; nobody writes settings this long. */
const longestText = 2_000_000;

/**
 * The settings in the text of a workspace's settings file that the editor takes from the user alone. The editor
 * ignores them without a word; a person should know that the repository tries.
 * @param reserved full names, such as `countersign.rules`
 * @param prefix members around the settings, such as `["settings"]` in a `.code-workspace` file
 */
export function workspaceOverreach(
  text: string,
  reserved: ReadonlySet<string>,
  prefix: readonly string[] = [],
): readonly Overreach[] {
  if (text.length > longestText) return [];
  const tree = parseTree(text);
  const settings = tree === undefined ? undefined : findNodeAtLocation(tree, [...prefix]);
  if (settings?.type !== 'object') return [];
  return (settings.children ?? []).flatMap(({ children }) => {
    const [key] = children ?? [];
    const setting: unknown = key?.value;
    if (key === undefined || typeof setting !== 'string' || !reserved.has(setting)) return [];
    return [{ setting, offset: key.offset, length: key.length }];
  });
}
