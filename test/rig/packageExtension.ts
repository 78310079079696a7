import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repoRoot } from './paths.ts';
import { runCommand } from './runner/checkStage.ts';

/** File name of the package that this version makes. */
export function packageName(): string {
  const { version } = JSON.parse(readFileSync(path.join(repoRoot, 'package.json'), 'utf8'));
  return `countersign-${version}.vsix`;
}

/** Builds for production and packs the extension; returns what the packer printed. */
export async function packageExtension(file: string, signal: AbortSignal): Promise<string> {
  // Everything that runs is bundled, so no dependency is packed; the packer runs `vscode:prepublish` itself.
  const vsce = [
    'vsce',
    'package',
    '--no-dependencies',
    '--allow-missing-repository',
    // The pictures of the README go with the package.
    '--no-rewrite-relative-links',
    '--out',
    file,
  ] as const;
  const { exitCode, output } = await runCommand(vsce, signal);
  if (exitCode !== 0) throw new Error(`vsce package failed:\n${output}`);
  return output;
}

// What an installed copy may hold: only what runs, and what the editor shows about the extension.
const allowed = [
  /^package\.json$/,
  /^(readme|changelog)\.md$/i,
  /^license\.txt$/i,
  /^\.vsixmanifest$/,
  /^dist\/([^/]+\/)*[^/]+\.(cjs|js|css)$/,
  /^dist\/ThirdPartyNotices\.txt$/,
  /^media\/[^/]+\.(svg|png|gif)$/,
];

/** Those of the package's files that do not belong in it. */
export function strayFiles(files: readonly string[]): readonly string[] {
  return files.filter((file) => !allowed.some((pattern) => pattern.test(file)));
}

/** Files without which the package cannot work. */
export function absentFiles(files: readonly string[]): readonly string[] {
  return ['package.json', 'dist/extension.cjs', 'dist/schemaWorker.cjs', 'dist/webview/approvals.js'].filter(
    (file) => !files.includes(file),
  );
}
