import type { JsonObject } from '../base/json.ts';
import type { Launch } from '../servers/launch.ts';
import { findSecrets } from './secrets.ts';

/**
 * A launch as it is kept to show differences later: names of variables and headers without their values, and what
 * looks like a secret covered.
 */
export function launchSnapshot(launch: Launch): JsonObject {
  if (launch.kind === 'http') {
    return { url: covered(launch.url), headers: Object.keys(launch.headers).sort() };
  }
  const { command, args, cwd, env } = launch;
  return { command, args: args.map(covered), cwd, env: Object.keys(env).sort() };
}

function covered(text: string): string {
  let shown = text;
  for (const { start, end } of findSecrets(text).toReversed()) {
    shown = `${shown.slice(0, start)}••••${shown.slice(end)}`;
  }
  return shown;
}
