import * as vscode from 'vscode';
import { asCurl, asJsonRpc } from '../audit/export/replay.ts';
import { callDocument } from '../audit/history/callDocument.ts';
import type { CallEntry } from '../audit/history/callEntry.ts';
import type { HistoryPages } from '../audit/history/historyPages.ts';
import { type CallDetail, readCall } from '../audit/history/readCall.ts';
import { replayOf } from '../audit/history/replayable.ts';
import { configuredSecrets } from '../audit/redaction/configuredSecrets.ts';
import { summaryOf } from '../calls/callSummary.ts';
import { recordedResult } from '../calls/recordedResult.ts';
import type { Core } from './core.ts';
import { askForFilter } from './historyFilterInput.ts';
import type { HistoryNode } from './historyTree.ts';
import { oneLine } from './treeText.ts';
import { showError, showInformation, showStatus, showWarning } from './notices.ts';
import { pick } from './pick.ts';

type Argument = HistoryNode | undefined;

/** The commands of the view "Call History" and of its rows. From the palette, a call is chosen first. */
export function registerHistoryCommands(
  core: Core,
  pages: HistoryPages,
  focus: () => unknown,
): vscode.Disposable {
  const onCall =
    (title: string, run: (entry: CallEntry) => Promise<void>) =>
    async (node: Argument): Promise<void> => {
      const entry = node?.kind === 'call' ? node.entry : await pickCall(pages, title);
      if (entry !== undefined) await run(entry);
    };
  const commands: Readonly<Record<string, (node: Argument) => unknown>> = {
    openCall: onCall('Open which call?', async (entry) => {
      const detail = await read(core, entry);
      await core.documents.show(`${entry.tool}.md`, callDocument(detail));
    }),
    openCallResult: onCall('Open the result of which call?', (entry) => openResult(core, entry)),
    runCallAgain: onCall('Run which call again?', (entry) => runAgain(core, entry)),
    copyCallAsJsonRpc: onCall('Copy which call?', (entry) => copyJsonRpc(core, entry)),
    copyCallAsCurl: onCall('Copy which call?', (entry) => copyCurl(core, entry)),
    filterHistory: async () => {
      const servers = core.manager.servers.map(({ id }) => id);
      const filter = await askForFilter(pages.filter, pages.entries, servers);
      if (filter === undefined) return;
      await focus();
      await pages.restart(filter);
    },
    clearHistoryFilter: () => pages.restart({}),
    refreshHistory: () => pages.restart(),
    moreHistory: () => pages.more(),
  };
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([name, run]) =>
      vscode.commands.registerCommand(`countersign.${name}`, run),
    ),
  );
}

function read({ audit }: Core, entry: CallEntry): Promise<CallDetail> {
  return readCall(audit.folder, entry, (args, stored) => audit.areExact(args, stored));
}

/** As it came if it is still kept, otherwise as it stands on record. */
async function openResult(core: Core, entry: CallEntry): Promise<void> {
  if (core.results.open(entry.callId)) return;
  const recorded = recordedResult(await read(core, entry));
  if (recorded === undefined) {
    void showWarning('The result of this call is not on record, or only its digest is.');
    return;
  }
  core.shelf.keep(recorded);
  core.results.open(entry.callId);
}

async function pickCall(pages: HistoryPages, title: string): Promise<CallEntry | undefined> {
  if (pages.entries.length === 0) await pages.restart();
  const items = pages.entries.map((entry) => ({
    label: oneLine(entry.tool),
    description: `${oneLine(entry.serverId)} · ${entry.end}`,
    detail: oneLine(entry.preview),
    entry,
  }));
  const options = { title, placeHolder: 'Call', matchOnDescription: true, matchOnDetail: true };
  return (await pick(items, options))?.entry;
}

/** By the one road: the call is decided, shown and recorded like any other. */
async function runAgain(core: Core, entry: CallEntry): Promise<void> {
  const replay = replayOf(await read(core, entry));
  if (replay.kind !== 'exact') {
    void showWarning(`This call cannot be run again from the record. ${replay.why}`);
    return;
  }
  const { serverId, tool } = entry;
  const report = await core.calls.invoke({
    caller: { kind: 'user', label: 'you (again)' },
    target: { kind: 'tool', serverId, toolName: tool },
    arguments: replay.call.arguments,
  });
  const { kind } = report.outcome;
  if (kind === 'completed') return void core.results.open(report.callId);
  if (kind === 'denied' || kind === 'cancelled') return;
  void showError(`${oneLine(serverId)} · ${oneLine(tool)}: ${summaryOf(report.parts)}`);
}

async function copyJsonRpc(core: Core, entry: CallEntry): Promise<void> {
  const replay = replayOf(await read(core, entry));
  if (replay.kind === 'none') {
    void showWarning(`This call cannot be copied. ${replay.why}`);
    return;
  }
  await copy(
    asJsonRpc(replay.call),
    'the JSON-RPC request',
    replay.kind === 'inexact' ? replay.why : undefined,
  );
}

async function copyCurl(core: Core, entry: CallEntry): Promise<void> {
  const detail = await read(core, entry);
  const replay = replayOf(detail);
  if (replay.kind === 'none') {
    void showWarning(`This call cannot be copied. ${replay.why}`);
    return;
  }
  const resolved = core.manager.get(entry.serverId)?.resolved;
  if (resolved?.kind !== 'resolved' || resolved.launch.kind !== 'http') {
    void showWarning(
      `The server "${oneLine(entry.serverId)}" is not configured as an HTTP server (any more), so its address is not known.`,
    );
    return;
  }
  const { url, headers } = resolved.launch;
  const recorded = detail.records.findLast(({ kind }) => kind === 'intent')?.fields['launchFingerprint'];
  const moved = typeof recorded === 'string' && recorded !== resolved.fingerprint;
  const notes = [
    ...(replay.kind === 'inexact' ? [replay.why] : []),
    ...(moved ? ['The server is configured otherwise than it was then; the address is that of now.'] : []),
    ...(Object.keys(headers).length > 0 ? ['Put the values of the headers in.'] : []),
  ];
  const text = asCurl(replay.call, withoutSecrets(url), Object.keys(headers));
  await copy(text, 'a curl command', notes.length === 0 ? undefined : notes.join(' '));
}

function withoutSecrets(url: string): string {
  return configuredSecrets({ url }).reduce((text, secret) => text.replaceAll(secret, '<secret>'), url);
}

async function copy(text: string, what: string, note: string | undefined): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  if (note === undefined) showStatus(`Copied ${what}.`, 5_000);
  else void showInformation(`Copied ${what}. ${note}`);
}
