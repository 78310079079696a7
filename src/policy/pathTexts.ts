import type { JsonObject } from '../base/json.ts';
import { walkJson } from './walkJson.ts';

/** The root under which "inside the workspace" is looked up in `PathFacts`. */
export const workspaceRoot = '${workspaceFolder}';

/** Longest text that is looked at as a path, in UTF-16 units (Linux: PATH_MAX is 4096 bytes). */
export const maxPathLength = 4096;

const pathName =
  /(?:^|[_-])(?:path|paths|file|files|filename|dir|directory|folder|root|cwd|src|dst|source|destination|target|uri)$/i;

/** Whether a text argument is a path: by its form, or by the name of the argument. */
export function looksLikePath(name: string | undefined, text: string): 'yes' | 'maybe' | 'no' {
  if (text === '' || text.length > maxPathLength || /[\n\r]/.test(text)) return 'no';
  if (/^file:/i.test(text)) return 'yes';
  // Other URLs are looked at as such.
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return 'no';
  if (name !== undefined && pathName.test(name.replace(/([a-z0-9])([A-Z])/g, '$1_$2'))) return 'yes';
  if (/^~(?:[/\\]|$)|^[a-z]:[/\\]|^\\\\[^\\]|(?:^|[/\\])\.\.(?:[/\\]|$)/i.test(text)) return 'yes';
  return /^\.?\/[^/\s]/.test(text) ? 'maybe' : 'no';
}

/** The texts among the arguments that look like paths, for `gatherPaths`. */
export function pathTexts(args: JsonObject): readonly string[] {
  const found = new Set<string>();
  for (const { name, value } of walkJson(args, 20_000)) {
    if (typeof value === 'string' && looksLikePath(name, value) !== 'no') found.add(value);
  }
  return Array.from(found);
}
