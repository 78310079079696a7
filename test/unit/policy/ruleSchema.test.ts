import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { isJsonObject } from '../../../src/base/json.ts';
import { parseRules } from '../../../src/policy/ruleParser.ts';
import { policySettings } from '../../../src/policy/ruleSchema.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

function manifestSettings(): Record<string, unknown> {
  const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  return manifest.contributes.configuration.properties;
}

function settingSchema(name: string): {
  readonly items: object;
  readonly examples: readonly (readonly unknown[])[];
} {
  const schema = policySettings[name];
  assert.ok(isJsonObject(schema) && isJsonObject(schema['items']) && Array.isArray(schema['examples']));
  return { items: schema['items'], examples: schema['examples'] };
}

describe('the manifest', () => {
  for (const [name, schema] of Object.entries(policySettings)) {
    it(`holds ${name} as the source does`, () => assert.deepEqual(manifestSettings()[name], schema));
  }
});

describe('the schema of rules', () => {
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, keywords: ['markdownDescription', 'scope'] });
  const validUser = ajv.compile(settingSchema('countersign.rules').items);
  const validWorkspace = ajv.compile(settingSchema('countersign.workspaceRules').items);
  const base = { server: 'github', tool: '*' };
  const rows: readonly (readonly [name: string, rule: unknown])[] = [
    ['the least', { ...base, decision: 'ask' }],
    ['no tool', { server: 'github', decision: 'ask' }],
    ['empty server', { server: '', tool: '*', decision: 'ask' }],
    ['unknown decision', { ...base, decision: 'maybe' }],
    ['unknown key', { ...base, decision: 'deny', arg: {} }],
    ['caller', { ...base, decision: 'deny', caller: 'chat' }],
    ['callers', { ...base, decision: 'deny', caller: ['chat', 'bridge'] }],
    ['no callers', { ...base, decision: 'deny', caller: [] }],
    ['unknown caller', { ...base, decision: 'deny', caller: 'me' }],
    ['claims', { ...base, decision: 'deny', claims: { destructiveHint: true } }],
    ['claim that is none', { ...base, decision: 'deny', claims: { safe: true } }],
    ['condition', { ...base, decision: 'deny', args: { a: { equals: null }, b: { oneOf: [1] } } }],
    [
      'glob and glob list',
      { ...base, decision: 'deny', args: { a: { glob: 'x' }, b: { glob: ['x', 'y'] } } },
    ],
    ['empty condition', { ...base, decision: 'deny', args: { a: {} } }],
    ['bare value as condition', { ...base, decision: 'deny', args: { a: 'x' } }],
    ['empty oneOf', { ...base, decision: 'deny', args: { a: { oneOf: [] } } }],
    ['unknown condition', { ...base, decision: 'deny', args: { a: { like: 'x' } } }],
    ['negative length', { ...base, decision: 'deny', args: { a: { maxLength: -1 } } }],
    ['length', { ...base, decision: 'deny', args: { a: { maxLength: 0 } } }],
    ['day', { ...base, decision: 'deny', until: '2027-01-31' }],
    ['time', { ...base, decision: 'deny', until: '2027-01-31T10:00:00+02:00' }],
    ['no date', { ...base, decision: 'deny', until: 'tomorrow' }],
    ['review', { ...base, decision: 'ask', reviewResult: true }],
    ['review that is none', { ...base, decision: 'ask', reviewResult: 'yes' }],
    ['reason', { ...base, decision: 'ask', reason: 'because' }],
    ['reason too long', { ...base, decision: 'ask', reason: 'x'.repeat(1001) }],
    ['no object', 'deny'],
  ];
  for (const [name, rule] of rows) {
    it(`agrees with the parser: ${name}`, () => {
      const parsed = parseRules([rule], 'user');
      assert.equal(validUser(rule), parsed.rules.length === 1);
    });
  }
  it('lets a workspace only ask and deny', () => {
    assert.equal(validWorkspace({ ...base, decision: 'allow' }), false);
    assert.equal(validWorkspace({ ...base, decision: 'deny' }), true);
  });
  for (const [name, origin] of [
    ['countersign.rules', 'user'],
    ['countersign.workspaceRules', 'workspace'],
  ] as const) {
    it(`shows examples that hold: ${name}`, () => {
      for (const example of settingSchema(name).examples)
        assert.deepEqual(parseRules(example, origin).problems, []);
    });
  }
});
