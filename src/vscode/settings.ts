import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { RoadSettings } from '../calls/road.ts';
import type { SamplingSettings } from '../calls/samplingRequests.ts';
import { inputRounds } from '../servers/inputRounds.ts';
import { parseServers, type ParsedServers } from '../servers/configuration.ts';
import type { VariableSource } from '../servers/variables.ts';
import { readTrustedServers } from './policySettings.ts';

const section = 'countersign';

/** The configured servers, scope by scope: the editor's merged value would hide who said what. */
export function readServers(): ParsedServers {
  const found = vscode.workspace.getConfiguration(section).inspect<unknown>('servers');
  const folders = (vscode.workspace.workspaceFolders ?? []).map(
    (folder) =>
      vscode.workspace.getConfiguration(section, folder).inspect<unknown>('servers')?.workspaceFolderValue,
  );
  const workspace = [found?.workspaceValue, ...folders].filter((value) => value !== undefined);
  return parseServers({
    user: found?.globalValue,
    // In Restricted Mode the editor still hands these out to `inspect`; they must not exist for us.
    workspace: vscode.workspace.isTrusted ? mergeWorkspace(workspace) : undefined,
  });
}

/** The first definition of an id wins: the workspace file before its folders, folders in their order. */
function mergeWorkspace(values: readonly unknown[]): unknown {
  const objects = values.filter(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  );
  if (objects.length < values.length) return values.find((value) => !objects.includes(value as object));
  return objects.length === 0 ? undefined : Object.assign({}, ...objects.toReversed());
}

/** A setting in seconds, as milliseconds; nonsense falls back to the default of the manifest. */
export function readSeconds(key: 'probeTimeout' | 'callTimeout' | 'callTimeoutMaximum'): number {
  const found = vscode.workspace.getConfiguration(section).inspect<unknown>(key);
  const value = found?.globalValue ?? found?.defaultValue;
  const seconds = typeof value === 'number' && value > 0 ? value : found?.defaultValue;
  return (typeof seconds === 'number' ? seconds : 60) * 1000;
}

/** How often a server may ask for something in one call. */
export function readInputRounds(): number {
  return inputRounds(vscode.workspace.getConfiguration(section).inspect<unknown>('inputRounds')?.globalValue);
}

/** What the user lets a server do with language models. Other scopes have no say. */
function readSampling(serverId: string): SamplingSettings {
  const mode = perServer('sampling', serverId);
  const perHour = vscode.workspace.getConfiguration(section).inspect<unknown>('samplingPerHour')?.globalValue;
  return {
    mode: mode === 'off' || mode === 'allow' ? mode : 'ask',
    perHour: typeof perHour === 'number' && perHour >= 0 ? perHour : 20,
  };
}

/**
 * Whether a server may ask for the workspace folders. Only if the user says so: a file system server takes them in
 * place of the folders that it was started with.
 */
function readSharesFolders(serverId: string): boolean {
  return perServer('shareWorkspaceFolders', serverId) === true;
}

function perServer(key: string, serverId: string): unknown {
  const value = vscode.workspace.getConfiguration(section).inspect<unknown>(key)?.globalValue;
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, serverId) ? Reflect.get(value, serverId) : Reflect.get(value, '*');
}

/** Most tools in one request to a model. */
export function readToolLimit(): number {
  const value = vscode.workspace.getConfiguration(section).get<unknown>('toolLimit');
  return typeof value === 'number' && value >= 4 ? Math.trunc(value) : 128;
}

export function readStartServers(): boolean {
  return vscode.workspace.getConfiguration(section).get<boolean>('startServers', true);
}

/** Servers whose results the person sees before the model does. */
function readReviewsResults(serverId: string): boolean {
  const value = vscode.workspace.getConfiguration(section).inspect<unknown>('reviewResults')?.globalValue;
  return Array.isArray(value) && (value.includes(serverId) || value.includes('*'));
}

/** Seconds until a prompt that nobody answers ends by itself; 0: never. */
function readPromptExpiry(): number {
  const value = vscode.workspace.getConfiguration(section).inspect<unknown>('promptExpiry')?.globalValue;
  return typeof value === 'number' && value > 0 ? value : 0;
}

/** Most text of a result that a model gets at once, in bytes. */
function readResultBytes(): number {
  const value = vscode.workspace.getConfiguration(section).get<unknown>('resultLimit');
  return (typeof value === 'number' && value >= 1 ? value : 64) * 1024;
}

/** All that the road wants to know of the settings, read anew each time. */
export const roadSettings: RoadSettings = {
  timeouts: () => ({
    timeoutMs: readSeconds('callTimeout'),
    maxTimeoutMs: readSeconds('callTimeoutMaximum'),
  }),
  toolLimit: readToolLimit,
  resultBytes: readResultBytes,
  trustedServers: readTrustedServers,
  sampling: readSampling,
  sharesFolders: readSharesFolders,
  reviewsResults: readReviewsResults,
  promptExpiry: readPromptExpiry,
};

export function affectsServers(change: vscode.ConfigurationChangeEvent): boolean {
  return change.affectsConfiguration(`${section}.servers`);
}

/** Adds or replaces a server in the user's settings. */
export async function writeServer(id: string, entry: Readonly<Record<string, unknown>>): Promise<void> {
  const configuration = vscode.workspace.getConfiguration(section);
  const current = configuration.inspect<Record<string, unknown>>('servers')?.globalValue ?? {};
  await configuration.update('servers', { ...current, [id]: entry }, vscode.ConfigurationTarget.Global);
}

export function variableSource(): VariableSource {
  return {
    workspaceFolder: vscode.workspace.workspaceFolders?.find((folder) => folder.uri.scheme === 'file')?.uri
      .fsPath,
    userHome: homedir(),
    environment: process.env,
  };
}
