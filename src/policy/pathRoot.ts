import path from 'node:path';

/** A folder as a rule names it, taken apart. */
export type PathRoot =
  | { readonly kind: 'absolute'; readonly path: string }
  | { readonly kind: 'home'; readonly rest: string }
  /** `name`: one folder of a multi-root workspace; otherwise each of them. */
  | { readonly kind: 'workspace'; readonly name: string | undefined; readonly rest: string };

/** Reads a folder of a `within` condition; `undefined` if it does not say where it begins. */
export function parseRoot(text: string): PathRoot | undefined {
  const home = /^(?:~|\$\{userHome\})(?:[/\\](.*))?$/s.exec(text);
  if (home !== null) return { kind: 'home', rest: home[1] ?? '' };
  const workspace = /^\$\{workspaceFolder(?::([^}]+))?\}(?:[/\\](.*))?$/s.exec(text);
  if (workspace !== null) return { kind: 'workspace', name: workspace[1], rest: workspace[2] ?? '' };
  // Both styles, because the same settings may be used on several systems.
  const absolute = path.posix.isAbsolute(text) || /^(?:[a-z]:[/\\]|\\\\[^\\])/i.test(text);
  return absolute && !text.includes('\0') && !text.includes('${')
    ? { kind: 'absolute', path: text }
    : undefined;
}
