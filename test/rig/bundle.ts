import { build } from 'esbuild';
import { copyFileSync, globSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fixturesFolder, toolsFolder } from './paths.ts';

/** Bundles TypeScript modules that run inside the extension host; each becomes a `.cjs` file in `outFolder`. */
export async function bundleForHost(
  files: readonly string[],
  outFolder: string,
  base?: string,
): Promise<void> {
  await build({
    entryPoints: [...files],
    outdir: outFolder,
    ...(base !== undefined && { outbase: base }),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    outExtension: { '.js': '.cjs' },
    external: ['vscode', 'mocha'],
    sourcemap: 'inline',
    logLevel: 'warning',
  });
}

/** Builds a fixture extension and returns the folder from which VS Code can load it. */
export async function buildFixture(name: string): Promise<string> {
  const source = path.join(fixturesFolder, name);
  const target = path.join(toolsFolder, 'fixtures', name);
  mkdirSync(target, { recursive: true });
  const modules = globSync(['extension.ts'], { cwd: source }).map((file) => path.join(source, file));
  await bundleForHost(modules, target, source);
  copyFileSync(path.join(source, 'package.json'), path.join(target, 'package.json'));
  return target;
}
