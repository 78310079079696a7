import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** True where this process may install Debian packages. */
export function canInstallPackages(): boolean {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get') && existsSync('/etc/debian_version');
}

/** Names of those packages that are not installed. */
export function missingPackages(names: readonly string[]): readonly string[] {
  return names.filter((name) => {
    const query = spawnSync('dpkg-query', ['-W', '-f=${db:Status-Status}', name], { encoding: 'utf8' });
    return query.stdout !== 'installed';
  });
}

/** Installs packages; asks nothing, and waits for another installation to end. */
export function installPackages(names: readonly string[]): void {
  console.log(`Installing Debian packages: ${names.join(' ')}`);
  aptGet('update', '-qq');
  aptGet('install', '-y', '-qq', '--no-install-recommends', ...names);
}

function aptGet(...args: readonly string[]): void {
  const { status } = spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status !== 0) throw new Error(`apt-get ${args.join(' ')} failed`);
}
