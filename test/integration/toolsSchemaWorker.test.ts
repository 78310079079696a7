import assert from 'node:assert/strict';
import * as nodeTest from 'node:test';
import type { JsonObject } from '../../src/base/json.ts';
import { Catalogue, type CatalogueChange } from '../../src/tools/catalogue.ts';
import { SchemaChecker } from '../../src/tools/schemaChecker.ts';
import { describe, it } from '../helpers/nodeTest.ts';
import { makeTool, memoryStore } from '../unit/tools/toolSamples.ts';

const workerUrl = new URL('../../src/tools/schemaWorker.ts', import.meta.url);

function property(schema: JsonObject): JsonObject {
  return { type: 'object', properties: { a: schema } };
}

/** A schema of few words whose check doubles at each of so many steps. */
function doubling(keyword: string, steps: number): JsonObject {
  const definitions = Array.from({ length: steps }, (_, index): [string, JsonObject] => {
    const next = { $ref: `#/$defs/d${index + 1}` };
    return [`d${index}`, { [keyword]: [next, next] }];
  });
  return {
    $ref: '#/$defs/d0',
    $defs: { ...Object.fromEntries(definitions), [`d${steps}`]: { type: 'object' } },
  };
}

const LATE_VALUE = 'The value could not be checked within 150 milliseconds.';
const LATE_SCHEMA = 'The schema could not be checked within 500 milliseconds.';

const hostile: readonly (readonly [
  title: string,
  schema: JsonObject,
  value: unknown,
  reason: string | undefined,
])[] = [
  ['a nested repetition', property({ pattern: '^(a+)+$' }), { a: `${'a'.repeat(40)}!` }, LATE_VALUE],
  ['an ambiguous choice', property({ pattern: '^(a|a)*$' }), { a: `${'a'.repeat(40)}!` }, LATE_VALUE],
  [
    'a long text for many repetitions',
    property({ pattern: '^a*a*a*a*b$' }),
    { a: 'a'.repeat(5000) },
    LATE_VALUE,
  ],
  [
    'a hostile name pattern',
    { patternProperties: { '^(a+)+$': {} } },
    { [`${'a'.repeat(40)}!`]: 1 },
    LATE_VALUE,
  ],
  ['an allOf bomb', doubling('allOf', 40), {}, LATE_VALUE],
  ['a oneOf bomb', doubling('oneOf', 40), {}, LATE_VALUE],
  [
    'a recursion that doubles',
    { allOf: [property({ $ref: '#' }), property({ $ref: '#' })] },
    Array.from({ length: 60 }).reduce<JsonObject>((inner) => ({ a: inner }), {}),
    LATE_VALUE,
  ],
  [
    'many large parts',
    {
      allOf: Array.from({ length: 5000 }, (_, index) => ({
        properties: { [`p${index}`]: { type: 'string' } },
      })),
    },
    {},
    LATE_SCHEMA,
  ],
  ['a circle', { $ref: '#' }, {}, 'The value or the schema goes too deep to be checked.'],
  [
    'a reference to another document',
    property({ $ref: 'http://127.0.0.1:1/schema.json' }),
    {},
    'The reference "http://127.0.0.1:1/schema.json" leads nowhere; other documents are never fetched.',
  ],
  [
    'an enormous enum',
    property({ enum: Array.from({ length: 40_000 }, (_, index) => index) }),
    { a: 39_999 },
    undefined,
  ],
  [
    'a dynamic reference',
    { $dynamicAnchor: 'node', properties: { a: { $dynamicRef: '#node' } } },
    { a: {} },
    undefined,
  ],
  [
    'an anchor',
    { properties: { a: { $ref: '#x' } }, $defs: { x: { $anchor: 'x', type: 'string' } } },
    { a: 'x' },
    undefined,
  ],
  ['a tree', { type: 'object', properties: { a: { items: { $ref: '#' } } } }, { a: [{ a: [] }] }, undefined],
];

describe('schemas that may take long', () => {
  // Each is hasty in one step only, so that a busy machine cannot end the other one early.
  const hastyWithSchemas = new SchemaChecker({ workerUrl, compileMs: 500, checkMs: 60_000 });
  const hastyWithValues = new SchemaChecker({ workerUrl, compileMs: 60_000, checkMs: 150 });
  const checker = new SchemaChecker({ workerUrl });
  nodeTest.after(() => {
    hastyWithSchemas.dispose();
    hastyWithValues.dispose();
    checker.dispose();
  });

  for (const [title, schema, value, reason] of hostile) {
    it(`${title} never holds the host's thread`, async () => {
      let isOver = false;
      let turns = 0;
      const count = (): void => {
        turns += 1;
        if (!isOver) setTimeout(count, 1);
      };
      count();
      const isLate = reason === LATE_VALUE || reason === LATE_SCHEMA;
      const hasty = reason === LATE_SCHEMA ? hastyWithSchemas : hastyWithValues;
      const verdict = await (isLate ? hasty : checker).check(schema, value);
      isOver = true;
      assert.deepEqual(verdict, reason === undefined ? { kind: 'valid' } : { kind: 'refused', reason });
      if (isLate) assert.ok(turns > 1);
    });
  }

  it('goes on after all of them, with a description of what is wrong', async () => {
    const tree = { type: 'object', properties: { a: { type: 'array', items: { $ref: '#' } } } };
    assert.deepEqual(await checker.check(tree, { a: [{}, { a: 1 }] }), {
      kind: 'invalid',
      problems: [
        { path: 'a[1].a', message: 'must be an array, but is a number (1)', wish: 'must be an array' },
      ],
    });
  });

  it('answers several at once, each for itself', async () => {
    const good = { properties: { a: { $ref: '#' } }, additionalProperties: false };
    const verdicts = await Promise.all([
      checker.check(property({ pattern: '^(b+)+$' }), { a: `${'b'.repeat(40)}!` }),
      checker.check(good, { a: { a: {} } }),
      checker.check(good, { a: { b: {} } }),
    ]);
    assert.deepEqual(
      verdicts.map(({ kind }) => kind),
      ['refused', 'valid', 'invalid'],
    );
  });

  it('lets go of a caller who no longer waits', async () => {
    const stop = new AbortController();
    const check = checker.check(property({ pattern: '^(c+)+$' }), { a: `${'c'.repeat(40)}!` }, stop.signal);
    stop.abort();
    await assert.rejects(check, { code: 'cancelled' });
  });

  it('says why when the worker cannot be started', async () => {
    const broken = new SchemaChecker({ workerUrl: new URL('./nothing-here.ts', import.meta.url) });
    const verdict = await broken.check({ $ref: '#' }, {});
    broken.dispose();
    assert.ok(verdict.kind === 'refused' && verdict.reason.startsWith('The schema could not be checked. '));
  });

  it('ends what waits when it is disposed', async () => {
    const ended = new SchemaChecker({ workerUrl });
    const check = ended.check({ $ref: '#' }, {});
    // The request is on its way after a turn.
    await Promise.resolve();
    ended.dispose();
    assert.deepEqual(await check, {
      kind: 'refused',
      reason: 'The schema could not be checked. Schema checks have ended.',
    });
  });
});

describe('a catalogue with a worker', () => {
  it('sets a tool aside once its schema proves unusable, and announces it', async () => {
    const checker = new SchemaChecker({ workerUrl });
    const catalogue = new Catalogue({ enabled: memoryStore(), checker });
    const later = new Promise<CatalogueChange>((resolve) => {
      catalogue.onDidChange((change) => {
        if (change.changed.length > 0) resolve(change);
      });
    });
    const nowhere = { inputSchema: property({ $ref: '#/$defs/missing' }) };
    await catalogue.setServerTools('s', {
      tools: [makeTool('good'), makeTool('bad', nowhere)],
      rejected: [],
    });
    assert.deepEqual(
      catalogue.entries.map((entry) => entry.state.kind),
      ['usable', 'usable'],
    );
    const change = await later;
    assert.deepEqual(
      change.changed.map(({ after }) => [after.modelName, after.state]),
      [
        [
          's_bad',
          {
            kind: 'setAside',
            reason:
              'Input schema: The reference "#/$defs/missing" leads nowhere; other documents are never fetched.',
          },
        ],
      ],
    );
    assert.equal(catalogue.resolve('s_bad'), change.changed[0]?.after);
    checker.dispose();
  });
});
