import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { journalFiles, verifyFolder } from '../../src/audit/verifyFolder.ts';
import { auditDigest } from '../helpers/auditKit.ts';
import { describe, it } from '../helpers/nodeTest.ts';

const run = promisify(execFile);
const main = fileURLToPath(new URL('../helpers/auditFaultMain.ts', import.meta.url));

interface Outcome {
  readonly first: { readonly made: number; readonly refusal: string };
  readonly again: { readonly made: number; readonly refusal: string };
  readonly after?: string;
  readonly state: string;
  readonly intact: boolean;
  readonly findings: readonly unknown[];
  readonly openCalls: readonly string[];
}

async function withFolder(act: (root: string) => Promise<void>): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'countersign-fault-'));
  // For a process that has given up being the super-user.
  chmodSync(root, 0o777);
  try {
    await act(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function outcome(command: string, args: readonly string[]): Promise<Outcome> {
  const { stdout } = await run(command, [...args]);
  return JSON.parse(stdout) as Outcome;
}

/** A shell script with the folder as `$1` and the rest of the command behind it. */
const script = (text: string, root: string, what: string): string[] => [
  '-c',
  text,
  'sh',
  root,
  process.execPath,
  main,
  what,
  root,
];

/** Whether a small file system can be made for one process and its children alone. */
async function privateMount(): Promise<readonly string[] | undefined> {
  for (const flags of [['-m'], ['-r', '-m']]) {
    const made = await run('unshare', [
      ...flags,
      'mount',
      '-t',
      'tmpfs',
      '-o',
      'size=64k',
      'tmpfs',
      '/mnt',
    ]).then(
      () => true,
      () => false,
    );
    if (made) return flags;
  }
  return undefined;
}

const onPosix = process.platform !== 'win32';

describe('a full disk', () => {
  it('stops calls with a clear error until there is space again', async () => {
    const flags = onPosix ? await privateMount() : undefined;
    // Where no file system may be mounted, the limit on the size of files stands for it: see the next test.
    if (flags === undefined) return;
    await withFolder(async (root) => {
      const mount = 'mount -t tmpfs -o size=256k tmpfs "$1" && shift && exec "$@"';
      const seen = await outcome('unshare', [...flags, 'sh', ...script(mount, root, 'fullDisk')]);
      assert.ok(seen.first.made > 20, JSON.stringify(seen));
      assert.match(
        seen.first.refusal,
        /^auditFailed: The call cannot be recorded\. The disk that holds .*audit is full\./,
      );
      assert.deepEqual(seen.again, { made: 0, refusal: seen.first.refusal });
      assert.equal(seen.after, 'made');
      assert.deepEqual([seen.state, seen.intact, seen.findings, seen.openCalls], ['recording', true, [], []]);
    });
  });

  it('is met the same way when only this file may not grow', async () => {
    if (!onPosix) return;
    await withFolder(async (root) => {
      const seen = await outcome('sh', script('ulimit -f 100 && shift && exec "$@"', root, 'limit'));
      assert.ok(seen.first.made > 20, JSON.stringify(seen));
      assert.match(
        seen.first.refusal,
        /^auditFailed: The call cannot be recorded\. The system allows no larger file/,
      );
      assert.deepEqual([seen.again.made, seen.state, seen.intact], [0, 'failing', true]);
    });
  });
});

describe('a lost permission', () => {
  it('stops calls when the next file cannot be made, until it is given back', async () => {
    if (!onPosix) return;
    await withFolder(async (root) => {
      const seen = await outcome(process.execPath, [main, 'permission', root]);
      assert.ok(seen.first.made > 5, JSON.stringify(seen));
      assert.match(seen.first.refusal, /^auditFailed: .* cannot be written to\. Give yourself permission/);
      assert.equal(seen.again.made, 0);
      assert.deepEqual([seen.state, seen.intact, seen.findings, seen.openCalls], ['recording', true, [], []]);
    });
  });
});

describe('several windows', () => {
  it('write at the same time, each its own files', async () => {
    await withFolder(async (root) => {
      const windows = await Promise.all(
        [1, 2, 3].map(async () => {
          const { stdout } = await run(process.execPath, [main, 'write', root]);
          return (JSON.parse(stdout) as { sessionId: string }).sessionId;
        }),
      );
      const folder = join(root, 'audit');
      const report = await verifyFolder(folder, { key: auditDigest });
      assert.deepEqual([report.intact, report.findings, report.openCalls], [true, [], []]);
      const files = await journalFiles(folder);
      assert.deepEqual([...new Set(files.map((file) => file.sessionId))].toSorted(), windows.toSorted());
      assert.ok(files.length > 6);
    });
  });
});
