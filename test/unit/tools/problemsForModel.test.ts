import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { modelSchema } from '../../../src/tools/modelSchema.ts';
import { problemsForModel } from '../../../src/tools/problemsForModel.ts';
import { SchemaChecker } from '../../../src/tools/schemaChecker.ts';
import { problemText } from '../../../src/tools/schemaProblems.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const long = 'x y '.repeat(60);
const schema: JsonObject = {
  type: 'object',
  properties: {
    'file name': { type: 'string' },
    'file name2': {
      type: 'object',
      properties: { 'file name': { type: 'string' } },
      required: ['file name'],
    },
    'a/b~c': { type: 'array', items: { type: 'integer' } },
    $x: { type: 'integer' },
    plain: { type: 'string' },
    [long]: { type: 'string' },
  },
  required: ['file name'],
};
const model = modelSchema(schema);
assert.ok(model.kind === 'ready');
const nameOf = new Map(Array.from(model.renamed, ([name, original]) => [original, name]));
const called = (original: string): string => nameOf.get(original) ?? `no other name for ${original}`;
const ok = { 'file name': 'a' };

const rows: readonly (readonly [title: string, args: JsonObject, text: string])[] = [
  [
    'one that is missing',
    {},
    `the arguments lacks the required property "${called('file name')}" (the tool's own name: "file name")`,
  ],
  [
    'one that is wrong',
    { 'file name': 1 },
    `${called('file name')} (the tool's own name: "file name") must be a string, but is a number (1)`,
  ],
  [
    'what is inside another keeps its name',
    { ...ok, 'file name2': {} },
    `${called('file name2')} (the tool's own name: "file name2") lacks the required property "file name"`,
  ],
  [
    'one with the signs of a pointer, and a place in it',
    { ...ok, 'a/b~c': [1, 'x'] },
    `${called('a/b~c')}[1] (the tool's own name: "a/b~c") must be an integer, but is a string ("x")`,
  ],
  ['a plain one', { ...ok, plain: 1 }, 'plain must be a string, but is a number (1)'],
  [
    'one that looks plain in a path',
    { ...ok, $x: 'a' },
    `${called('$x')} (the tool's own name: "$x") must be an integer, but is a string ("a")`,
  ],
];

describe('what is wrong with arguments, for a model', () => {
  for (const [title, args, text] of rows) {
    it(title, async () => {
      const verdict = await new SchemaChecker().check(schema, args);
      assert.ok(verdict.kind === 'invalid');
      assert.equal(problemText(problemsForModel(verdict.problems, model), 'the arguments'), text);
    });
  }

  it('a very long name is cut', async () => {
    const verdict = await new SchemaChecker().check(schema, { ...ok, [long]: 1 });
    assert.ok(verdict.kind === 'invalid');
    const text = problemText(problemsForModel(verdict.problems, model), 'the arguments');
    assert.ok(text.startsWith(`${called(long)} (the tool's own name: "x y x y`), text);
    assert.ok(text.length < 400);
  });
});
