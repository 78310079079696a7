import { isJsonObject } from '../base/json.ts';
import type { ConfigProblem, ServerConfig, ServerEntry, ServerOrigin } from './serverConfig.ts';

/** The values of `countersign.servers`, one per place where an editor keeps settings. */
export interface ServerSettings {
  readonly user: unknown;
  /** Workspace and folder settings. `undefined` in Restricted Mode: then they do not exist for us. */
  readonly workspace: unknown;
}

export interface ParsedServers {
  readonly entries: readonly ServerEntry[];
  /** What a person should know of besides the entries, such as a workspace that redefines a user's server. */
  readonly warnings: readonly string[];
}

const idPattern = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]{1,100}$/u;

/** Reads the settings. Never throws: a wrong entry becomes an `invalid` one and the others stay. */
export function parseServers(settings: ServerSettings): ParsedServers {
  const warnings: string[] = [];
  const user = readPlace(settings.user, 'user', warnings);
  const workspace = readPlace(settings.workspace, 'workspace', warnings);
  const entries = [...user];
  const taken = new Set(user.map((entry) => entry.id));
  for (const entry of workspace) {
    // Grants, rules and secrets hang on the id: a workspace must not put another program behind it.
    if (taken.has(entry.id)) {
      warnings.push(
        `The workspace defines a server "${entry.id}", but your user settings already do. The workspace's definition is ignored.`,
      );
    } else {
      entries.push(entry);
    }
  }
  return { entries, warnings };
}

function readPlace(value: unknown, origin: ServerOrigin, warnings: string[]): ServerEntry[] {
  if (value === undefined || value === null) return [];
  if (!isJsonObject(value)) {
    warnings.push(
      `"countersign.servers" in ${origin} settings must be an object: server id → how to start it.`,
    );
    return [];
  }
  return Object.entries(value).map(([id, entry]) => parseEntry(id, entry, origin));
}

function parseEntry(id: string, value: unknown, origin: ServerOrigin): ServerEntry {
  const problems: ConfigProblem[] = [];
  if (!idPattern.test(id)) {
    problems.push({ key: '', message: 'The server id must have 1 to 100 visible characters.' });
  }
  const config = isJsonObject(value)
    ? parseConfig(value, problems)
    : void problems.push({ key: '', message: `must be an object, but is ${describe(value)}.` });
  if (config === undefined || problems.length > 0) return { kind: 'invalid', id, origin, problems };
  return { kind: 'valid', id, origin, config };
}

function parseConfig(
  value: Readonly<Record<string, unknown>>,
  problems: ConfigProblem[],
): ServerConfig | undefined {
  // `type` may be left out where the other keys say it all: entries copied from other tools often lack it.
  const type = value['type'] ?? (value['url'] !== undefined ? 'http' : 'stdio');
  if (type === 'stdio') return parseStdio(value, problems);
  if (type === 'http') return parseHttp(value, problems);
  problems.push({ key: 'type', message: `must be "stdio" or "http", but is ${describe(type)}.` });
  return undefined;
}

function parseStdio(
  value: Readonly<Record<string, unknown>>,
  problems: ConfigProblem[],
): ServerConfig | undefined {
  reportUnknownKeys(value, ['type', 'command', 'args', 'env', 'cwd'], 'stdio', problems);
  const command = value['command'];
  if (typeof command !== 'string' || command.trim() === '') {
    problems.push({ key: 'command', message: `must be the program to start, but is ${describe(command)}.` });
    return undefined;
  }
  const cwd = value['cwd'];
  if (cwd !== undefined && typeof cwd !== 'string') {
    problems.push({ key: 'cwd', message: `must be a folder path, but is ${describe(cwd)}.` });
  }
  return {
    kind: 'stdio',
    command,
    args: readStrings(value['args'], problems),
    env: readStringMap(value['env'], 'env', problems),
    cwd: typeof cwd === 'string' ? cwd : undefined,
  };
}

function parseHttp(
  value: Readonly<Record<string, unknown>>,
  problems: ConfigProblem[],
): ServerConfig | undefined {
  reportUnknownKeys(value, ['type', 'url', 'headers'], 'http', problems);
  const url = value['url'];
  if (typeof url !== 'string') {
    problems.push({ key: 'url', message: `must be the server's address, but is ${describe(url)}.` });
    return undefined;
  }
  return { kind: 'http', url, headers: readStringMap(value['headers'], 'headers', problems) };
}

function readStrings(value: unknown, problems: ConfigProblem[]): string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    problems.push({ key: 'args', message: `must be an array of strings, but is ${describe(value)}.` });
    return [];
  }
  return value.flatMap((item: unknown, index) => {
    if (typeof item === 'string') return [item];
    problems.push({ key: `args[${index}]`, message: `must be a string, but is ${describe(item)}.` });
    return [];
  });
}

function readStringMap(value: unknown, key: string, problems: ConfigProblem[]): Record<string, string> {
  if (value === undefined) return {};
  if (!isJsonObject(value)) {
    problems.push({ key, message: `must be an object of strings, but is ${describe(value)}.` });
    return {};
  }
  const pairs: [string, string][] = [];
  for (const [name, item] of Object.entries(value)) {
    if (typeof item === 'string') pairs.push([name, item]);
    else problems.push({ key: `${key}.${name}`, message: `must be a string, but is ${describe(item)}.` });
  }
  return Object.fromEntries(pairs);
}

function reportUnknownKeys(
  value: Readonly<Record<string, unknown>>,
  known: readonly string[],
  type: string,
  problems: ConfigProblem[],
): void {
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) {
      problems.push({
        key,
        message: `is not a key of a server of type "${type}" (those are ${known.join(', ')}).`,
      });
    }
  }
}

function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
