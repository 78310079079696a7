import { isIP } from 'node:net';
import path from 'node:path';
import { digest } from '../base/canonicalJson.ts';
import type { ConfigProblem, ServerConfig, ServerOrigin } from './serverConfig.ts';
import { substitute, type VariableSource } from './variables.ts';

/** A configuration with its variables replaced: exactly what is started or connected to. */
export type Launch =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string;
      readonly written?: Written;
    }
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly written?: Written;
    };

/**
 * Environment or headers as a workspace writes them, variables not replaced. Set only for a server of a workspace:
 * there `NODE_OPTIONS` decides as much about what runs as the command does, and a person has to agree to it.
 */
type Written = Readonly<Record<string, string>>;

export type ResolvedLaunch =
  | { readonly kind: 'resolved'; readonly launch: Launch; readonly fingerprint: string }
  | { readonly kind: 'invalid'; readonly problems: readonly ConfigProblem[] };

/** Replaces variables and fills in the default folder: the workspace's, else the home folder. */
export function resolveLaunch(
  config: ServerConfig,
  source: VariableSource,
  origin: ServerOrigin,
): ResolvedLaunch {
  const problems: ConfigProblem[] = [];
  const replace = (key: string, text: string): string => {
    const result = substitute(text, source);
    if (result.kind === 'text') return result.text;
    problems.push({ key, message: result.message });
    return text;
  };
  const replaceMap = (key: string, map: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(map).map(([name, value]) => [name, replace(`${key}.${name}`, value)]));

  const written = (map: Written): { readonly written?: Written } =>
    origin === 'workspace' ? { written: map } : {};
  let launch: Launch;
  if (config.kind === 'stdio') {
    launch = {
      kind: 'stdio',
      command: replace('command', config.command),
      args: config.args.map((arg, index) => replace(`args[${index}]`, arg)),
      env: replaceMap('env', config.env),
      cwd: resolveFolder(config.cwd === undefined ? undefined : replace('cwd', config.cwd), source),
      ...written(config.env),
    };
  } else {
    launch = {
      kind: 'http',
      url: replace('url', config.url),
      headers: replaceMap('headers', config.headers),
      ...written(config.headers),
    };
    const problem = urlProblem(launch.url);
    if (problem !== undefined) problems.push({ key: 'url', message: problem });
  }
  return problems.length > 0
    ? { kind: 'invalid', problems }
    : { kind: 'resolved', launch, fingerprint: launchFingerprint(launch) };
}

function resolveFolder(cwd: string | undefined, source: VariableSource): string {
  // Never the editor's or the extension's own folder: servers take relative paths from here.
  const base = source.workspaceFolder ?? source.userHome;
  if (cwd === undefined) return base;
  const expanded = /^~(?=$|[\\/])/.test(cwd) ? source.userHome + cwd.slice(1) : cwd;
  return path.resolve(base, expanded);
}

/**
 * Digest of what decides which program or service answers. Of the user's own servers, values of environment and
 * headers stay out: they are often secrets that rotate, and a digest of a short secret could be guessed. What a
 * workspace writes is part of it, as it is written: it stands in its files for everybody to read.
 */
export function launchFingerprint(launch: Launch): string {
  const { kind, written } = launch;
  if (kind === 'http') {
    return digest({ kind, url: launch.url, headers: written ?? Object.keys(launch.headers).sort() });
  }
  const { command, args, cwd } = launch;
  return digest({ kind, command, args, cwd, env: written ?? Object.keys(launch.env).sort() });
}

/** The command line or URL as a person should see it; without values of environment or headers. */
export function describeLaunch(launch: Launch): string {
  if (launch.kind === 'http') return launch.url;
  return [launch.command, ...launch.args].map(quote).join(' ');
}

function quote(part: string): string {
  return /^[\w@%+=:,./-]+$/.test(part) ? part : JSON.stringify(part);
}

function urlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return `is not a URL: ${JSON.stringify(text)}.`;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    return 'must not hold a user name or password; use "headers".';
  }
  if (url.protocol === 'https:' || url.protocol === 'http:') return undefined;
  return `must begin with https: or http:, not ${url.protocol}`;
}

/** True when what is sent can be read on the way: plain HTTP to another machine. */
export function isUnencrypted(launch: Launch): boolean {
  if (launch.kind !== 'http') return false;
  const url = new URL(launch.url);
  return url.protocol === 'http:' && !isLoopback(url.hostname);
}

function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) === 4) return host.startsWith('127.');
  return host === '::1' || host === 'localhost' || host.endsWith('.localhost');
}
