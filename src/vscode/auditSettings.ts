import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { AuditSettings } from '../audit/auditLog.ts';
import { storageModes } from '../audit/redaction/redactor.ts';
import type { RetentionLimits } from '../audit/retention.ts';
import { substitute } from '../servers/variables.ts';
import { variableSource } from './settings.ts';

const section = 'countersign.audit';
const megabyte = 1024 * 1024;

/** Where finished calls are sent, if anywhere. */
export interface CollectorSettings {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: boolean;
}

/**
 * A setting of the user's or the machine's own. Whatever a workspace writes under these keys does not exist for us:
 * a repository must not decide what is on record, or where it goes.
 */
function read(key: string): unknown {
  return vscode.workspace.getConfiguration(section).inspect<unknown>(key)?.globalValue;
}

/** How the record is kept. `own`: the folder that is used when none is set. Problems are for a person. */
export function readAuditSettings(own: string): {
  readonly settings: Omit<AuditSettings, 'seal'>;
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const storage = storageModes.find((mode) => mode === read('storage'));
  return {
    settings: {
      folder: folderOf(read('folder'), own, problems),
      storage: storage ?? 'redacted',
      sync: read('sync') === 'every' ? 'every' : 'group',
      whenFailing: read('whenFailing') === 'goOn' ? 'goOn' : 'stop',
      maximumFileBytes: positive(read('fileMegabytes'), 32) * megabyte,
    },
    problems,
  };
}

/** What is kept; 0 stands for no limit. */
export function readRetention(): RetentionLimits {
  const days = positiveOrZero(read('keepDays'), 0);
  const megabytes = positiveOrZero(read('keepMegabytes'), 4096);
  return {
    days: days === 0 ? undefined : days,
    totalBytes: megabytes === 0 ? undefined : megabytes * megabyte,
  };
}

/** Whether the messages of calls are recorded too. */
export function readTrace(): boolean {
  return read('trace') === true;
}

/** `undefined`: nothing is sent. Headers may take their values from the environment, as those of servers do. */
export function readCollector(): CollectorSettings | undefined {
  const endpoint = read('otlp.endpoint');
  if (typeof endpoint !== 'string' || endpoint.trim() === '') return undefined;
  const given = read('otlp.headers');
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(typeof given === 'object' && given !== null ? given : {})) {
    if (typeof value !== 'string') continue;
    const filled = substitute(value, variableSource());
    if (filled.kind === 'text') headers[name] = filled.text;
  }
  return { endpoint: endpoint.trim(), headers, content: read('otlp.content') === true };
}

export function affectsAudit(change: vscode.ConfigurationChangeEvent): boolean {
  return change.affectsConfiguration(section);
}

function folderOf(value: unknown, own: string, problems: string[]): string {
  if (typeof value !== 'string' || value.trim() === '') return own;
  const folder = value.trim().replace(/^~(?=$|[\\/])/, () => homedir());
  if (path.isAbsolute(folder)) return path.normalize(folder);
  problems.push(`"countersign.audit.folder" must be an absolute path; recording goes to ${own}.`);
  return own;
}

function positive(value: unknown, otherwise: number): number {
  return typeof value === 'number' && value > 0 ? value : otherwise;
}

function positiveOrZero(value: unknown, otherwise: number): number {
  return typeof value === 'number' && value >= 0 ? value : otherwise;
}
