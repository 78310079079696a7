// Stands in for the desktop `code` executable under @vscode/test-electron: runs the suite in the extension host
// of the server build instead, and exits with its verdict.
import { rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseShimArguments, type ShimArguments } from './codeShimArguments.ts';
import { hostDied, runHostSuite } from './hostSuite.ts';
import { makeProfile, type Profile } from './profile.ts';

const given = parseShimArguments(process.argv.slice(2));
if (given.tests === undefined) {
  console.error('code shim: only suites run here, and --extensionTestsPath is missing');
  process.exit(2);
}

const abort = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => abort.abort());

const named = namedProfile(given);
const profile = named ?? makeProfile();
const folder = given.open.map((word) => path.resolve(word)).find(isFolder);
try {
  process.exitCode = await runHostSuite({
    profile,
    develop: given.develop.map((word) => path.resolve(word)),
    tests: path.resolve(given.tests),
    ...(folder !== undefined && { folder }),
    restricted: given.workspaceTrust,
    proposedApi: given.proposedApi,
    signal: abort.signal,
    timeout: Number(process.env['RIG_TIMEOUT'] ?? 600_000),
    onLine: (line) => console.log(line),
  });
  if (process.exitCode === hostDied)
    console.error('code shim: the extension host ended before the suite did');
} catch (error) {
  console.error('code shim:', error);
  process.exitCode = 3;
} finally {
  if (named === undefined) rmSync(profile.root, { recursive: true, force: true });
}

// A profile that the caller names is the caller's to fill and to delete.
function namedProfile({ userData, extensions }: ShimArguments): Profile | undefined {
  if (userData === undefined || extensions === undefined) return undefined;
  const data = path.resolve(userData);
  return { root: path.dirname(data), userData: data, extensions: path.resolve(extensions) };
}

function isFolder(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
}
