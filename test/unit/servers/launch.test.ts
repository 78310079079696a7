import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import {
  describeLaunch,
  isUnencrypted,
  launchFingerprint,
  resolveLaunch,
} from '../../../src/servers/launch.ts';
import type { HttpServerConfig, StdioServerConfig } from '../../../src/servers/serverConfig.ts';

const source = {
  workspaceFolder: path.resolve('/work space'),
  userHome: path.resolve('/home/me'),
  environment: { TOKEN: 'a ${userHome} b' },
};

const stdio = (change: Partial<StdioServerConfig> = {}): StdioServerConfig => ({
  kind: 'stdio',
  command: 'run',
  args: [],
  env: {},
  cwd: undefined,
  ...change,
});
const http = (url: string, headers: Record<string, string> = {}): HttpServerConfig => ({
  kind: 'http',
  url,
  headers,
});

test('variables are replaced once, everywhere, and never inside a replaced value', () => {
  const resolved = resolveLaunch(
    stdio({
      command: '${workspaceFolder}/bin',
      args: ['--t=${env:TOKEN}'],
      env: { A: '${userHome}' },
      cwd: 'sub',
    }),
    source,
    'user',
  );
  assert.deepEqual(resolved.kind === 'resolved' && resolved.launch, {
    kind: 'stdio',
    command: `${source.workspaceFolder}/bin`,
    args: ['--t=a ${userHome} b'],
    env: { A: source.userHome },
    cwd: path.join(source.workspaceFolder, 'sub'),
  });
});

const folders: readonly [string, string | undefined, string | undefined, string][] = [
  ['the workspace folder by default', undefined, source.workspaceFolder, source.workspaceFolder],
  ['the home folder without a workspace', undefined, undefined, source.userHome],
  ['an absolute path as it is', path.resolve('/x'), source.workspaceFolder, path.resolve('/x')],
  ['~ as the home folder', '~/y', source.workspaceFolder, path.join(source.userHome, 'y')],
  ['a folder called ~z is a folder', '~z', source.workspaceFolder, path.join(source.workspaceFolder, '~z')],
];
for (const [name, cwd, workspaceFolder, expected] of folders) {
  test(`cwd: ${name}`, () => {
    const resolved = resolveLaunch(stdio({ cwd }), { ...source, workspaceFolder }, 'user');
    assert.equal(
      resolved.kind === 'resolved' && resolved.launch.kind === 'stdio' && resolved.launch.cwd,
      expected,
    );
  });
}

const problems: readonly [
  string,
  StdioServerConfig | HttpServerConfig,
  { key: string; message: string }[],
][] = [
  [
    'an unknown variable',
    stdio({ args: ['ok', '${workspceFolder}'] }),
    [
      {
        key: 'args[1]',
        message: '${workspceFolder} is not known; ${workspaceFolder}, ${userHome} and ${env:NAME} are.',
      },
    ],
  ],
  [
    'a variable that the environment lacks',
    http('https://e.org', { Authorization: 'Bearer ${env:NONE}' }),
    [
      {
        key: 'headers.Authorization',
        message: '${env:NONE} is used, but the environment has no such variable.',
      },
    ],
  ],
  ['no URL', http('e.org/mcp'), [{ key: 'url', message: 'is not a URL: "e.org/mcp".' }]],
  [
    'another scheme',
    http('ws://e.org'),
    [{ key: 'url', message: 'must begin with https: or http:, not ws:' }],
  ],
  [
    'a password in the URL',
    http('https://me:secret@e.org'),
    [{ key: 'url', message: 'must not hold a user name or password; use "headers".' }],
  ],
];
for (const [name, config, expected] of problems) {
  test(`refused with its key: ${name}`, () => {
    assert.deepEqual(resolveLaunch(config, source, 'user'), { kind: 'invalid', problems: expected });
  });
}

test('without an open folder ${workspaceFolder} is refused', () => {
  const nowhere = { ...source, workspaceFolder: undefined };
  const resolved = resolveLaunch(stdio({ args: ['${workspaceFolder}'] }), nowhere, 'user');
  assert.equal(resolved.kind, 'invalid');
});

test('the fingerprint follows what decides who answers, and not the values of secrets', () => {
  const base = { kind: 'stdio', command: 'a', args: ['1'], env: { K: 'one' }, cwd: '/x' } as const;
  const same = launchFingerprint({ ...base, env: { K: 'two' } });
  assert.equal(launchFingerprint(base), same);
  const others = [
    { ...base, command: 'b' },
    { ...base, args: ['2'] },
    { ...base, args: ['1', ''] },
    { ...base, cwd: '/y' },
    { ...base, env: { K: 'one', L: '' } },
    { kind: 'http', url: 'https://a', headers: {} } as const,
    { kind: 'http', url: 'https://a', headers: { X: '1' } } as const,
    { kind: 'http', url: 'https://b', headers: {} } as const,
  ].map(launchFingerprint);
  assert.equal(new Set([same, ...others]).size, others.length + 1);
});

test('a command line is shown so that its parts can be told apart', () => {
  const launch = {
    kind: 'stdio',
    command: 'my prog',
    args: ['-y', 'a b', '', '$(x)'],
    env: {},
    cwd: '/',
  } as const;
  assert.equal(describeLaunch(launch), '"my prog" -y "a b" "" "$(x)"');
});

const encryption: readonly [string, boolean][] = [
  ['https://e.org', false],
  ['http://e.org', true],
  ['http://127.0.0.1:80', false],
  ['http://127.1.2.3', false],
  ['http://[::1]:8080/mcp', false],
  ['http://localhost', false],
  ['http://localhost.evil.org', true],
  ['http://192.168.0.1', true],
];
for (const [url, expected] of encryption) {
  test(`unencrypted: ${url} → ${expected}`, () => {
    assert.equal(isUnencrypted({ kind: 'http', url, headers: {} }), expected);
  });
}

test('what a workspace writes as a value is part of what a person agrees to, and what it stands for is not', () => {
  const fingerprint = (config: StdioServerConfig | HttpServerConfig, token = 'one'): string => {
    const resolved = resolveLaunch(config, { ...source, environment: { TOKEN: token } }, 'workspace');
    return resolved.kind === 'resolved' ? resolved.fingerprint : '';
  };
  const plain = stdio({ env: { A: '${env:TOKEN}' } });
  assert.equal(fingerprint(plain), fingerprint(plain, 'two'));
  const all = [
    plain,
    stdio({ env: { A: '${env:TOKEN} ' } }),
    stdio({ env: { A: 'one' } }),
    stdio({ env: { A: '--require=./evil.js' } }),
    http('https://a', { X: '${env:TOKEN}' }),
    http('https://a', { X: 'one' }),
    http('https://a', { x: 'one' }),
  ].map((config) => fingerprint(config));
  assert.equal(new Set(all).size, all.length);
});
