import * as vscode from 'vscode';
import type { GrantRecord } from '../policy/grantState.ts';
import type { GrantStanding } from '../policy/grantStanding.ts';
import { conditionsText, grantPreview } from '../prompts/grantPreview.ts';
import { visibleText } from '../shared/visibleText.ts';
import { oneLine } from './treeText.ts';

/** The row of a server in the list of grants. `current`: how many of its grants count right now. */
export function grantServerItem(serverId: string, count: number, current: number): vscode.TreeItem {
  const item = new vscode.TreeItem(oneLine(serverId), vscode.TreeItemCollapsibleState.Expanded);
  item.id = `grants/${serverId}`;
  item.contextValue = 'grantServer';
  item.iconPath = new vscode.ThemeIcon('server');
  const grants = count === 1 ? '1 grant' : `${count} grants`;
  item.description = current === count ? grants : `${grants}, ${current} in force`;
  item.accessibilityInformation = { label: `Server ${oneLine(serverId)}, ${item.description}` };
  return item;
}

/** The row of a grant: what it allows in plain words, where, how often it was used, and what keeps it from counting. */
export function grantItem(record: GrantRecord, standing: GrantStanding): vscode.TreeItem {
  const { grant } = record;
  const preview = grantPreview(grant, grant.scope.kind);
  // The column is narrow and the server stands above: what matters first.
  const item = new vscode.TreeItem(oneLine(grant.toolName));
  item.id = `grant/${grant.id}`;
  item.contextValue = 'grant';
  const state = standingText(standing);
  const conditions = conditionsText(grant);
  item.description = [
    ...(state === undefined ? [] : [state]),
    conditions === '' ? 'with any arguments' : oneLine(conditions),
    scopeWords[grant.scope.kind],
    usesText(record),
  ].join(' · ');
  item.iconPath = standingIcon(standing);
  item.tooltip = grantDetails(record, standing);
  item.accessibilityInformation = {
    label: [oneLine(preview), ...(state === undefined ? [] : [`${state}.`]), usesText(record)].join(' '),
  };
  return item;
}

/** All about a grant, as plain text: names and values in it come from servers and models. */
export function grantDetails(record: GrantRecord, standing: GrantStanding): string {
  const { grant, lastUsedAt } = record;
  const { scope } = grant;
  return [
    grantPreview(grant, scope.kind),
    ...(scope.kind === 'workspace'
      ? [`Workspace: ${visibleText(scope.name)} (${visibleText(scope.workspace)})`]
      : []),
    `Allowed ${timeText(grant.createdAt)}, asked by ${oneLine(grant.createdFrom)}`,
    lastUsedAt === undefined ? 'Never used' : `Used ${timesText(record.uses)}, last ${timeText(lastUsedAt)}`,
    standingSentence(standing),
  ].join('\n');
}

function standingText(standing: GrantStanding): string | undefined {
  switch (standing.kind) {
    case 'counts':
      return undefined;
    case 'suspended':
      return `suspended: ${standing.changed.map((pin) => changedWords[pin]).join(' and ')} changed`;
    case 'elsewhere':
      return 'in another workspace';
    case 'unknown':
      return standing.missing === 'server' ? 'server not configured here' : 'tool not listed';
  }
}

function standingSentence(standing: GrantStanding): string {
  switch (standing.kind) {
    case 'counts':
      return 'In force.';
    case 'suspended': {
      const what = standing.changed.map((pin) => changedWords[pin]).join(' and ');
      return `Suspended: the ${what} changed since. The next call asks again and shows the difference.`;
    }
    case 'elsewhere':
      return 'Counts only in its own workspace.';
    case 'unknown':
      return standing.missing === 'server'
        ? 'The server is not configured here, so the grant allows nothing.'
        : "The tool is not in the server's list now, so the grant allows nothing.";
  }
}

const scopeWords = {
  session: 'this session',
  workspace: 'this workspace',
  everywhere: 'everywhere',
} as const;

const changedWords = { tool: 'tool', launch: "server's launch" } as const;

function standingIcon({ kind }: GrantStanding): vscode.ThemeIcon {
  if (kind === 'counts') return new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'));
  if (kind === 'suspended') return new vscode.ThemeIcon('warning');
  return new vscode.ThemeIcon('circle-slash');
}

function usesText({ uses, lastUsedAt }: GrantRecord): string {
  return lastUsedAt === undefined ? 'never used' : `used ${timesText(uses)}, last ${timeText(lastUsedAt)}`;
}

function timesText(uses: number): string {
  return uses === 1 ? 'once' : `${uses} times`;
}

function timeText(at: number): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
