import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Profile } from './profile.ts';

/**
 * Everything an extension wrote to one of its output channels, over all windows of the profile, oldest first.
 * Log channels have a file by their name in the extension's folder; plain ones a numbered one in a shared folder.
 */
export function readChannel(profile: Profile, extensionId: string, channel: string): string {
  const name = channel.replaceAll(/[\\/:*?"<>|]/g, '');
  const logs = path.join(profile.userData, 'logs');
  const files = globSync(
    [`*/exthost*/${extensionId}/${name}.log`, `*/exthost*/output_logging_*/*-${name}.log`],
    {
      cwd: logs,
    },
  );
  return files
    .sort()
    .map((file) => readFileSync(path.join(logs, file), 'utf8'))
    .join('');
}
