import assert from 'node:assert/strict';
import { searchPath, serverEnvironment } from '../../../src/transport/stdioEnvironment.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

type Variables = Readonly<Record<string, string>>;

const rows: readonly (readonly [
  name: string,
  own: Variables,
  configured: Variables,
  NodeJS.Platform,
  Variables,
])[] = [
  [
    'the safe ones, and no other',
    {
      HOME: '/h',
      PATH: '/bin',
      LANG: 'C',
      LC_ALL: 'C',
      XDG_RUNTIME_DIR: '/r',
      TZ: 'UTC',
      AWS_SECRET: 's',
      NODE_OPTIONS: '-r x',
      VSCODE_IPC_HOOK: 'v',
      ELECTRON_RUN_AS_NODE: '1',
    },
    {},
    'linux',
    { HOME: '/h', PATH: '/bin', LANG: 'C', LC_ALL: 'C', XDG_RUNTIME_DIR: '/r', TZ: 'UTC' },
  ],
  [
    'configured ones over ours',
    { HOME: '/h', PATH: '/bin' },
    { PATH: '/opt', TOKEN: 't' },
    'darwin',
    { HOME: '/h', PATH: '/opt', TOKEN: 't' },
  ],
  ['no shell functions', { HOME: '() { evil; }', USER: 'u' }, {}, 'linux', { USER: 'u' }],
  ['names by case on POSIX', { Path: 'x', path: 'y', PATH: 'z' }, {}, 'linux', { PATH: 'z' }],
  [
    'names without case on Windows',
    { Path: 'C:\\a', SystemRoot: 'C:\\w', HOME: 'x', Secret: 's' },
    {},
    'win32',
    { Path: 'C:\\a', SystemRoot: 'C:\\w' },
  ],
  [
    'one spelling only on Windows',
    { Path: 'C:\\a', TEMP: 't' },
    { PATH: 'C:\\b' },
    'win32',
    { TEMP: 't', PATH: 'C:\\b' },
  ],
];

describe('serverEnvironment', () => {
  for (const [name, own, configured, platform, expected] of rows)
    it(`has ${name}`, () => assert.deepEqual(serverEnvironment(own, configured, platform), expected));
});

describe('searchPath', () => {
  it('finds the value under any spelling', () => {
    assert.deepEqual([searchPath({ Path: 'a' }), searchPath({ PATH: 'b' }), searchPath({})], ['a', 'b', '']);
  });
});
