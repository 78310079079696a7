// Bundles the extension (one CommonJS file plus its workers) and the webview pages into dist/.
import { build, context } from 'esbuild';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const watch = process.argv.includes('--watch');
const production = process.argv.includes('--production');

/** @type {import('esbuild').BuildOptions} */
const common = {
  bundle: true,
  metafile: true,
  logLevel: 'warning',
  minify: production,
  sourcemap: production ? false : 'linked',
  legalComments: 'none',
  outdir: 'dist',
};

/** @type {import('esbuild').BuildOptions} */
const host = {
  ...common,
  entryPoints: ['src/extension.ts', 'src/tools/schemaWorker.ts'],
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
  entryPoints: ['webview/approvals/approvals.ts', 'webview/approvals/approvals.css'],
  entryNames: 'webview/[name]',
  platform: 'browser',
  target: 'es2022',
  format: 'iife',
};

rmSync('dist', { recursive: true, force: true });
const inputs = new Set();
for (const options of [host, pages]) {
  if (watch) {
    await (await context(options)).watch();
    continue;
  }
  const { metafile } = await build(options);
  for (const input of Object.keys(metafile?.inputs ?? {})) inputs.add(input);
}
if (!watch) writeFileSync('dist/ThirdPartyNotices.txt', notices(inputs));

/** The licences of the packages whose code is in the bundles. */
function notices(files) {
  const packages = new Set(
    Array.from(files, (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? ''),
  );
  packages.delete('');
  return Array.from(packages)
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
      const text = file === undefined ? '' : `\n\n${readFileSync(`${folder}/${file}`, 'utf8').trim()}`;
      return `${name} ${version} (${license})${text}`;
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`);
}
