import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rankIcons, readIconSource } from '../../../src/client/iconSource.ts';
import type { Icon } from '../../../src/protocol/model.ts';

const server = 'https://mcp.example/mcp';
const rows: readonly [src: string, server: string | undefined, expected: string | RegExp][] = [
  ['https://mcp.example/icon.png', server, 'fetch https://mcp.example/icon.png'],
  ['https://mcp.example:443/i?x#y', server, 'fetch https://mcp.example/i?x'],
  ['data:image/png;base64,iVBORw==', server, 'data image/png 4'],
  ['data:image/png;charset=x;base64,iVBORw==', undefined, 'data image/png 4'],
  ['DATA:;BASE64,iVBORw==', undefined, 'data undefined 4'],
  ['https://other.example/icon.png', server, /origin/],
  ['https://mcp.example:444/icon.png', server, /origin/],
  ['https://sub.mcp.example/icon.png', server, /origin/],
  ['https://mcp.example/icon.png', undefined, /origin/],
  ['https://mcp.example/icon.png', 'http://mcp.example/mcp', /origin/],
  ['https://user:pass@mcp.example/icon.png', server, /credentials/],
  ['http://mcp.example/icon.png', 'http://mcp.example/mcp', /scheme http:/],
  ['javascript:alert(1)', server, /scheme/],
  ['file:///etc/passwd', server, /scheme/],
  ['ftp://mcp.example/i', server, /scheme/],
  ['ws://mcp.example/i', server, /scheme/],
  ['vscode://file/x', server, /scheme/],
  ['blob:https://mcp.example/1', server, /scheme/],
  ['/icon.png', server, /not an address/],
  ['', server, /not an address/],
  ['data:image/svg+xml,<svg/>', server, /Base64/],
  ['data:image/png;base64,***', server, /Base64/],
  [`data:image/png;base64,${'A'.repeat(2000)}`, server, /too large/],
  [`https://mcp.example/${'a'.repeat(2000)}`, server, /too large/],
];
for (const [src, serverUrl, expected] of rows) {
  test(`icon address ${src.slice(0, 60)} of ${String(serverUrl)}`, () => {
    const source = readIconSource(src, serverUrl, 1000);
    const text =
      source.kind === 'fetch'
        ? `fetch ${source.url.href}`
        : source.kind === 'data'
          ? `data ${String(source.mimeType)} ${source.bytes.length}`
          : source.reason;
    if (typeof expected === 'string') assert.equal(text, expected);
    else assert.match(text, expected);
  });
}

const icon = (src: string, more: Partial<Icon> = {}): Icon => ({ src, ...more });
const ranks: readonly [name: string, icons: readonly Icon[], expected: string[]][] = [
  [
    'by size',
    [icon('16', { sizes: ['16x16'] }), icon('256', { sizes: ['256x256'] }), icon('48', { sizes: ['48x48'] })],
    ['48', '256', '16'],
  ],
  [
    'the best of several sizes',
    [icon('a', { sizes: ['512x512', '32x32'] }), icon('b', { sizes: ['48x48'] })],
    ['a', 'b'],
  ],
  [
    'theme before size',
    [
      icon('light', { theme: 'light', sizes: ['32x32'] }),
      icon('any'),
      icon('dark', { theme: 'dark', sizes: ['16x16'] }),
    ],
    ['dark', 'any', 'light'],
  ],
  [
    'sizes that make no sense',
    [icon('a', { sizes: ['huge', '99999999x1'] }), icon('b', { sizes: ['33x33'] })],
    ['b', 'a'],
  ],
  ['a long list is cut', Array.from({ length: 99 }, (_, at) => icon(String(at))), ['0', '1', '2', '3']],
  ['none', [], []],
];
for (const [name, icons, expected] of ranks) {
  test(`order of icons: ${name}`, () => {
    assert.deepEqual(
      rankIcons(icons, 'dark').map(({ src }) => src),
      expected,
    );
  });
}
