import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { CorpusServer } from './servers.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** Where servers are installed, each in a folder of its own, outside what the extension is built from. */
export const corpusFolder = path.join(root, '.vscode-test', 'corpus');

/** The script to start a server with, installed if that was not done yet. Install scripts of packages are not run. */
export async function serverScript(server: CorpusServer): Promise<string> {
  const folder = server.isInstalled === true ? root : path.join(corpusFolder, folderName(server));
  const home = path.join(folder, 'node_modules', server.name);
  if (!isInstalled(home, server.version)) await install(server, folder);
  const manifest = readManifest(home);
  const bin: unknown = manifest['bin'];
  const script: unknown = typeof bin === 'object' && bin !== null ? Object.values(bin)[0] : bin;
  if (typeof script !== 'string') throw new Error(`${server.name} has no command.`);
  return path.join(home, script);
}

function folderName(server: CorpusServer): string {
  return `${server.name}@${server.version}`.replace(/[^\w.@-]/g, '-');
}

function isInstalled(home: string, version: string): boolean {
  return existsSync(path.join(home, 'package.json')) && readManifest(home)['version'] === version;
}

function readManifest(home: string): Record<string, unknown> {
  const value: unknown = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8'));
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function install(server: CorpusServer, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}\n');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['install', ...flags, `${server.name}@${server.version}`], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: 300_000,
      shell: process.platform === 'win32',
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`npm install of ${server.name} ended with ${String(code)}.`));
    });
  });
}
