import assert from 'node:assert/strict';
import { type PathSurroundings, pathCandidates } from '../../../src/policy/pathCandidates.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

type Rows = readonly (readonly [text: string, expected: readonly string[] | undefined])[];

const posix: PathSurroundings = { style: 'posix', home: '/home/me', cwd: '/ws' };
const posixRows: Rows = [
  ['/etc/passwd', ['/etc/passwd']],
  ['a/b', ['/ws/a/b']],
  ['./a', ['/ws/./a']],
  ['../a', ['/ws/../a']],
  ['~', ['/home/me']],
  ['~/a', ['/home/me/a']],
  ['~/../a', ['/home/me/../a', '/ws/~/../a']],
  ['~other/a', undefined],
  ['a~', ['/ws/a~']],
  ['file:///etc/a%20b', ['/etc/a b']],
  ['FILE:///etc/a', ['/etc/a']],
  ['file://localhost/etc/a', ['/etc/a']],
  ['file://host/etc/a', undefined],
  ['file:/etc/a', undefined],
  ['file:a', undefined],
  ['file:///etc/%2e%2e/a', ['/a']],
  ['file:///a%2Fb', undefined],
  ['file:///a%00b', undefined],
  ['https://a.test/', undefined],
  ['vscode-remote://ssh/a', undefined],
  ['', undefined],
  ['a\0b', undefined],
  ['x'.repeat(5000), undefined],
  ['$HOME/a', undefined],
  ['${HOME}/a', undefined],
  ['$(id)', undefined],
  ['%TEMP%\\a', undefined],
  ['a/$b', ['/ws/a/$b']],
  ['..\\..\\a', ['/ws/..\\..\\a', '/ws/../../a']],
  ['\\etc', ['/ws/\\etc', '/etc']],
  ['%2e%2e/a', ['/ws/%2e%2e/a', '/ws/../a']],
  ['a%2fb', ['/ws/a%2fb', '/ws/a/b']],
  ['100%', ['/ws/100%']],
  ['%ff/a', undefined],
  ['%00', undefined],
  ['C:\\a', ['/ws/C:\\a', '/ws/C:/a']],
  ['a b', ['/ws/a b']],
  [' /etc', ['/ws/ /etc']],
];

const windows: PathSurroundings = { style: 'win32', home: 'C:\\Users\\me', cwd: 'D:\\ws' };
const windowsRows: Rows = [
  ['C:\\a\\b', ['C:\\a\\b']],
  ['c:/a/b', ['c:\\a\\b']],
  ['a\\b', ['D:\\ws\\a\\b']],
  ['a/b', ['D:\\ws\\a\\b']],
  ['..\\a', ['D:\\ws\\..\\a']],
  ['\\a', ['D:\\a']],
  ['/a', ['D:\\a']],
  ['C:a', undefined],
  ['C:', undefined],
  ['~\\a', ['C:\\Users\\me\\a']],
  ['~/a', ['C:\\Users\\me\\a']],
  ['~/../a', ['C:\\Users\\me\\..\\a', 'D:\\ws\\~\\..\\a']],
  ['~1', undefined],
  ['\\\\server\\share\\a', ['\\\\server\\share\\a']],
  ['//server/share/a', ['\\\\server\\share\\a']],
  ['\\\\?\\C:\\a', ['C:\\a']],
  ['\\\\?\\UNC\\server\\share', ['\\\\server\\share']],
  ['\\\\?\\Volume{1}\\a', undefined],
  ['\\\\?\\C:\\a.', undefined],
  ['\\\\.\\C:\\a', undefined],
  ['\\\\.\\pipe\\x', undefined],
  ['a.txt:stream', undefined],
  ['C:\\a:stream', undefined],
  ['C:\\a.\\b', undefined],
  ['C:\\a \\b', undefined],
  ['.. \\a', undefined],
  ['C:\\..\\a', ['C:\\..\\a']],
  ['NUL', undefined],
  ['C:\\a\\con.txt', undefined],
  ['com1', undefined],
  ['COM10', ['D:\\ws\\COM10']],
  ['console', ['D:\\ws\\console']],
  ['file:///C:/a', ['C:\\a']],
  ['file:///c%3A/a', ['c:\\a']],
  ['file://server/share/a', ['\\\\server\\share\\a']],
  ['file:///a', undefined],
  ['file:///C:/a.txt%3Astream', undefined],
  ['%2e%2e\\a', ['D:\\ws\\%2e%2e\\a', 'D:\\ws\\..\\a']],
  ['PROGRA~1\\a', ['D:\\ws\\PROGRA~1\\a']],
];

for (const [system, around, rows] of [
  ['POSIX', posix, posixRows],
  ['Windows', windows, windowsRows],
] as const) {
  describe(`paths as ${system} may read them`, () => {
    for (const [text, expected] of rows) {
      it(JSON.stringify(text.slice(0, 40)), () => assert.deepEqual(pathCandidates(text, around), expected));
    }
  });
}

describe('paths of a server elsewhere', () => {
  const posixRemote = { ...posix, cwd: undefined };
  const windowsRemote = { ...windows, cwd: undefined };
  it('leaves relative ones open', () => {
    assert.equal(pathCandidates('a', posixRemote), undefined);
    assert.deepEqual(pathCandidates('/a', posixRemote), ['/a']);
    assert.equal(pathCandidates('a', windowsRemote), undefined);
    assert.equal(pathCandidates('\\a', windowsRemote), undefined);
    assert.deepEqual(pathCandidates('C:\\a', windowsRemote), ['C:\\a']);
  });
});
