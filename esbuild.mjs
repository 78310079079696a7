// Bundles the extension (one CommonJS file plus its workers) and the webview pages into dist/.
import { build, context } from 'esbuild';
import { existsSync, rmSync } from 'node:fs';

const watch = process.argv.includes('--watch');
const production = process.argv.includes('--production');

/** @type {import('esbuild').BuildOptions} */
const common = {
  bundle: true,
  logLevel: 'warning',
  minify: production,
  sourcemap: production ? false : 'linked',
  legalComments: 'none',
  outdir: 'dist',
};

/** @type {import('esbuild').BuildOptions} */
const host = {
  ...common,
  // A worker is listed here only once it exists, so that its folder can be built on its own.
  entryPoints: ['src/extension.ts', 'src/tools/schemaWorker.ts'].filter((file) => existsSync(file)),
  entryNames: '[name]',
  platform: 'node',
  target: 'node22.19',
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  external: ['vscode'],
  // jsonc-parser's CommonJS form loads its parts in a way that no bundler follows.
  mainFields: ['module', 'main'],
  // `import.meta.url` has no meaning in CommonJS; the bundle's own address takes its place.
  define: { 'import.meta.url': 'bundleUrl' },
  banner: { js: 'const bundleUrl = require("node:url").pathToFileURL(__filename).href;' },
};

/** @type {import('esbuild').BuildOptions} */
const pages = {
  ...common,
  entryPoints: ['webview/approvals/approvals.ts', 'webview/approvals/approvals.css'].filter((file) =>
    existsSync(file),
  ),
  entryNames: 'webview/[name]',
  platform: 'browser',
  target: 'es2022',
  format: 'iife',
};

rmSync('dist', { recursive: true, force: true });
for (const options of [host, pages]) {
  if (options.entryPoints?.length === 0) continue;
  if (watch) await (await context(options)).watch();
  else await build(options);
}
