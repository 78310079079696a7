// The way in, for the Node that a machine happens to have (20 or newer): installs the packages if they are
// missing or are not those of package-lock.json, then goes on with the Node 24 among them.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const node = path.join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** npm keeps its own record of what is installed; written last, so it is missing after an interruption. */
function installed() {
  const record = path.join(root, 'node_modules/.package-lock.json');
  if (!existsSync(record) || !existsSync(node)) return false;
  const wanted = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;
  const present = JSON.parse(readFileSync(record, 'utf8')).packages;
  return Object.entries(wanted).every(([place, { version, optional }]) => {
    if (place === '') return true;
    // Optional packages for other platforms are not installed.
    if (present[place] === undefined) return optional === true;
    return present[place].version === version && existsSync(path.join(root, place));
  });
}

function install() {
  console.log('Installing packages (npm ci) …');
  const npm = process.env.npm_execpath;
  const [command, ...args] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  const options = { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' && args.length === 0 };
  const { status } = spawnSync(command, [...args, 'ci', '--no-audit', '--no-fund'], options);
  if (status !== 0) process.exit(status ?? 1);
}

const [name, ...rest] = process.argv.slice(2);
const script = path.join(root, 'test/rig/commands', `${name}.ts`);
if (name === undefined || !existsSync(script)) {
  console.error(`bootstrap: no such command: ${name}`);
  process.exit(2);
}
if (!installed()) install();

const bin = path.join(root, 'node_modules/.bin');
const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` };
const child = spawn(node, [script, ...rest], { cwd: root, stdio: 'inherit', env });
// The child tidies up after itself; this process only must not end before it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
// npm's shell may be ended without passing the signal on; then this process has a new parent.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 1_000).unref();
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
