import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { once } from 'node:events';
import path from 'node:path';
import * as vscode from 'vscode';
import { type ExportFormat, exportCalls } from '../audit/export/exportCalls.ts';
import { filterText } from '../audit/history/filterText.ts';
import type { HistoryFilter } from '../audit/history/callEntry.ts';
import { deleteHistory } from '../audit/retention.ts';
import { type NotedEnd, readNotedEnds } from '../audit/notedEnd.ts';
import { verdictText, verifyDocument } from '../audit/verifyDocument.ts';
import { verifyFolder } from '../audit/verifyFolder.ts';
import { errorMessage, isCancellation } from '../base/errors.ts';
import type { AuditChannel } from './auditChannel.ts';
import type { Core } from './core.ts';
import { confirm, showError, showInformation, showStatus } from './notices.ts';
import { pick } from './pick.ts';

/** The commands about the record as a whole. */
export function registerAuditCommands(
  core: Core,
  channel: AuditChannel,
  options: { readonly version: string; readonly filter: () => HistoryFilter },
): vscode.Disposable {
  const commands: Readonly<Record<string, () => unknown>> = {
    showAudit: () => channel.show(),
    verifyAudit: () => guarded('The journal could not be checked', () => verify(core)),
    verifyAuditAgainstHash: () =>
      guarded('The journal could not be checked', async () => {
        const noted = await askForNotedEnds();
        if (noted !== undefined) await verify(core, noted);
      }),
    exportCalls: () =>
      guarded('The calls could not be exported', () => exportTo(core, options.version, options.filter())),
    openAuditFolder: () => openFolder(core),
    copyAuditHash: async () => {
      await core.audit.sync().catch(() => undefined);
      await vscode.env.clipboard.writeText(channel.showEnd());
      channel.show();
      showStatus("Copied the number and the hash of this session's last record.", 8_000);
    },
    resumeRecording: async () => {
      const state = await core.audit.retry();
      if (state.kind === 'recording') void showInformation('Recording works.');
      else void showError(state.message);
    },
    deleteHistory: () => guarded('The history could not be deleted', () => removeHistory(core)),
  };
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([name, run]) =>
      vscode.commands.registerCommand(`countersign.${name}`, run),
    ),
  );
}

async function verify(
  { audit, auditDigest, documents }: Core,
  noted: readonly NotedEnd[] = [],
): Promise<void> {
  await audit.sync().catch(() => undefined);
  const report = await withProgress('Checking the audit journal', (signal, tell) =>
    verifyFolder(audit.folder, {
      ...(auditDigest === undefined ? {} : { key: auditDigest }),
      noted,
      signal,
      onProgress: (done, total) => tell(`file ${done + 1} of ${total}`),
    }),
  );
  await documents.show('audit-journal.md', verifyDocument(report, new Date().toISOString()));
  const verdict = verdictText(report);
  if (report.intact) showStatus(verdict, 10_000);
  else void showError(verdict);
}

/** `undefined` if the person thought better of it. */
async function askForNotedEnds(): Promise<readonly NotedEnd[] | undefined> {
  const text = await vscode.window.showInputBox({
    title: 'Verify a Noted Audit Hash',
    prompt:
      'A line that "Copy Last Audit Hash" copied, or a line of an earlier report. Several may follow one another.',
    placeHolder: 'Record of session … ends with …, hash …',
    ignoreFocusOut: true,
    validateInput: (value) =>
      readNotedEnds(value).length === 0
        ? 'There is no such line in it: it has the session, the number of its last record, and its hash.'
        : undefined,
  });
  return text === undefined ? undefined : readNotedEnds(text);
}

const formats: readonly {
  readonly label: string;
  readonly format: ExportFormat;
  readonly extension: string;
}[] = [
  { label: 'JSON', format: 'json', extension: 'json' },
  { label: 'CSV', format: 'csv', extension: 'csv' },
  { label: 'OpenTelemetry (OTLP/JSON, one request per line)', format: 'otlp', extension: 'jsonl' },
];

async function exportTo({ audit }: Core, version: string, active: HistoryFilter): Promise<void> {
  const chosen = await pick(formats, { title: 'Export calls in which format?' });
  if (chosen === undefined) return;
  const filter = await askForFilter(active);
  if (filter === undefined) return;
  const day = new Date().toISOString().slice(0, 10);
  const target = await vscode.window.showSaveDialog({
    title: 'Export Calls',
    defaultUri: vscode.Uri.file(path.join(startFolder(), `calls-${day}.${chosen.extension}`)),
    filters: { [chosen.label]: [chosen.extension] },
  });
  if (target === undefined) return;
  if (target.scheme !== 'file') throw new Error('Choose a place on the machine that the extension runs on.');
  await audit.sync().catch(() => undefined);
  const calls = await withProgress('Exporting calls', (signal, tell) =>
    writeTo(target.fsPath, (write) =>
      exportCalls(audit.folder, chosen.format, write, {
        filter,
        signal,
        version,
        onProgress: (count) => tell(`${count} calls`),
      }),
    ),
  );
  audit.record({ kind: 'exported', format: chosen.format, calls });
  void showInformation(`Exported ${calls} calls to ${target.fsPath}`);
}

/** While the view shows only some calls, which ones are meant has to be asked. */
async function askForFilter(active: HistoryFilter): Promise<HistoryFilter | undefined> {
  const text = filterText(active);
  if (text === undefined) return {};
  const choices = [
    { label: 'The calls that the history shows', description: text, filter: active },
    { label: 'All calls', filter: {} },
  ];
  return (await pick(choices, { title: 'Export which calls?' }))?.filter;
}

/** Only the user may read what is exported, as with the journal itself. */
async function writeTo<T>(
  file: string,
  run: (write: (text: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  const stream = createWriteStream(file, { mode: 0o600 });
  const ended = finished(stream);
  ended.catch(() => undefined);
  try {
    const result = await run(async (text) => {
      if (!stream.write(text)) await Promise.race([once(stream, 'drain'), ended]);
    });
    stream.end();
    await ended;
    return result;
  } finally {
    stream.destroy();
  }
}

function startFolder(): string {
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
  return folder?.uri.fsPath ?? '';
}

async function openFolder({ audit }: Core): Promise<void> {
  const isLocal = vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
  if (isLocal) {
    await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(audit.path ?? audit.folder));
    return;
  }
  // A window on another machine has no file manager there.
  const open = 'Open Current File';
  const copy = 'Copy Path';
  const actions = audit.path === undefined ? [copy] : [open, copy];
  const answer = await showInformation(`The audit journal is in ${audit.folder}`, ...actions);
  if (answer === copy) await vscode.env.clipboard.writeText(audit.folder);
  if (answer === open && audit.path !== undefined)
    await vscode.window.showTextDocument(vscode.Uri.file(audit.path));
}

async function removeHistory({ audit }: Core): Promise<void> {
  const agreed = await confirm(
    'Delete the record of all windows that are closed?',
    'It cannot be brought back. That it was deleted stays on record.',
    'Delete',
  );
  if (!agreed) return;
  const removed = await deleteHistory(audit);
  void showInformation(`${removed.length} audit files were deleted.`);
  await vscode.commands.executeCommand('countersign.refreshHistory');
}

function withProgress<T>(
  title: string,
  run: (signal: AbortSignal, tell: (message: string) => void) => Promise<T>,
): Thenable<T> {
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, title, cancellable: true }, async (progress, token) => {
    const abort = new AbortController();
    const subscription = token.onCancellationRequested(() => abort.abort());
    try {
      return await run(abort.signal, (message) => progress.report({ message }));
    } finally {
      subscription.dispose();
    }
  });
}

async function guarded(what: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!isCancellation(error)) void showError(`${what}: ${errorMessage(error)}`);
  }
}
