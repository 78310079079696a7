import type { ModelSchema } from './modelSchema.ts';
import { pathOf, type SchemaProblem, show } from './schemaProblems.ts';

/**
 * What is wrong with arguments, in the names that the model knows: some are called otherwise for it. The tool's own name
 * follows in brackets. Names inside an argument are never changed.
 */
export function problemsForModel(
  problems: readonly SchemaProblem[],
  model: ModelSchema,
): readonly SchemaProblem[] {
  if (model.kind !== 'ready' || model.renamed.size === 0) return problems;
  const { renamed } = model;
  return problems.map((problem) => {
    if (problem.path !== '') return { ...problem, path: modelPath(problem.path, renamed) };
    // Of the arguments as a whole: that one of them is missing, or not allowed.
    let { message } = problem;
    for (const [name, original] of renamed)
      message = message.replaceAll(show(original), () => bothNames(name, original));
    return { ...problem, message };
  });
}

function modelPath(path: string, renamed: ReadonlyMap<string, string>): string {
  for (const [name, original] of renamed) {
    const head = pathOf(pointerTo(original));
    const rest = path.slice(head.length);
    if (path.startsWith(head) && /^(?:$|[.[])/.test(rest))
      return `${pathOf(pointerTo(name))}${rest} (the tool's own name: ${show(original)})`;
  }
  return path;
}

function bothNames(name: string, original: string): string {
  return `${show(name)} (the tool's own name: ${show(original)})`;
}

function pointerTo(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
