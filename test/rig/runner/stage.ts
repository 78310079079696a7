import type { Outcome } from './outcome.ts';

/** What a stage is given. */
export type StageRun = Readonly<{
  /** Only test files whose path contains one of these; all if empty. */
  filters: readonly string[];
  /** Name every test, not only those that fail. */
  verbose: boolean;
  /** Which editor runs the suites inside the extension host. */
  editor: 'shim' | 'desktop';
  signal: AbortSignal;
  print: (line: string) => void;
}>;

/** Name of the stage that the editor stages build on. */
export const buildStageName = 'build';

/** One part of `npm test`. */
export type Stage = Readonly<{
  name: string;
  /** What must be installed before; `shim` means the same as `editor` unless a desktop VS Code runs the suites. */
  needs: 'nothing' | 'browser' | 'editor' | 'shim';
  /** True if it works on the built extension, so that the build must run first. */
  afterBuild: boolean;
  /** True if filters choose among its files; with filters given, all other stages are left out. */
  hasFiles: boolean;
  run: (run: StageRun) => Promise<Outcome>;
}>;
