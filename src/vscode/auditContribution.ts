import * as vscode from 'vscode';
import { applyRetention } from '../audit/retention.ts';
import { systemClock } from '../base/clock.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { errorMessage } from '../base/errors.ts';
import { AuditChannel } from './auditChannel.ts';
import { registerAuditCommands } from './auditCommands.ts';
import { affectsAudit, readCollector, readRetention } from './auditSettings.ts';
import { type Core, versionOf } from './core.ts';
import { HistoryView } from './historyView.ts';
import { KnownSecrets } from './knownSecrets.ts';
import { showWarning } from './notices.ts';

/** Old files are looked for soon after a start, when the start itself is done, and once a day. */
const firstRetentionMs = 30_000;
const retentionMs = 86_400_000;

/** What a person sees of the record, and what keeps it within its settings. */
export function addAudit(core: Core, context: vscode.ExtensionContext): Disposable {
  const held = new DisposableStore();
  const channel = held.add(new AuditChannel(core.audit));
  const secrets = held.add(new KnownSecrets(core.audit, core.manager));
  held.add(core.onSecretsTyped((typed) => secrets.add(typed)));
  const view = held.add(new HistoryView(core));
  held.add(registerAuditCommands(core, channel, { version: versionOf(context), filter: () => view.filter }));
  held.add(keepWithinLimits(core));
  const told = new Set<string>();
  const apply = (): void => {
    const collector = readCollector();
    if (collector !== undefined) secrets.add(Object.values(collector.headers));
    core.collector.configure(collector);
    for (const problem of core.applyAuditSettings()) {
      if (told.has(problem)) continue;
      told.add(problem);
      core.log.warn(problem);
      void showWarning(problem);
    }
  };
  apply();
  held.add(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (affectsAudit(change)) apply();
    }),
  );
  return held;
}

function keepWithinLimits({ audit, log }: Core): Disposable {
  let timer: Disposable | undefined;
  const runAfter = (ms: number): void => {
    timer = systemClock.after(ms, () => {
      applyRetention(audit, readRetention(), systemClock.now())
        .catch((error: unknown) => log.warn(`Old audit files could not be deleted: ${errorMessage(error)}`))
        .finally(() => runAfter(retentionMs));
    });
  };
  runAfter(firstRetentionMs);
  return { dispose: () => timer?.dispose() };
}
