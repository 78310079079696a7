import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Grant, GrantScope } from '../../../src/policy/grant.ts';
import { grantStanding } from '../../../src/policy/grantStanding.ts';

const here: GrantScope = { kind: 'workspace', workspace: 'file:///a', name: 'a' };
const grant = (scope: GrantScope): Grant => ({
  id: '1',
  serverId: 's',
  toolName: 't',
  scope,
  callers: undefined,
  args: {},
  argsDigest: undefined,
  pins: { tool: 'T', launch: 'L' },
  createdAt: 0,
  createdFrom: '',
});
const now = { toolFingerprint: 'T', launchFingerprint: 'L', workspace: 'file:///a' };

const rows = [
  { name: 'nothing changed', scope: here, now, is: { kind: 'counts' } },
  {
    name: 'for the session',
    scope: { kind: 'session' },
    now: { ...now, workspace: undefined },
    is: { kind: 'counts' },
  },
  {
    name: 'tool changed',
    scope: here,
    now: { ...now, toolFingerprint: 'X' },
    is: { kind: 'suspended', changed: ['tool'] },
  },
  {
    name: 'launch changed',
    scope: here,
    now: { ...now, launchFingerprint: 'X' },
    is: { kind: 'suspended', changed: ['launch'] },
  },
  {
    name: 'both changed',
    scope: { kind: 'everywhere' },
    now: { toolFingerprint: 'X', launchFingerprint: 'X', workspace: undefined },
    is: { kind: 'suspended', changed: ['tool', 'launch'] },
  },
  {
    name: 'launch changed, tool not listed',
    scope: here,
    now: { ...now, toolFingerprint: undefined, launchFingerprint: 'X' },
    is: { kind: 'suspended', changed: ['launch'] },
  },
  {
    name: 'tool not listed',
    scope: here,
    now: { ...now, toolFingerprint: undefined },
    is: { kind: 'unknown', missing: 'tool' },
  },
  {
    name: 'no server',
    scope: here,
    now: { ...now, launchFingerprint: undefined },
    is: { kind: 'unknown', missing: 'server' },
  },
  {
    name: 'another workspace',
    scope: here,
    now: { ...now, workspace: 'file:///b' },
    is: { kind: 'elsewhere', workspace: 'a' },
  },
  {
    name: 'no workspace',
    scope: here,
    now: { ...now, workspace: undefined },
    is: { kind: 'elsewhere', workspace: 'a' },
  },
] as const;

for (const row of rows) {
  void test(`standing of a grant: ${row.name}`, () => {
    assert.deepEqual(grantStanding(grant(row.scope), row.now), row.is);
  });
}
