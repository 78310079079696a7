import * as fc from 'fast-check';
import type { CallFacts } from '../../../src/policy/decision.ts';
import type { Grant } from '../../../src/policy/grant.ts';
import { noUsage } from '../../../src/policy/limits.ts';
import type { PathFacts } from '../../../src/policy/pathFacts.ts';
import { callerKinds } from '../../../src/shared/caller.ts';
import { callFacts, someGrant } from './callFacts.ts';

/*
 * Small alphabets, so that rules, grants and calls meet often. Broken and odd entries are made on purpose: what holds
 * must hold for them as well.
 */

const server = fc.constantFrom('github', 'files', 'Files', '*', 'g*', '{github,files}', '[', '', 7);
const tool = fc.constantFrom('search', 'delete', '*', 's*', 'Search', undefined);
const text = fc.constantFrom('acme/site', 'acme', '/ws/a', 'https://a.test/', '..', '', 'x');
const condition = fc.oneof(
  fc.record({ equals: fc.oneof(text, fc.integer({ min: 0, max: 2 })) }),
  fc.record({ oneOf: fc.array(text, { maxLength: 2 }) }),
  fc.record({ glob: fc.constantFrom('*', '**', 'acme/*', 'a*', '{', ['x', 'acme*']) }),
  fc.record({ matches: fc.constantFrom('acme', '.*', 'a|x', '(', '(?=a)') }),
  fc.record({ within: fc.constantFrom('/ws', '${workspaceFolder}', 'relative', '/etc') }),
  fc.record({ host: fc.constantFrom('a.test', '*.test', 'http://x') }),
  fc.record({ maxLength: fc.constantFrom(0, 4, 100, -1) }),
  fc.constant({ typo: 1 }),
);
const args = fc.dictionary(fc.constantFrom('repo', 'path', 'list[*]', '**', 'a..b'), condition, {
  maxKeys: 2,
});
const claims = fc.constantFrom({ readOnlyHint: true }, { destructiveHint: false }, { openWorldHint: true });

/** Any rule, right or wrong, as it could stand in settings. */
export const anyRule = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record(
      {
        server,
        tool,
        caller: fc.constantFrom('chat', ['api', 'bridge'], 'nobody'),
        args,
        claims,
        decision: fc.constantFrom('allow', 'allow', 'ask', 'deny', 'forbid'),
        until: fc.constantFrom('2027-01-01', '2028-01-01', 'soon'),
        reviewResult: fc.boolean(),
      },
      { requiredKeys: ['server', 'tool', 'decision'] },
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(null, 'deny', 3, [], {}) },
);

/** Rules that are simple and right, so that they often apply. */
export const plainRule = fc.record({
  server: fc.constantFrom('github', 'files', '*'),
  tool: fc.constantFrom('search', 'delete', '*'),
  decision: fc.constantFrom('allow', 'allow', 'allow', 'allow', 'ask', 'deny'),
});

/** Allowing rules that rest on what a tool claims. */
export const claimRules = fc.array(
  fc.record({ server: fc.constant('*'), tool: fc.constant('*'), claims, decision: fc.constant('allow') }),
  { minLength: 1, maxLength: 2 },
);

export const anyRules = fc.array(
  fc.oneof({ weight: 1, arbitrary: anyRule }, { weight: 4, arbitrary: plainRule }),
  { maxLength: 5 },
);

const paths: PathFacts = {
  separator: '/',
  caseSensitive: true,
  places: new Map([
    ['/ws/a', { lexical: ['/ws/a'], real: ['/ws/a'], exists: true }],
    ['..', undefined],
  ]),
  roots: new Map([
    ['/ws', [{ lexical: '/ws', real: '/ws', exists: true }]],
    ['${workspaceFolder}', [{ lexical: '/ws', real: '/ws', exists: true }]],
  ]),
};

const fingerprint = fc.constantFrom('sha256:tool', 'sha256:launch', 'sha256:other');

/** Any call of one of two tools on one of two servers. */
export const anyCall: fc.Arbitrary<CallFacts> = fc
  .record({
    caller: fc.constantFrom(...callerKinds),
    serverId: fc.constantFrom('github', 'files'),
    serverOrigin: fc.constantFrom('user', 'user', 'user', 'workspace'),
    serverTrusted: fc.boolean(),
    launchFingerprint: fingerprint,
    toolFingerprint: fingerprint,
    toolName: fc.constantFrom('search', 'delete'),
    annotations: fc.constantFrom(undefined, { readOnlyHint: true }, { destructiveHint: false }),
    args: fc.constantFrom(
      {},
      { repo: 'acme/site' },
      { repo: 'acme/site', path: '/ws/a' },
      { path: '..' },
      { repo: ['acme', 'x'], list: ['https://a.test/', 1] },
    ),
    workspace: fc.constantFrom(undefined, 'workspace-1'),
    usage: fc.constantFrom(noUsage, noUsage, noUsage, { ...noUsage, callsPerTurn: 1000 }),
  })
  .map((changes) => callFacts({ ...changes, paths }));

/** Any grant for those calls. */
export const anyGrant: fc.Arbitrary<Grant> = fc
  .record({
    id: fc.uuid(),
    serverId: fc.constantFrom('github', 'files'),
    toolName: fc.constantFrom('search', 'delete'),
    scope: fc.constantFrom<Grant['scope'][]>(
      { kind: 'session' },
      { kind: 'everywhere' },
      { kind: 'workspace', workspace: 'workspace-1', name: 'site' },
    ),
    callers: fc.constantFrom<Grant['callers'][]>(undefined, ['chat'], ['api', 'bridge']),
    args: fc.constantFrom<Grant['args'][]>(
      {},
      { repo: { equals: 'acme/site' } },
      { path: { within: ['/ws'] } },
    ),
    pins: fc.record({ tool: fingerprint, launch: fingerprint }),
  })
  .map((changes) => someGrant(changes));

export const anyGrants = fc.array(anyGrant, { maxLength: 4 });
