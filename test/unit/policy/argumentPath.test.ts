import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { HostError } from '../../../src/base/errors.ts';
import { parseArgumentPath, selectValues } from '../../../src/policy/argumentPath.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const args: JsonObject = {
  repo: 'acme/site',
  issue: { title: 'T', labels: ['a', 'b'] },
  files: [{ path: 'x' }, { path: 'y', mode: 1 }, 'z'],
  'odd.name': 1,
  'a/b~c': 2,
  '': 3,
  'ключ-1': 4,
};

describe('argument paths', () => {
  const rows: readonly (readonly [path: string, values: readonly unknown[]])[] = [
    ['repo', ['acme/site']],
    ['missing', []],
    ['issue.title', ['T']],
    ['issue.labels', [['a', 'b']]],
    ['issue.labels[1]', ['b']],
    ['issue.labels.1', ['b']],
    ['issue.labels[2]', []],
    ['issue.labels[*]', ['a', 'b']],
    ['issue.labels.*', ['a', 'b']],
    ['files[*].path', ['x', 'y']],
    ['files.0.path', ['x']],
    ['files.**', ['z', 1, 'y', 'x']],
    ['/odd.name', [1]],
    ['/a~1b~0c', [2]],
    ['/', [3]],
    ['/issue/title', ['T']],
    ['ключ-1', [4]],
    ['repo.length', []],
    ['issue.labels.length', []],
    ['__proto__', []],
    ['constructor', []],
    ['issue.toString', []],
  ];
  for (const [path, values] of rows) {
    it(`finds ${path}`, () => {
      assert.deepEqual(selectValues(args, parseArgumentPath(path)), { values, complete: true });
    });
  }

  it('finds a member that is called like the prototype', () => {
    const own: JsonObject = JSON.parse('{"__proto__": "x"}');
    assert.deepEqual(selectValues(own, parseArgumentPath('__proto__')).values, ['x']);
  });

  it('says when there was too much to look at', () => {
    const many: JsonObject = { a: Array.from({ length: 30_000 }, (_, index) => index) };
    assert.equal(selectValues(many, parseArgumentPath('a[*]')).complete, false);
    assert.equal(selectValues(many, parseArgumentPath('**')).complete, false);
  });

  it('is not exhausted by depth', () => {
    let deep: JsonObject = { x: 1 };
    for (let level = 0; level < 15_000; level += 1) deep = { x: deep };
    assert.deepEqual(selectValues(deep, parseArgumentPath('**')), { values: [1], complete: true });
  });

  for (const wrong of [
    '',
    '.',
    'a.',
    '.a',
    'a..b',
    'a[',
    'a[x]',
    'a[-1]',
    '[0]',
    'a]',
    'a[0',
    'a b[*]c',
    '***',
  ]) {
    it(`refuses ${JSON.stringify(wrong)}`, () => {
      assert.throws(
        () => parseArgumentPath(wrong),
        (error) => error instanceof HostError && error.code === 'invalidConfiguration',
      );
    });
  }
});
