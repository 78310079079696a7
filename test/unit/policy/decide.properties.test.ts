import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isJsonObject } from '../../../src/base/json.ts';
import { decide } from '../../../src/policy/decide.ts';
import type { Decision } from '../../../src/policy/decision.ts';
import { GrantIndex } from '../../../src/policy/grantIndex.ts';
import { parseManagedPolicy } from '../../../src/policy/managedPolicy.ts';
import { type Policy, type PolicySources, compilePolicy } from '../../../src/policy/policy.ts';
import { describe, it } from '../../helpers/nodeTest.ts';
import { anyCall, anyGrant, anyGrants, anyRule, anyRules, claimRules, plainRule } from './arbitraries.ts';

const strength = { allow: 0, ask: 1, deny: 2 } as const;

function isAtLeast(after: Decision, before: Decision): boolean {
  return strength[after.kind] >= strength[before.kind];
}

function policyOf(
  user: readonly unknown[],
  workspace: readonly unknown[] = [],
  more: Partial<PolicySources> = {},
): Policy {
  return compilePolicy({ user, workspace: [{ source: '', value: workspace }], ...more });
}

/** A list with an entry put in anywhere. */
const inserted = fc.tuple(anyRules, fc.oneof(anyRule, plainRule), fc.nat(5)).map(([rules, rule, at]) => {
  const place = Math.min(at, rules.length);
  return { rules, rule, with: [...rules.slice(0, place), rule, ...rules.slice(place)] };
});
const deny = fc.oneof(anyRule, plainRule).map((rule) => {
  return isJsonObject(rule) ? { ...rule, decision: 'deny' } : rule;
});

describe('decide: what holds for all rules, grants and calls', () => {
  it('the rules, grants and calls made here end in all three ways', () => {
    const kinds = fc
      .sample(fc.tuple(anyRules, anyRules, anyGrants, anyCall), { numRuns: 1000, seed: 1 })
      .map(
        ([user, workspace, grants, call]) =>
          decide(call, policyOf(user, workspace), new GrantIndex(grants)).kind,
      );
    for (const kind of ['allow', 'ask', 'deny'] as const) {
      assert.ok(kinds.filter((one) => one === kind).length > 30, kind);
    }
  });

  it('adding a workspace rule never loosens', () => {
    fc.assert(
      fc.property(anyRules, inserted, anyGrants, anyCall, (user, workspace, grants, call) => {
        const index = new GrantIndex(grants);
        const before = decide(call, policyOf(user, workspace.rules), index);
        const after = decide(call, policyOf(user, workspace.with), index);
        assert.ok(isAtLeast(after, before));
      }),
      { numRuns: 1000 },
    );
  });

  it('whatever a workspace says, what was not allowed without it is not allowed with it', () => {
    fc.assert(
      fc.property(
        anyRules,
        fc.oneof(anyRules, fc.anything()),
        anyGrants,
        anyCall,
        (user, value, grants, call) => {
          const index = new GrantIndex(grants);
          const before = decide(call, compilePolicy({ user, workspace: [] }), index);
          const after = decide(call, compilePolicy({ user, workspace: [{ source: '', value }] }), index);
          assert.ok(isAtLeast(after, before));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('adding a deny never allows', () => {
    fc.assert(
      fc.property(anyRules, deny, anyRules, anyGrants, anyCall, (user, rule, workspace, grants, call) => {
        const index = new GrantIndex(grants);
        const before = decide(call, policyOf(user, workspace), index);
        const after = decide(call, policyOf([...user, rule], workspace), index);
        assert.ok(isAtLeast(after, before));
      }),
      { numRuns: 1000 },
    );
  });

  it("the machine's policy never loosens", () => {
    const content = fc.oneof(
      fc.record({ rules: anyRules }).map((value) => JSON.stringify(value)),
      fc.constantFrom('{', '{"servers":{"allow":["github"]}}', '{"limits":{"callsPerTurn":5000}}', '{"x":1}'),
    );
    fc.assert(
      fc.property(anyRules, content, anyGrants, anyCall, (user, text, grants, call) => {
        const index = new GrantIndex(grants);
        const before = decide(call, policyOf(user), index);
        const after = decide(call, policyOf(user, [], { managed: parseManagedPolicy(text, '') }), index);
        assert.ok(isAtLeast(after, before));
      }),
      { numRuns: 500 },
    );
  });

  it('changing a pin never allows', () => {
    const pin = fc.constantFrom('tool', 'launch');
    fc.assert(
      fc.property(anyRules, anyGrant, anyGrants, pin, anyCall, (user, grant, others, which, call) => {
        const policy = policyOf(user);
        const changed = { ...grant, pins: { ...grant.pins, [which]: 'sha256:never' } };
        const before = decide(call, policy, new GrantIndex([grant, ...others]));
        const after = decide(call, policy, new GrantIndex([changed, ...others]));
        // Only another grant or rule may still allow it, and it would have before.
        if (after.kind === 'allow') {
          assert.equal(before.kind, 'allow');
          assert.ok(after.reason.kind === 'rule' || after.reason.grant.id !== grant.id);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('a changed tool or launch is not allowed by grants alone', () => {
    fc.assert(
      fc.property(
        anyGrants,
        fc.constantFrom('toolFingerprint', 'launchFingerprint'),
        anyCall,
        (grants, which, call) => {
          const changed = { ...call, [which]: 'sha256:never' };
          assert.notEqual(decide(changed, policyOf([]), new GrantIndex(grants)).kind, 'allow');
        },
      ),
    );
  });

  it('the order of rules does not matter', () => {
    fc.assert(
      fc.property(anyRules, anyRules, anyGrants, anyCall, (user, workspace, grants, call) => {
        const index = new GrantIndex(grants);
        const forward = decide(call, policyOf(user, workspace), index);
        const backward = decide(call, policyOf(user.toReversed(), workspace.toReversed()), index);
        assert.equal(forward.kind, backward.kind);
      }),
      { numRuns: 500 },
    );
  });

  it('an allow always has a rule of the user or a grant with both pins behind it', () => {
    fc.assert(
      fc.property(anyRules, anyRules, anyGrants, anyCall, (user, workspace, grants, call) => {
        const decision = decide(call, policyOf(user, workspace), new GrantIndex(grants));
        if (decision.kind !== 'allow') return;
        if (decision.reason.kind === 'rule') assert.equal(decision.reason.rule.origin, 'user');
        else {
          const { pins } = decision.reason.grant;
          assert.deepEqual({ ...pins }, { tool: call.toolFingerprint, launch: call.launchFingerprint });
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('a hint of a server that is not trusted never loosens', () => {
    const hints = fc.record(
      {
        readOnlyHint: fc.boolean(),
        destructiveHint: fc.boolean(),
        idempotentHint: fc.boolean(),
        openWorldHint: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(anyRules, claimRules, hints, anyCall, (rules, claiming, annotations, call) => {
        const user = [...rules, ...claiming];
        const index = new GrantIndex([]);
        const untrusted = { ...call, serverTrusted: false };
        // Allowed with any claims means allowed whatever is claimed.
        const silent = decide({ ...untrusted, annotations: undefined }, policyOf(user), index);
        const claimed = decide({ ...untrusted, annotations }, policyOf(user), index);
        assert.equal(silent.kind === 'allow', claimed.kind === 'allow');
      }),
      { numRuns: 500 },
    );
  });

  it('never throws, whatever stands in the settings', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.string(), anyCall, (user, value, text, call) => {
        const managed = parseManagedPolicy(text, '');
        const policy = compilePolicy({ user, workspace: [{ source: '', value }], managed });
        assert.ok(decide(call, policy, new GrantIndex([])).kind !== 'allow');
      }),
    );
  });
});
