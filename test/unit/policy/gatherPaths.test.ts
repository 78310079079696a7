import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { type PathPort, gatherPaths } from '../../../src/policy/gatherPaths.ts';
import { nodePaths } from '../../../src/policy/nodePaths.ts';
import { isWithin } from '../../../src/policy/pathFacts.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const workspaceRoot = '${workspaceFolder}';

describe('paths on this machine', () => {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'paths-')));
  after(() => rmSync(base, { recursive: true, force: true }));
  const workspace = path.join(base, 'ws');
  const outside = path.join(base, 'out');
  mkdirSync(path.join(workspace, 'src', 'deep'), { recursive: true });
  mkdirSync(path.join(outside, 'deep'), { recursive: true });
  mkdirSync(path.join(base, 'ws-next'));
  writeFileSync(path.join(workspace, 'a.md'), '');
  writeFileSync(path.join(outside, 'b.md'), '');
  symlinkSync(outside, path.join(workspace, 'away'));
  symlinkSync(path.join(outside, 'deep'), path.join(workspace, 'deep-away'));
  symlinkSync(path.join(outside, 'none-yet'), path.join(workspace, 'dangling'));
  symlinkSync('loop', path.join(workspace, 'loop'));
  symlinkSync(path.join(workspace, 'src'), path.join(outside, 'back'));
  symlinkSync(workspace, path.join(base, 'ws-link'));

  const rows: readonly (readonly [text: string, strict: string, generous: string])[] = [
    ['a.md', 'yes', 'yes'],
    ['./src/../a.md', 'yes', 'yes'],
    ['', 'unsure', 'unsure'],
    ['.', 'yes', 'yes'],
    [workspace, 'yes', 'yes'],
    [`${workspace}/`, 'yes', 'yes'],
    [`${workspace}//src///x`, 'yes', 'yes'],
    ['new/file/of/several/folders', 'yes', 'yes'],
    ['a.md/x', 'yes', 'yes'],
    ['..', 'no', 'no'],
    ['../ws-next/a', 'no', 'no'],
    ['../out/b.md', 'no', 'no'],
    ['/etc/passwd', 'no', 'no'],
    ['/', 'no', 'no'],
    ['away/b.md', 'no', 'yes'],
    ['away/new', 'no', 'yes'],
    ['dangling', 'unsure', 'unsure'],
    ['dangling/x', 'unsure', 'unsure'],
    ['loop', 'unsure', 'unsure'],
    // By the text this is `a.md`; the system goes through the link first and ends outside.
    ['deep-away/../a.md', 'no', 'yes'],
    ['src/../../out/b.md', 'no', 'no'],
    ['none/../../out/b.md', 'no', 'no'],
    ['none/../a.md', 'yes', 'yes'],
    [`${outside}/back/x`, 'yes', 'yes'],
    [`${base}/ws-link/a.md`, 'yes', 'yes'],
    [`file://${workspace}/a.md`, 'yes', 'yes'],
    [`file://${workspace}/%2e%2e/out/b.md`, 'no', 'no'],
    ['%2e%2e/out/b.md', 'no', 'yes'],
    ['..\\out\\b.md', 'no', 'yes'],
    ['~nobody/x', 'unsure', 'unsure'],
    ['$HOME', 'unsure', 'unsure'],
    ['x\0y', 'unsure', 'unsure'],
    ['https://a.test/', 'unsure', 'unsure'],
    ['../'.repeat(250), 'unsure', 'unsure'],
  ];
  for (const [text, strict, generous] of rows) {
    it(JSON.stringify(text.replace(base, '…').slice(0, 50)), async () => {
      const facts = await gatherPaths(nodePaths(), {
        texts: [text],
        roots: [workspaceRoot],
        cwd: workspace,
        workspaceFolders: [{ name: 'ws', path: workspace }],
      });
      assert.equal(isWithin(facts, text, workspaceRoot, 'strict'), strict, 'strict');
      assert.equal(isWithin(facts, text, workspaceRoot, 'generous'), generous, 'generous');
    });
  }

  const roots: readonly (readonly [root: string, text: string, expected: string])[] = [
    [workspace, 'a.md', 'yes'],
    [`${base}/ws-link`, 'a.md', 'yes'],
    [`${base}/ws/`, 'a.md', 'yes'],
    [`${base}/out/../ws`, 'a.md', 'yes'],
    [`${workspaceRoot}/src`, 'src/x', 'yes'],
    [`${workspaceRoot}/src`, 'a.md', 'no'],
    [`${workspaceRoot}:ws`, 'a.md', 'unsure'],
    ['${workspaceFolder:ws}', 'a.md', 'yes'],
    ['${workspaceFolder:other}', 'a.md', 'no'],
    ['${workspaceFolder}/away', 'away/b.md', 'yes'],
    ['/', 'a.md', 'yes'],
    ['C:\\ws', 'a.md', 'unsure'],
    ['relative', 'a.md', 'unsure'],
    ['~', 'a.md', 'no'],
    [`${base}/not/there/yet`, `${base}/not/there/yet/x`, 'yes'],
  ];
  for (const [root, text, expected] of roots) {
    it(`${root.replace(base, '…')} holds ${text.replace(base, '…')}: ${expected}`, async () => {
      const facts = await gatherPaths(nodePaths(), {
        texts: [text],
        roots: [root],
        cwd: workspace,
        workspaceFolders: [{ name: 'ws', path: workspace }],
      });
      assert.equal(isWithin(facts, text, root, 'strict'), expected);
    });
  }

  it('looks in each folder of a multi-root workspace', async () => {
    const facts = await gatherPaths(nodePaths(), {
      texts: [`${outside}/b.md`, '/etc/passwd'],
      roots: [workspaceRoot],
      cwd: workspace,
      workspaceFolders: [
        { name: 'ws', path: workspace },
        { name: 'out', path: outside },
      ],
    });
    assert.equal(isWithin(facts, `${outside}/b.md`, workspaceRoot, 'strict'), 'yes');
    assert.equal(isWithin(facts, '/etc/passwd', workspaceRoot, 'strict'), 'no');
  });

  it('says whether anything on the way exists', async () => {
    const texts = ['/help', '/etc/none', 'a.md'];
    const query = { texts, roots: [], cwd: workspace, workspaceFolders: [] };
    const { places } = await gatherPaths(nodePaths(), query);
    assert.deepEqual(
      texts.map((text) => places.get(text)?.exists),
      [false, true, true],
    );
  });

  it('leaves open what is too much to look at', async () => {
    const texts = Array.from({ length: 600 }, (_, index) => `f${index}`);
    const query = {
      texts,
      roots: [workspaceRoot],
      cwd: workspace,
      workspaceFolders: [{ name: '', path: workspace }],
    };
    const facts = await gatherPaths(nodePaths(), query);
    assert.equal(isWithin(facts, 'f0', workspaceRoot, 'strict'), 'yes');
    assert.equal(isWithin(facts, 'f599', workspaceRoot, 'strict'), 'unsure');
  });
});

/** A disk of Windows or macOS: what exists, in its own spelling; links by where they lead. */
function disk(
  style: 'posix' | 'win32',
  home: string,
  existing: readonly string[],
  links: Record<string, string> = {},
): PathPort & { readonly asked: string[] } {
  const fold = (text: string): string => text.toLowerCase();
  const known = new Map(existing.map((place) => [fold(place), place]));
  const asked: string[] = [];
  return {
    style,
    home,
    caseSensitive: false,
    asked,
    realpath: (place) => {
      asked.push(place);
      const found = links[place] ?? known.get(fold(place));
      return found === undefined
        ? Promise.reject(Object.assign(new Error('not there'), { code: 'ENOENT' }))
        : Promise.resolve(found);
    },
    isLink: () => Promise.resolve(false),
  };
}

describe('paths on Windows', () => {
  const existing = ['C:\\', 'D:\\', 'D:\\Work', 'D:\\Work\\Site', 'D:\\Work\\Site\\src', 'C:\\Users\\Me'];
  const links = { 'D:\\Work\\Site\\jump': 'C:\\Windows', 'D:\\WORK~1\\SITE': 'D:\\Work\\Site' };
  const port = disk('win32', 'C:\\Users\\Me', existing, links);
  const rows: readonly (readonly [text: string, strict: string, generous: string])[] = [
    ['src\\a.ts', 'yes', 'yes'],
    ['SRC/a.ts', 'yes', 'yes'],
    ['d:\\work\\SITE\\x', 'yes', 'yes'],
    ['D:\\Work\\Site', 'yes', 'yes'],
    ['D:\\Work\\Site-next\\x', 'no', 'no'],
    ['..\\x', 'no', 'no'],
    ['C:\\Work\\Site\\x', 'no', 'no'],
    ['\\Work\\Site\\x', 'yes', 'yes'],
    ['jump\\system.ini', 'no', 'yes'],
    ['jump\\..\\x', 'no', 'yes'],
    ['D:\\WORK~1\\SITE\\x', 'yes', 'yes'],
    ['\\\\?\\D:\\Work\\Site\\x', 'yes', 'yes'],
    ['\\\\server\\share\\x', 'no', 'no'],
    ['file:///D:/Work/Site/x', 'yes', 'yes'],
    ['Q:\\x', 'unsure', 'unsure'],
    ['D:x', 'unsure', 'unsure'],
    ['src\\a.ts:hidden', 'unsure', 'unsure'],
    ['src\\a.ts.', 'unsure', 'unsure'],
    ['NUL', 'unsure', 'unsure'],
  ];
  for (const [text, strict, generous] of rows) {
    it(text, async () => {
      const facts = await gatherPaths(port, {
        texts: [text],
        roots: [workspaceRoot],
        cwd: 'D:\\Work\\Site',
        workspaceFolders: [{ name: 'site', path: 'd:\\work\\site' }],
      });
      assert.equal(isWithin(facts, text, workspaceRoot, 'strict'), strict, 'strict');
      assert.equal(isWithin(facts, text, workspaceRoot, 'generous'), generous, 'generous');
    });
  }

  it('never touches a network place that the person does not use', async () => {
    const fresh = disk('win32', 'C:\\Users\\Me', existing);
    const query = { roots: [], cwd: 'D:\\Work\\Site', workspaceFolders: [] };
    await gatherPaths(fresh, {
      ...query,
      texts: ['\\\\evil\\share\\x', '//evil/share', 'file://evil/share/x'],
    });
    assert.deepEqual(fresh.asked, []);
    const shared = disk('win32', 'C:\\Users\\Me', ['\\\\nas\\home\\', '\\\\nas\\home\\me']);
    await gatherPaths(shared, { ...query, cwd: '\\\\nas\\home\\me', texts: ['\\\\NAS\\home\\me'] });
    assert.deepEqual(shared.asked, ['\\\\NAS\\home\\me']);
  });
});

describe('paths on a disk that does not tell cases apart', () => {
  const port = disk('posix', '/Users/me', ['/', '/Users', '/Users/me', '/Users/me/Site']);
  const within = async (root: string, text: string): Promise<readonly string[]> => {
    const query = { texts: [text], roots: [root], cwd: '/Users/me/Site', workspaceFolders: [] };
    const facts = await gatherPaths(port, query);
    return [isWithin(facts, text, root, 'strict'), isWithin(facts, text, root, 'generous')];
  };
  it('finds what exists in whatever case', async () => {
    assert.deepEqual(await within('/users/ME/site', '/USERS/me/SITE/x'), ['yes', 'yes']);
    assert.deepEqual(await within('~/Site', 'x'), ['yes', 'yes']);
  });
  it('compares what does not exist without regard to case', async () => {
    assert.deepEqual(await within('/Users/me/New', '/Users/me/new/x'), ['yes', 'yes']);
    assert.deepEqual(await within('/Users/me/Caf\u00e9', '/Users/me/cafe\u0301/x'), ['yes', 'yes']);
  });
});
