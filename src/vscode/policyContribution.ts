import * as vscode from 'vscode';
import { digest } from '../base/canonicalJson.ts';
import type { ManagedPolicy } from '../policy/managedPolicy.ts';
import { problemText } from '../policy/rule.ts';
import type { Core } from './core.ts';
import { affectsPolicy, readPolicy } from './policySettings.ts';
import { showWarning } from './notices.ts';

/**
 * Keeps the policy that of the settings, records each change, and tells the person what is wrong with it, with a
 * way to the place.
 */
export function applyPolicy(core: Core, managed: ManagedPolicy): vscode.Disposable {
  let told = '';
  const apply = (): void => {
    const before = core.gate.policy;
    const policy = readPolicy(managed);
    core.gate.policy = policy;
    const after = digest(policy.rules.map(({ rule }) => ({ ...rule })));
    if (before.rules.length + policy.rules.length > 0) {
      core.audit.record({
        kind: 'policyChanged',
        source: 'user',
        rules: policy.rules.length,
        problems: policy.problems.length,
        after,
      });
    }
    const texts = policy.problems.map(problemText);
    for (const text of texts) core.log.warn(text);
    const key = texts.join('\n');
    if (key === told) return;
    told = key;
    const [first] = policy.problems;
    if (first !== undefined) void tell(first.ref.origin, texts);
  };
  apply();
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (affectsPolicy(change)) apply();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(apply),
  );
}

async function tell(origin: 'user' | 'workspace' | 'managed', texts: readonly string[]): Promise<void> {
  const more = texts.length > 1 ? ` (and ${texts.length - 1} more, see the Countersign log)` : '';
  const open = 'Open Settings';
  const actions = origin === 'managed' ? [] : [open];
  const answer = await showWarning(`${texts[0] ?? ''}${more}`, ...actions);
  if (answer !== open) return;
  await vscode.commands.executeCommand(
    origin === 'user' ? 'workbench.action.openSettingsJson' : 'workbench.action.openWorkspaceSettingsFile',
  );
}
