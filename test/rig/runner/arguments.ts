import { parseArgs } from 'node:util';
import { buildStageName, type Stage } from './stage.ts';

/** What `npm test -- …` was asked to do. */
export type TestArguments = Readonly<{
  only: readonly string[];
  filters: readonly string[];
  editor: 'shim' | 'desktop';
  verbose: boolean;
}>;

/** Reads the arguments; throws on what it does not know. */
export function parseTestArguments(argv: readonly string[], names: readonly string[]): TestArguments {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      only: { type: 'string', multiple: true, default: [] },
      editor: { type: 'string', default: 'server' },
      verbose: { type: 'boolean', default: false },
    },
  });
  const only = values.only.flatMap((list) => list.split(',')).filter((name) => name !== '');
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new Error(`no such stage: ${unknown.join(', ')}; there are ${names.join(', ')}`);
  if (values.editor !== 'server' && values.editor !== 'desktop')
    throw new Error('--editor takes "server" or "desktop"');
  const editor = values.editor === 'desktop' ? 'desktop' : 'shim';
  return { only, filters: positionals, editor, verbose: values.verbose };
}

/** The stages to run: those named, else those with files if files were named, else all; with the build they need. */
export function chooseStages(all: readonly Stage[], { only, filters }: TestArguments): readonly Stage[] {
  const named = all.filter(({ name, hasFiles }) =>
    only.length > 0 ? only.includes(name) : filters.length === 0 || hasFiles,
  );
  const build = named.some((stage) => stage.afterBuild);
  return all.filter((stage) => named.includes(stage) || (build && stage.name === buildStageName));
}
