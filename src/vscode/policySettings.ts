import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { defaultLimits, parseLimits } from '../policy/limits.ts';
import { loadManagedPolicy, type ManagedPolicy, managedPolicyPaths } from '../policy/managedPolicy.ts';
import { compilePolicy, type Policy } from '../policy/policy.ts';
import type { PolicyProblem } from '../policy/rule.ts';

const section = 'countersign';

/** Reads the machine's policy. Done once: it changes with the machine, not in a session. */
export function readManagedPolicy(): Promise<ManagedPolicy> {
  return loadManagedPolicy(managedPolicyPaths(process.platform, process.env['ProgramData']), async (path) => {
    try {
      return await readFile(path, 'utf8');
    } catch (error) {
      const missing =
        error instanceof Error && ['ENOENT', 'ENOTDIR'].includes(String(Reflect.get(error, 'code')));
      if (missing) return undefined;
      throw error;
    }
  });
}

/** The policy of all settings that may speak, and what is wrong with them. */
export function readPolicy(managed: ManagedPolicy): Policy {
  const configuration = vscode.workspace.getConfiguration(section);
  const problems: PolicyProblem[] = [];
  // `globalValue` on purpose: whatever a workspace writes under the user's keys does not exist for us.
  const limits = parseLimits(
    configuration.inspect('limits')?.globalValue,
    defaultLimits,
    (key, message, severity) =>
      problems.push({
        ref: { origin: 'user', source: 'countersign.limits', index: -1 },
        key,
        severity: severity ?? 'error',
        message,
      }),
  );
  const policy = compilePolicy({
    user: configuration.inspect('rules')?.globalValue,
    workspace: workspaceRules(),
    managed,
    limits,
  });
  return { ...policy, problems: [...policy.problems, ...problems] };
}

/** Workspace rules only tighten, so they count in Restricted Mode too. */
function workspaceRules(): readonly { readonly source: string; readonly value: unknown }[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const shared = vscode.workspace.getConfiguration(section).inspect('workspaceRules')?.workspaceValue;
  const file = vscode.workspace.workspaceFile;
  return [
    // Without a workspace file these are the only folder's own, which come below.
    ...(file === undefined ? [] : [{ source: file.toString(), value: shared }]),
    ...folders.map(({ uri }) => ({
      source: uri.toString(),
      value: vscode.workspace.getConfiguration(section, uri).inspect('workspaceRules')?.workspaceFolderValue,
    })),
  ].filter(({ value }) => value !== undefined);
}

export function affectsPolicy(change: vscode.ConfigurationChangeEvent): boolean {
  return ['rules', 'workspaceRules', 'limits'].some((key) =>
    change.affectsConfiguration(`${section}.${key}`),
  );
}

/** Servers whose claims may count in allowing rules; the user's own word only. */
export function readTrustedServers(): ReadonlySet<string> {
  const value = vscode.workspace.getConfiguration(section).inspect<unknown>('trustedServers')?.globalValue;
  return new Set(Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []);
}
