import assert from 'node:assert/strict';
import { allowText, askText, denyText } from '../../../src/policy/reasonText.ts';
import { describe, it } from '../../helpers/nodeTest.ts';
import { someGrant } from './callFacts.ts';

const user = { origin: 'user', source: '', index: 0 } as const;
const workspace = { origin: 'workspace', source: 'file:///ws', index: 1 } as const;
const managed = { origin: 'managed', source: '/etc/countersign/policy.json', index: 2 } as const;

describe('reasons as text', () => {
  const rows: readonly (readonly [text: string, expected: string])[] = [
    [askText({ kind: 'default' }), 'No rule and no grant allows this call.'],
    [
      askText({ kind: 'rule', rule: workspace, text: 'Deployments are announced.' }),
      'countersign.workspaceRules[1] says that this call is asked. Reason given: Deployments are announced.',
    ],
    [
      askText({ kind: 'doubtfulRule', rule: user, text: undefined }),
      'countersign.rules[0] may concern this call, but that cannot be told for certain.',
    ],
    [
      askText({ kind: 'brokenRule', rule: user }),
      'countersign.rules[0] has an error and may have been meant to keep this call from running.',
    ],
    [
      askText({ kind: 'suspendedGrant' }),
      'You allowed this tool before, but it or its server has changed since.',
    ],
    [
      askText({
        kind: 'limit',
        exceeded: [
          { limit: 'identicalCallsPerTurn', count: 4, max: 3 },
          { limit: 'callsPerMinutePerServer', count: 121, max: 120 },
        ],
        otherwise: { kind: 'rule', rule: user, text: undefined },
      }),
      'This would be call 4 with the same arguments in this turn; 3 go without asking. This would be call 121 of this server within a minute; 120 go without asking. Otherwise it would be allowed: countersign.rules[0] allows it.',
    ],
    [allowText({ kind: 'grant', grant: someGrant() }), 'You allowed it everywhere on 2027-01-01.'],
    [
      allowText({ kind: 'grant', grant: someGrant({ scope: { kind: 'session' } }) }),
      'You allowed it for this session on 2027-01-01.',
    ],
    [
      denyText({ kind: 'rule', rule: user, text: ' No keys. ' }),
      "The user's rule countersign.rules[0] does not allow this call. Reason given: No keys.",
    ],
    [
      denyText({ kind: 'rule', rule: workspace, text: '' }),
      "The workspace's rule countersign.workspaceRules[1] does not allow this call.",
    ],
    [
      denyText({ kind: 'rule', rule: managed, text: undefined }),
      "A rule of this machine's policy does not allow this call.",
    ],
    [
      denyText({ kind: 'serverNotListed' }),
      "This machine's policy does not list the server, so it may not be used.",
    ],
    [
      denyText({ kind: 'brokenMachinePolicy' }),
      "This machine's policy file cannot be read. Until it can, no call is allowed.",
    ],
  ];
  for (const [text, expected] of rows) it(expected.slice(0, 80), () => assert.equal(text, expected));
});
