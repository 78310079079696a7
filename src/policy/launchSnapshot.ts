import type { JsonObject, JsonValue } from '../base/json.ts';
import type { Launch } from '../servers/launch.ts';
import { findSecrets } from './secrets.ts';

/**
 * A launch as it is kept to show differences later: of variables and headers only the names, or what a workspace
 * writes; what looks like a secret is covered.
 */
export function launchSnapshot(launch: Launch): JsonObject {
  if (launch.kind === 'http') {
    return { url: covered(launch.url), headers: namesOrWritten(launch.headers, launch.written) };
  }
  const { command, args, cwd, env, written } = launch;
  return { command, args: args.map(covered), cwd, env: namesOrWritten(env, written) };
}

function namesOrWritten(
  values: Readonly<Record<string, string>>,
  written: Readonly<Record<string, string>> | undefined,
): JsonValue {
  if (written === undefined) return Object.keys(values).sort();
  return Object.fromEntries(Object.entries(written).map(([name, text]) => [name, covered(text)]));
}

function covered(text: string): string {
  let shown = text;
  for (const { start, end } of findSecrets(text).toReversed()) {
    shown = `${shown.slice(0, start)}••••${shown.slice(end)}`;
  }
  return shown;
}
