import * as vscode from 'vscode';
import { digest } from '../base/canonicalJson.ts';
import { errorMessage } from '../base/errors.ts';
import { isJsonObject } from '../base/json.ts';
import type { Policy } from '../policy/policy.ts';
import { type PolicyProblem, problemText } from '../policy/rule.ts';
import type { Core } from './core.ts';
import { showWarning } from './notices.ts';
import { PolicyProblems } from './policyProblems.ts';
import { affectsPolicy, readPolicy } from './policySettings.ts';
import { workspaceSettingsFiles } from './settingsFiles.ts';

/**
 * Keeps the policy that of the settings, records each change, and tells the person what is wrong with it, with a
 * way to the place.
 */
export function applyPolicy(core: Core, context: vscode.ExtensionContext): vscode.Disposable {
  const places = new PolicyProblems(context.globalStorageUri, reservedSettings(context));
  const told = new Set<string>();
  const apply = (): void => {
    const before = core.gate.policy;
    const policy = readPolicy(core.managed);
    core.gate.policy = policy;
    if (before.rules.length + policy.rules.length > 0) record(core, policy);
    report(policy.problems).catch((error: unknown) => core.log.error(errorMessage(error)));
  };
  const report = async (problems: readonly PolicyProblem[]): Promise<void> => {
    const fresh = problems.filter((problem) => isNew(told, problemText(problem)));
    for (const problem of fresh) core.log.warn(problemText(problem));
    if (fresh.length > 0) void tell(fresh, places);
    const inVain = (await places.show(problems)).filter((setting) => isNew(told, setting));
    if (inVain.length === 0) return;
    const text = `This workspace sets ${inVain.join(', ')}. Only your own settings can, so it is ignored.`;
    core.log.warn(text);
    await showWarning(text);
  };
  apply();
  return vscode.Disposable.from(
    places,
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (affectsPolicy(change)) apply();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(apply),
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      // Most of what a workspace writes in vain changes no setting.
      if (workspaceSettingsFiles().some((file) => file.uri.toString() === uri.toString())) apply();
    }),
  );
}

function record({ audit }: Core, { rules, problems }: Policy): void {
  audit.record({
    kind: 'policyChanged',
    source: 'user',
    rules: rules.length,
    problems: problems.length,
    after: digest(rules.map(({ rule }) => ({ ...rule }))),
  });
}

function isNew(told: Set<string>, text: string): boolean {
  if (told.has(text)) return false;
  told.add(text);
  return true;
}

async function tell(problems: readonly PolicyProblem[], places: PolicyProblems): Promise<void> {
  const [first] = problems;
  if (first === undefined) return;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more, see the Problems view)` : '';
  const open = 'Show in File';
  if ((await showWarning(`${problemText(first)}${more}`, open)) === open) await places.open(first);
}

/** Settings that the manifest gives to the user alone. */
function reservedSettings({ extension }: vscode.ExtensionContext): ReadonlySet<string> {
  const manifest: unknown = extension.packageJSON;
  const contributes = isJsonObject(manifest) ? manifest['contributes'] : undefined;
  const configuration = isJsonObject(contributes) ? contributes['configuration'] : undefined;
  const sections = Array.isArray(configuration) ? configuration : [configuration];
  const reserved = new Set<string>();
  for (const section of sections) {
    const properties = isJsonObject(section) ? section['properties'] : undefined;
    if (!isJsonObject(properties)) continue;
    for (const [name, property] of Object.entries(properties)) {
      const scope = isJsonObject(property) ? property['scope'] : undefined;
      if (scope === 'application' || scope === 'machine') reserved.add(name);
    }
  }
  return reserved;
}
