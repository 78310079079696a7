/** What the shim understands of desktop VS Code's command line. */
export type ShimArguments = Readonly<{
  develop: readonly string[];
  tests: string | undefined;
  userData: string | undefined;
  extensions: string | undefined;
  proposedApi: readonly string[];
  workspaceTrust: boolean;
  /** Everything that is no option. */
  open: readonly string[];
}>;

// Options whose value may follow as the next argument; all others are flags or carry it after `=`.
const valued = new Set([
  'extensionDevelopmentPath',
  'extensionTestsPath',
  'user-data-dir',
  'extensions-dir',
  'enable-proposed-api',
  'disable-extension',
  'locale',
  'log',
  'profile',
]);

/** Reads a command line as `@vscode/test-electron` writes it. */
export function parseShimArguments(argv: readonly string[]): ShimArguments {
  const options = new Map<string, string[]>();
  const open: string[] = [];
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const match = /^--([^=]+)(?:=(.*))?$/s.exec(word);
    if (match?.[1] === undefined) {
      open.push(word);
      continue;
    }
    const value = match[2] ?? (valued.has(match[1]) ? (rest.shift() ?? '') : '');
    options.set(match[1], [...(options.get(match[1]) ?? []), value]);
  }
  const all = (name: string): readonly string[] => options.get(name) ?? [];
  return {
    develop: all('extensionDevelopmentPath'),
    tests: all('extensionTestsPath').at(-1),
    userData: all('user-data-dir').at(-1),
    extensions: all('extensions-dir').at(-1),
    proposedApi: all('enable-proposed-api'),
    workspaceTrust: !options.has('disable-workspace-trust'),
    open,
  };
}
