import assert from 'node:assert/strict';
import { problemText, ruleLabel } from '../../../src/policy/rule.ts';
import { parseRules } from '../../../src/policy/ruleParser.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const base = { server: 'github', tool: '*', decision: 'deny' };

describe('parseRules', () => {
  it('reads a whole rule', () => {
    const rule = {
      server: 'files',
      tool: 'write_*',
      caller: ['chat', 'bridge'],
      args: { path: { within: '~/notes', maxLength: 100 }, mode: { oneOf: ['a', 1], glob: ['x', 'y'] } },
      claims: { readOnlyHint: false },
      decision: 'allow',
      reason: 'notes',
      until: '2027-01-31T00:00:00Z',
      reviewResult: true,
    };
    assert.deepEqual(parseRules([rule], 'user', 'file'), {
      rules: [
        {
          ref: { origin: 'user', source: 'file', index: 0 },
          server: 'files',
          tool: 'write_*',
          callers: ['chat', 'bridge'],
          args: {
            path: { within: ['~/notes'], maxLength: 100 },
            mode: { oneOf: ['a', 1], glob: ['x', 'y'] },
          },
          claims: { readOnlyHint: false },
          decision: 'allow',
          reason: 'notes',
          until: Date.parse('2027-01-31T00:00:00Z'),
          reviewResult: true,
        },
      ],
      broken: [],
      problems: [],
    });
  });

  it('takes a day as the whole of it, by the local clock', () => {
    const [rule] = parseRules([{ ...base, until: '2027-01-31' }], 'user').rules;
    assert.equal(rule?.until, new Date(2027, 0, 31, 23, 59, 59, 999).getTime());
  });

  it('keeps the names of a broken rule as far as they can be read', () => {
    const ref = { origin: 'user', source: '', index: 0 };
    assert.deepEqual(parseRules([{ server: 'github', tool: '{', decision: 'deny' }], 'user').broken, [
      { ref, server: 'github', tool: '*', mayRestrict: true },
    ]);
    assert.deepEqual(
      parseRules([{ server: 'github', tool: 'x', decision: 'allow', reason: 1 }], 'user').broken,
      [{ ref, server: 'github', tool: 'x', mayRestrict: false }],
    );
  });

  const messages: readonly (readonly [value: unknown, message: string])[] = [
    [{}, 'countersign.rules must be a list of rules, but is {}. Until it is, every call is asked.'],
    [
      Array.from({ length: 5001 }, () => base),
      'countersign.rules holds more than 5000 rules; until it is shorter, every call is asked.',
    ],
    [
      ['x'],
      'countersign.rules[0] must be an object such as {"server": "github", "tool": "*", "decision": "ask"}.',
    ],
    [
      [{ ...base, server: undefined }],
      'countersign.rules[0].server must be a server id or a glob ("*" for all), but is missing.',
    ],
    [
      [{ ...base, tool: 3 }],
      'countersign.rules[0].tool must be a tool name or a glob ("*" for all), but is 3.',
    ],
    [
      [{ ...base, server: '[a' }],
      'countersign.rules[0].server: The glob "[a" has a "[" without its "]"; write "\\[" for the character itself.',
    ],
    [
      [{ ...base, decision: 'maybe' }],
      'countersign.rules[0].decision must be "allow", "ask" or "deny", but is "maybe".',
    ],
    [
      [{ ...base, caller: 'me' }],
      'countersign.rules[0].caller must be one or several of "chat", "languageModelTool", "bridge", "api" or "user", but is "me".',
    ],
    [
      [{ ...base, claims: true }],
      'countersign.rules[0].claims must be an object such as {"readOnlyHint": true}, but is true.',
    ],
    [
      [{ ...base, claims: { readOnlyHint: 1 } }],
      'countersign.rules[0].claims.readOnlyHint must be true or false, but is 1.',
    ],
    [
      [{ ...base, until: '2027-02-31' }],
      'countersign.rules[0].until must be a day or a time such as "2027-01-31" or "2027-01-31T18:00:00Z", but is "2027-02-31".',
    ],
    [
      [{ ...base, reason: 5 }],
      'countersign.rules[0].reason must be a text of at most 1000 characters, but is 5.',
    ],
    [
      [{ ...base, args: [] }],
      'countersign.rules[0].args must be an object such as {"path": {"within": "~/notes"}}, but is [].',
    ],
    [
      [{ ...base, args: { q: 'x' } }],
      'countersign.rules[0].args.q must be a condition such as {"equals": "x"}.',
    ],
    [
      [{ ...base, args: { q: {} } }],
      'countersign.rules[0].args.q must say what the value has to be like; use one of equals, oneOf, glob, matches, within, host, maxLength.',
    ],
    [
      [{ ...base, args: { 'a..b': { equals: 1 } } }],
      'countersign.rules[0].args["a..b"] is not an argument path; write for example "repo", "files[*].path", or "/odd.name" as a JSON Pointer.',
    ],
    [
      [{ ...base, args: { q: { oneOf: 'x' } } }],
      'countersign.rules[0].args.q.oneOf must be a list of 1 to 1000 values, but is "x".',
    ],
    [
      [{ ...base, args: { q: { glob: [1] } } }],
      'countersign.rules[0].args.q.glob must be a text or a list of texts, but is [1].',
    ],
    [
      [{ ...base, args: { q: { host: 'https://x/' } } }],
      'countersign.rules[0].args.q.host must be a host alone, such as "api.example.com": no scheme, port or path.',
    ],
    [
      [{ ...base, args: { q: { within: 'notes' } } }],
      'countersign.rules[0].args.q.within "notes" must be an absolute folder, or begin with "~" or "${workspaceFolder}".',
    ],
    [
      [{ ...base, args: { q: { maxLength: 1.5 } } }],
      'countersign.rules[0].args.q.maxLength must be a whole number from 0 up, but is 1.5.',
    ],
    [
      [{ ...base, args: { q: { matches: 7 } } }],
      'countersign.rules[0].args.q.matches must be a text, but is 7.',
    ],
  ];
  for (const [value, message] of messages) {
    it(`says: ${message.slice(0, 90)}`, () => {
      assert.deepEqual(parseRules(value, 'user').problems.map(problemText), [message]);
    });
  }

  it('reports an allowing rule of a workspace and leaves it out', () => {
    const parsed = parseRules([{ ...base, decision: 'allow' }], 'workspace', 'folder');
    assert.deepEqual(parsed, {
      rules: [],
      broken: [],
      problems: [
        {
          ref: { origin: 'workspace', source: 'folder', index: 0 },
          key: ['decision'],
          severity: 'warning',
          message: 'A workspace can only say "ask" or "deny". This rule is ignored.',
        },
      ],
    });
  });
});

describe('ruleLabel', () => {
  it('names the place of a rule', () => {
    assert.equal(ruleLabel({ origin: 'user', source: '', index: 2 }), 'countersign.rules[2]');
    assert.equal(
      ruleLabel({ origin: 'user', source: 'countersign.limits', index: -1 }),
      'countersign.limits',
    );
    assert.equal(
      ruleLabel({ origin: 'workspace', source: 'file:///ws', index: 0 }),
      'countersign.workspaceRules[0]',
    );
    const source = '/etc/countersign/policy.json';
    assert.equal(
      ruleLabel({ origin: 'managed', source, index: 1 }),
      `rules[1] in this machine's policy (${source})`,
    );
    assert.equal(ruleLabel({ origin: 'managed', source, index: -1 }), `This machine's policy (${source})`);
  });
});
