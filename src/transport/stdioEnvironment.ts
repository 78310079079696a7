/** Variables of ours that a server gets without being configured. Nothing here carries secrets. */
const posixNames: readonly string[] = [
  'HOME',
  'LANG',
  'LOGNAME',
  'PATH',
  'SHELL',
  'TERM',
  'TMPDIR',
  'TZ',
  'USER',
];

const windowsNames: readonly string[] = [
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'NUMBER_OF_PROCESSORS',
  'OS',
  'PATH',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERDOMAIN',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
];

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment of a server: the pinned list of ours, and over it what is configured. A shell function
 * passed on as a variable is left out, because a shell that the server starts would run it.
 */
export function serverEnvironment(
  own: Environment,
  configured: Readonly<Record<string, string>>,
  platform: NodeJS.Platform,
): Record<string, string> {
  const windows = platform === 'win32';
  // Windows does not tell names apart by case, so neither may we: `Path` must not appear beside `PATH`.
  const normal = (name: string): string => (windows ? name.toUpperCase() : name);
  const replaced = new Set(Object.keys(configured).map(normal));
  const inherited = Object.entries(own).filter(([name, value]) => {
    const key = normal(name);
    const safe = windows ? windowsNames.includes(key) : isSafePosixName(key);
    return safe && !replaced.has(key) && value !== undefined && !value.startsWith('()');
  });
  return Object.fromEntries([
    ...inherited.map(([name, value]): [string, string] => [name, value ?? '']),
    ...Object.entries(configured),
  ]);
}

function isSafePosixName(name: string): boolean {
  return posixNames.includes(name) || name.startsWith('LC_') || name.startsWith('XDG_');
}

/** The value of PATH in an environment, whatever its spelling. */
export function searchPath(environment: Environment): string {
  const entry = Object.entries(environment).find(([name]) => name.toUpperCase() === 'PATH');
  return entry?.[1] ?? '';
}
