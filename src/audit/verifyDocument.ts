import { basename } from 'node:path';
import { timeText } from './history/entryText.ts';
import { code } from './history/markdown.ts';
import type { FolderReport } from './verifyFolder.ts';
import { describeFinding, type JournalReport } from './verifyReport.ts';

const maximumCalls = 500;
const maximumNotices = 200;

const endWords: Readonly<Record<JournalReport['end'], string>> = {
  closed: 'closed',
  live: 'being written',
  unclosed: 'not closed: its window crashed or was killed',
};

/** The verdict in one sentence. */
export function verdictText({ files, intact, openCalls }: FolderReport): string {
  if (files.length === 0) return 'There is no audit journal yet.';
  const records = files.reduce((sum, file) => sum + file.records, 0);
  const damaged = files.filter((file) => !file.intact).length;
  const open = openCalls.length === 0 ? '' : ` ${counted(openCalls.length, 'call')} without an outcome.`;
  const verdict = intact
    ? `The chain is intact: ${counted(records, 'record')} in ${counted(files.length, 'file')}.`
    : `The journal is DAMAGED: ${damaged === 0 ? 'files are missing' : `${counted(damaged, 'file')} of ${files.length}`}.`;
  return verdict + open;
}

/** The whole report as Markdown. `checkedAt`: ISO 8601. */
export function verifyDocument(report: FolderReport, checkedAt: string): string {
  const damaged = report.files.filter((file) => !file.intact);
  const noticed = report.files.filter((file) => file.intact && file.findings.length > 0);
  return [
    '# Audit journal',
    `**${verdictText(report)}**`,
    `Checked ${timeText(checkedAt, undefined)} in ${code(report.folder)}${against(report.noted)}.`,
    ...(report.findings.length === 0
      ? []
      : ['## Files that are gone', list(report.findings.map((finding) => code(describeFinding(finding))))]),
    ...(damaged.length === 0 ? [] : ['## Damage', ...damaged.map((file) => findings(file))]),
    ...openCallSection(report),
    ...(noticed.length === 0
      ? []
      : [
          '## Left behind by crashes, copies and old versions',
          'None of this is damage.',
          ...noticed.slice(0, maximumNotices).map((file) => findings(file)),
          ...more(noticed.length - maximumNotices, 'file'),
        ]),
    '## Files',
    'The last hash of a closed file never changes. Copied elsewhere, it proves that the file was not rewritten.',
    report.files.length === 0 ? 'There are none.' : list(report.files.map((file) => fileLine(file))),
    '',
  ].join('\n\n');
}

function against(noted: number): string {
  return noted === 0 ? '' : `, against ${counted(noted, 'hash', 'hashes')} noted elsewhere`;
}

function findings(file: JournalReport): string {
  const lines = file.findings.map((finding) => `  - ${code(describeFinding(finding))}`);
  const rest = file.moreFindings > 0 ? [`  - and ${counted(file.moreFindings, 'more finding')}`] : [];
  return [`- ${code(basename(file.path))}`, ...lines, ...rest].join('\n');
}

function openCallSection({ openCalls }: FolderReport): readonly string[] {
  if (openCalls.length === 0) return [];
  const lines = openCalls
    .slice(0, maximumCalls)
    .map(
      ({ callId, serverId, tool, time, seq }) =>
        `${timeText(time, undefined)} ${code(serverId)} · ${code(tool)}, call ${code(callId)}, record ${seq}`,
    );
  return [
    '## Calls without an outcome',
    'They were sent, and then the window crashed or was killed: nobody knows what came of them.',
    list(lines),
    ...more(openCalls.length - maximumCalls, 'call'),
  ];
}

function fileLine(file: JournalReport): string {
  const range = file.records === 0 ? 'no records' : `records ${file.firstSeq} to ${file.lastSeq}`;
  const hash = file.lastHash === undefined ? '' : `, last hash ${code(file.lastHash)}`;
  return `${code(basename(file.path))}: ${file.intact ? 'intact' : '**damaged**'}, ${endWords[file.end]}, ${range}${hash}`;
}

function more(count: number, what: string): readonly string[] {
  return count > 0 ? [`… and ${counted(count, `more ${what}`)}.`] : [];
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

function counted(count: number, what: string, several = `${what}s`): string {
  return `${count} ${count === 1 ? what : several}`;
}
