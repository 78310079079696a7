/** What `${…}` in a server's configuration may stand for. */
export interface VariableSource {
  readonly workspaceFolder: string | undefined;
  readonly userHome: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export type Substitution =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'problem'; readonly message: string };

const variable = /\$\{([^}]*)\}/g;

/**
 * Replaces `${workspaceFolder}`, `${userHome}` and `${env:NAME}`, the editor's own spellings.
 * Replaced text is not looked through again, so a value can never smuggle in another variable.
 */
export function substitute(text: string, source: VariableSource): Substitution {
  let problem: string | undefined;
  const result = text.replaceAll(variable, (whole, name: string) => {
    const value = lookUp(name, source);
    if (typeof value === 'string') return value;
    problem ??= value.problem;
    return whole;
  });
  return problem === undefined ? { kind: 'text', text: result } : { kind: 'problem', message: problem };
}

function lookUp(name: string, source: VariableSource): string | { readonly problem: string } {
  if (name === 'userHome') return source.userHome;
  if (name === 'workspaceFolder') {
    return source.workspaceFolder ?? { problem: '${workspaceFolder} is used, but no folder is open.' };
  }
  if (name.startsWith('env:')) {
    const value = source.environment[name.slice('env:'.length)];
    return value ?? { problem: `\${${name}} is used, but the environment has no such variable.` };
  }
  return { problem: `\${${name}} is not known; \${workspaceFolder}, \${userHome} and \${env:NAME} are.` };
}
