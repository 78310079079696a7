import { type CallFacts } from '../../../src/policy/decision.ts';
import type { Grant } from '../../../src/policy/grant.ts';
import { noUsage } from '../../../src/policy/limits.ts';
import { noPaths } from '../../../src/policy/pathFacts.ts';

/** A harmless call; a test names only what matters to it. */
export function callFacts(changes: Partial<CallFacts> = {}): CallFacts {
  return {
    caller: 'chat',
    serverId: 'github',
    serverOrigin: 'user',
    serverTrusted: false,
    launch: { kind: 'stdio', command: 'npx', args: ['-y', 'github-server'] },
    launchFingerprint: 'sha256:launch',
    toolName: 'search',
    toolFingerprint: 'sha256:tool',
    annotations: undefined,
    args: { repo: 'acme/site' },
    workspace: 'workspace-1',
    now: Date.parse('2027-01-15T12:00:00Z'),
    latest: Date.parse('2027-01-15T12:00:00Z'),
    usage: noUsage,
    paths: noPaths,
    ...changes,
  };
}

/** A grant that covers `callFacts()`. */
export function someGrant(changes: Partial<Grant> = {}): Grant {
  return {
    id: 'grant-1',
    serverId: 'github',
    toolName: 'search',
    scope: { kind: 'everywhere' },
    callers: undefined,
    args: {},
    argsDigest: undefined,
    pins: { tool: 'sha256:tool', launch: 'sha256:launch' },
    createdAt: Date.parse('2027-01-01T00:00:00Z'),
    createdFrom: 'chat',
    ...changes,
  };
}
