import { HostError } from '../base/errors.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import type { LaunchTarget } from './decision.ts';
import { compileGlob } from './glob.ts';
import { type Report, describe, reportUnknownKeys } from './report.ts';
import { compileHost, matchesHost } from './urlHost.ts';

/** Says whether a server is on a list. */
export type ServerList = (serverId: string, launch: LaunchTarget) => boolean;

const entryKeys = ['id', 'command', 'args', 'url', 'host'];

/**
 * Reads `{"allow": [entry, …]}`; an absent value is no list, so that all servers are on it. An entry is a glob over
 * the server id, or an object of which all members must fit: `id`, `command` (globs), `args` (one glob for each
 * argument, in order), `url` (glob) or `host` (glob). Gives `undefined` if anything is wrong: a list that is not
 * understood must not let through what it was to keep out.
 */
export function readServerList(value: JsonValue | undefined, report: Report): ServerList | undefined {
  if (value === undefined) return () => true;
  if (!isJsonObject(value) || !Array.isArray(value['allow'])) {
    report([], `must be an object such as {"allow": ["github"]}, but is ${describe(value)}.`);
    return undefined;
  }
  let failed = false;
  const failing: Report = (key, message, severity) => {
    failed = true;
    report(key, message, severity);
  };
  reportUnknownKeys(value, ['allow'], [], failing);
  const entries = value['allow'].map((entry: JsonValue, index) =>
    readEntry(entry, ['allow', String(index)], failing),
  );
  return failed ? undefined : (serverId, launch) => entries.some((fits) => fits(serverId, launch));
}

function readEntry(value: JsonValue, at: readonly string[], report: Report): ServerList {
  if (typeof value === 'string') return readId(value, at, report);
  if (!isJsonObject(value) || !entryKeys.some((key) => value[key] !== undefined)) {
    report(at, `must be a server id or an object such as {"command": "npx"}, but is ${describe(value)}.`);
    return () => false;
  }
  reportUnknownKeys(value, entryKeys, at, report);
  const tests: ServerList[] = [];
  const { id, command, args, url, host } = value;
  if (id !== undefined) tests.push(readId(id, [...at, 'id'], report));
  if (command !== undefined || args !== undefined) tests.push(readProgram(value, at, report));
  if (url !== undefined) {
    const matches = guard(() => compileGlob(textOf(url), { segments: true }), [...at, 'url'], report);
    tests.push(
      (_, launch) => launch.kind === 'http' && URL.canParse(launch.url) && matches(new URL(launch.url).href),
    );
  }
  if (host !== undefined) {
    const matches = guard(() => compileHost(textOf(host)), [...at, 'host'], report);
    tests.push((_, launch) => launch.kind === 'http' && matchesHost(launch.url, matches, 'strict') === 'yes');
  }
  return (serverId, launch) => tests.every((fits) => fits(serverId, launch));
}

function readId(value: JsonValue, at: readonly string[], report: Report): ServerList {
  const matches = guard(() => compileGlob(textOf(value)), at, report);
  return (serverId) => matches(serverId);
}

function readProgram({ command, args }: JsonObject, at: readonly string[], report: Report): ServerList {
  const program =
    command === undefined ? undefined : guard(() => compileGlob(textOf(command)), [...at, 'command'], report);
  const list = args === undefined ? undefined : Array.isArray(args) ? args : [null];
  const each = list?.map((arg: JsonValue) => guard(() => compileGlob(textOf(arg)), [...at, 'args'], report));
  return (_, launch) => {
    if (launch.kind !== 'stdio' || program?.(launch.command) === false) return false;
    if (each === undefined) return true;
    return (
      launch.args.length === each.length && each.every((matches, index) => matches(launch.args[index] ?? ''))
    );
  };
}

function textOf(value: JsonValue): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new HostError('invalidConfiguration', `must be a text, but is ${describe(value)}.`);
}

function guard(
  compile: () => (text: string) => boolean,
  at: readonly string[],
  report: Report,
): (text: string) => boolean {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    report(at, error.message);
    return () => false;
  }
}
