import { lstat, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { PathPort } from './gatherPaths.ts';

/** The file system of this machine. */
export function nodePaths(): PathPort {
  return {
    style: process.platform === 'win32' ? 'win32' : 'posix',
    caseSensitive: process.platform !== 'win32' && process.platform !== 'darwin',
    home: homedir(),
    // The promise form asks the system, which follows `..` through links and knows the true spelling.
    realpath: (path) => realpath(path),
    isLink: async (path) => {
      try {
        return (await lstat(path)).isSymbolicLink();
      } catch {
        return false;
      }
    },
  };
}
