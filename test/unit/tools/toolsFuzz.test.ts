import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isJsonObject, type JsonObject } from '../../../src/base/json.ts';
import type { ContentBlock } from '../../../src/protocol/model.ts';
import { Catalogue } from '../../../src/tools/catalogue.ts';
import { checkResult } from '../../../src/tools/checkResult.ts';
import { exposeTools, offeredEntries } from '../../../src/tools/exposedTools.ts';
import { readCall, readResult, readSearch } from '../../../src/tools/hostTools.ts';
import { modelSchema } from '../../../src/tools/modelSchema.ts';
import { resultForModel } from '../../../src/tools/resultForModel.ts';
import { ResultStore } from '../../../src/tools/resultStore.ts';
import { SchemaChecker } from '../../../src/tools/schemaChecker.ts';
import { planSchema } from '../../../src/tools/schemaPlan.ts';
import { ToolSearch } from '../../../src/tools/toolSearch.ts';
import { describe, it } from '../../helpers/nodeTest.ts';
import { memoryStore, toolFrom } from './toolSamples.ts';

/*
 * Whatever a server sends, as long as it is JSON: never a throw, always an answer. The keywords and names are those
 * that the code looks at, so that the values end up where they hurt.
 */

const keywords =
  'type properties items required enum const $ref $id $schema $defs anyOf allOf oneOf not pattern format default ' +
  'additionalProperties patternProperties prefixItems minimum exclusiveMinimum $dynamicRef $dynamicAnchor $anchor ' +
  '$async id nullable title name description inputSchema outputSchema annotations __proto__ constructor toString ' +
  '# #/properties/a #/__proto__ #/constructor object string http://json-schema.org/draft-07/schema# (a+)+$ (?i)x [ ' +
  'length hasOwnProperty valueOf';
const words = [...keywords.split(' '), '', '\ud83d'];
const word = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...words) },
  { weight: 1, arbitrary: fc.string() },
);
const { anything } = fc.letrec<{ anything: unknown }>((tie) => ({
  anything: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(word, fc.double({ noNaN: true }), fc.boolean(), fc.constant(null), fc.integer()),
    fc.array(tie('anything'), { maxLength: 4 }),
    fc.dictionary(word, tie('anything'), { maxKeys: 5 }),
  ),
}));
/** As it comes from the wire: parsed, with the usual prototype and own `__proto__` members. */
const json = anything.map((value): unknown => JSON.parse(JSON.stringify(value)));
const object = fc
  .dictionary(word, anything, { maxKeys: 6 })
  .map((value): JsonObject => JSON.parse(JSON.stringify(value)));

const runs = { numRuns: 300 };

describe('anything as a tool', () => {
  it('never throws out of the catalogue, and every set-aside has a reason', async () => {
    const definitions = fc.array(
      fc.tuple(word, object, object, object).map(([name, inputSchema, outputSchema, rest]) => ({
        ...rest,
        name,
        inputSchema,
        outputSchema,
      })),
      { maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(definitions, word, async (list, query) => {
        const catalogue = new Catalogue({ enabled: memoryStore(), checker: new SchemaChecker() });
        await catalogue.setServerTools('s', { tools: list.map(toolFrom), rejected: [] });
        assert.equal(catalogue.entries.length, list.length);
        for (const entry of catalogue.entries) {
          if (entry.state.kind === 'setAside') assert.notEqual(entry.state.reason.trim(), '');
          if (entry.isAddressable) assert.equal(catalogue.resolve(entry.modelName), entry);
        }
        await exposeTools(catalogue.entries);
        await new ToolSearch().search(offeredEntries(catalogue.entries), query, 5);
      }),
      { numRuns: 150 },
    );
  });
});

describe('anything as a schema', () => {
  it('is planned, and simplified for a model, without a throw', () => {
    fc.assert(
      fc.property(object, (schema) => {
        planSchema(schema);
        const model = modelSchema(schema);
        if (model.kind === 'ready') assert.ok(isJsonObject(model.schema['properties']));
      }),
      { numRuns: 1000 },
    );
  });

  it('gives a verdict for any value', async () => {
    const checker = new SchemaChecker();
    await fc.assert(
      fc.asyncProperty(object, json, async (schema, value) => {
        const verdict = await checker.check(schema, value);
        if (verdict.kind === 'refused') assert.notEqual(verdict.reason.trim(), '');
        if (verdict.kind === 'invalid')
          assert.ok(verdict.problems.length > 0 && verdict.problems.length <= 10);
      }),
      runs,
    );
  });
});

describe('anything as a result', () => {
  const annotations = fc.option(fc.record({ priority: fc.double(), lastModified: word }), { nil: undefined });
  const block = fc
    .tuple(
      fc.oneof(
        fc.record({ type: fc.constant('text' as const), text: word }),
        fc.record({
          type: fc.constantFrom('image' as const, 'audio' as const),
          data: fc.oneof(word, fc.base64String()),
          mimeType: fc.oneof(word, fc.constantFrom('image/png', 'audio/wav', 'image/svg+xml')),
        }),
        fc.record({ type: fc.constant('resource_link' as const), uri: word, name: word }),
        fc.record({
          type: fc.constant('resource' as const),
          resource: fc.record({ uri: word, blob: fc.base64String() }),
        }),
        fc.record({ type: fc.constant('unknown' as const), claimedType: word, raw: object }),
      ),
      annotations,
    )
    .map(([content, notes]): ContentBlock =>
      notes === undefined ? content : { ...content, annotations: notes },
    );

  it('is checked and written for the model without a throw', async () => {
    const checker = new SchemaChecker();
    await fc.assert(
      fc.asyncProperty(
        fc.array(block),
        fc.option(object, { nil: undefined }),
        object,
        fc.boolean(),
        async (content, outputSchema, structuredContent, isError) => {
          const tool = outputSchema === undefined ? {} : { outputSchema };
          const checked = await checkResult(tool, { content, structuredContent, isError }, checker);
          assert.equal(checked.blocks.length, content.length);
          const { parts } = await resultForModel(checked, new ResultStore(), 'me');
          assert.ok(parts.length > 0);
          for (const part of parts) if (part.kind === 'text') assert.ok(part.text.isWellFormed());
        },
      ),
      runs,
    );
  });

  it('survives structured content that no stack can hold', async () => {
    const deep: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    assert.ok(Array.isArray(deep));
    const checked = await checkResult(
      { outputSchema: {} },
      { content: [{ type: 'text', text: 'x' }], structuredContent: deep, isError: false },
      new SchemaChecker(),
    );
    const { parts } = await resultForModel(checked, new ResultStore(), 'me');
    const [part] = parts;
    assert.match(
      part?.kind === 'text' ? part.text : '',
      /^\[The structured content could not be checked: The value has more than 1000 levels of nesting\.\]\n\nx\n\nStructured content:\n\[{1000,}\]*\n\[Cut: characters \d+ to (\d+) of \1 are left out here\./,
    );
  });
});

describe('anything for our own tools', () => {
  it('is answered', () => {
    fc.assert(
      fc.property(json, (input) => {
        readSearch(input);
        readCall(input);
        readResult(new ResultStore(), 'me', input);
      }),
      runs,
    );
  });
});
