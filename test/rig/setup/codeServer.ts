import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { codeServerFolder, codeServerPackage, nodePath } from '../paths.ts';
import { canInstallPackages, installPackages, missingPackages } from './debian.ts';
import { npmEnvironment } from './npmEnvironment.ts';
import { SetupError } from './setupError.ts';

/** The version whose server build the tests run in; it carries VS Code 1.139.1. */
const version = '4.139.1';

/** Native modules of the server build are compiled here. */
const buildPackages = ['libkrb5-dev', 'python3', 'make', 'g++'];

// Native modules belong to one version of Node and one kind of processor.
const wanted = JSON.stringify({
  version,
  node: process.version,
  arch: process.arch,
  platform: process.platform,
});

/** Sees to it that the server build is installed; a try that was interrupted is done over. */
export function ensureCodeServer(): void {
  const stamp = path.join(codeServerFolder, 'installed.json');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted && existsSync(codeServerPackage)) return;
  if (process.platform === 'win32')
    throw new SetupError(
      'The server build does not run on Windows itself: use WSL, or `npm run test:desktop`.',
    );
  ensureBuildPackages();
  console.log(`Installing code-server ${version} (VS Code's server build; takes a few minutes) …`);
  rmSync(codeServerFolder, { recursive: true, force: true });
  mkdirSync(codeServerFolder, { recursive: true });
  writeFileSync(
    path.join(codeServerFolder, 'package.json'),
    JSON.stringify({
      private: true,
      // npm runs no other install scripts.
      allowScripts: { 'code-server': true, argon2: true },
      dependencies: { 'code-server': version },
    }),
  );
  runNpmInstall();
  writeFileSync(stamp, wanted);
}

function ensureBuildPackages(): void {
  if (process.platform !== 'linux') return;
  if (canInstallPackages()) {
    const missing = missingPackages(buildPackages);
    if (missing.length > 0) installPackages(missing);
    return;
  }
  const header = ['/usr/include/gssapi/gssapi.h', '/usr/include/gssapi.h'].some((file) => existsSync(file));
  const tools = ['python3', 'make', 'g++'].filter((tool) => spawnSync(tool, ['--version']).status !== 0);
  const missing = [...(header ? [] : ['the Kerberos headers']), ...tools];
  if (missing.length === 0) return;
  throw new SetupError(
    `The server build of VS Code has native modules, and to compile them these are missing: ${missing.join(', ')}. ` +
      `On Debian or Ubuntu: \`sudo apt-get install ${buildPackages.join(' ')}\`.`,
  );
}

function runNpmInstall(): void {
  const npm = process.env['npm_execpath'];
  const [command, ...args] = npm?.endsWith('.js') ? [nodePath, npm] : ['npm'];
  const install = ['install', '--prefix', codeServerFolder, '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, stdout, stderr } = spawnSync(command, [...args, ...install], {
    cwd: codeServerFolder,
    env: npmEnvironment(),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new SetupError(`npm install code-server failed:\n${stdout}\n${stderr}`);
}
