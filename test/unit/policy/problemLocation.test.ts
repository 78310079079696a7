import assert from 'node:assert/strict';
import { parseManagedPolicy } from '../../../src/policy/managedPolicy.ts';
import { problemLocation } from '../../../src/policy/problemLocation.ts';
import { parseRules } from '../../../src/policy/ruleParser.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const good = { server: 'a', tool: '*', decision: 'deny' };

describe('problemLocation', () => {
  const rows: readonly (readonly [rules: unknown, at: string])[] = [
    [[good, { ...good, decision: 'forbid' }], '"forbid"'],
    [[{ ...good, args: { q: { matches: '(' } } }], '"("'],
    [[{ ...good, args: { '1': { glob: '{' } } }], '{"1":{"glob":"{"}}'],
    [[{ tool: '*', decision: 'deny' }], '{"tool":"*","decision":"deny"}'],
    [['x'], '"x"'],
    [{ a: 1 }, '{"a":1}'],
  ];
  for (const [rules, at] of rows) {
    it(`finds ${at}`, () => {
      const text = `// settings\n{ "x": 1, "countersign.rules": ${JSON.stringify(rules)}, }`;
      const [problem] = parseRules(rules, 'user').problems;
      assert.ok(problem !== undefined);
      const found = problemLocation(text, problem);
      assert.equal(found && text.slice(found.offset, found.offset + found.length), at);
    });
  }

  it('finds rules in a workspace file, and says when there are none', () => {
    const rules = [{ ...good, decision: 'allow' }];
    const text = JSON.stringify({ folders: [], settings: { 'countersign.workspaceRules': rules } });
    const [problem] = parseRules(rules, 'workspace').problems;
    assert.ok(problem !== undefined);
    const found = problemLocation(text, problem, ['settings']);
    assert.equal(found && text.slice(found.offset, found.offset + found.length), '"allow"');
    assert.equal(problemLocation(text, problem), undefined);
    assert.equal(problemLocation('', problem), undefined);
  });

  it("finds what is wrong in the machine's policy", () => {
    const text = '{"servers": {"allow": ["a", {"comand": "x"}]}}';
    const [problem] = parseManagedPolicy(text, '/p').rules.problems;
    assert.ok(problem !== undefined);
    const found = problemLocation(text, problem);
    assert.equal(found && text.slice(found.offset, found.offset + found.length), '{"comand": "x"}');
  });
});
