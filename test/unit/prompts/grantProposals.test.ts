import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { JsonObject } from '../../../src/base/json.ts';
import { decide } from '../../../src/policy/decide.ts';
import { GrantIndex } from '../../../src/policy/grantIndex.ts';
import { type PathPort, gatherPaths } from '../../../src/policy/gatherPaths.ts';
import { pathsInQuestion } from '../../../src/policy/pathQuestions.ts';
import { pathTexts, workspaceRoot } from '../../../src/policy/pathTexts.ts';
import type { PathFacts } from '../../../src/policy/pathFacts.ts';
import { compilePolicy } from '../../../src/policy/policy.ts';
import { grantPreview } from '../../../src/prompts/grantPreview.ts';
import { type GrantProposal, grantProposals } from '../../../src/prompts/grantProposals.ts';
import { describe, it } from '../../helpers/nodeTest.ts';
import { callFacts, someGrant } from '../policy/callFacts.ts';

const port: PathPort = {
  style: 'posix',
  caseSensitive: true,
  home: '/home/me',
  realpath: (path) =>
    /^\/(ws(\/src)?|etc|home\/me)?$/.test(path)
      ? Promise.resolve(path)
      : Promise.reject(Object.assign(new Error('not there'), { code: 'ENOENT' })),
  isLink: () => Promise.resolve(false),
};

function look(texts: readonly string[], roots: readonly string[]): Promise<PathFacts> {
  return gatherPaths(port, { texts, roots, cwd: '/ws', workspaceFolders: [{ name: 'ws', path: '/ws' }] });
}

async function propose(args: JsonObject, toolName = 'search'): Promise<readonly GrantProposal[]> {
  const paths = await look(pathTexts(args), [workspaceRoot]);
  return grantProposals({ serverId: 'github', toolName, caller: 'chat', args, paths });
}

/** Decides about a call with one proposal as a grant, paths looked up as the real road does. */
async function decideWith(proposal: GrantProposal, args: JsonObject): Promise<string> {
  const policy = compilePolicy({ user: [], workspace: [] });
  const { callers, args: conditions, argsDigest } = proposal;
  const grants = new GrantIndex([someGrant({ callers, args: conditions, argsDigest })]);
  const question = pathsInQuestion({ serverId: 'github', toolName: 'search', args }, policy, grants);
  const paths = await look(question.texts, question.roots);
  return decide(callFacts({ args, paths }), policy, grants).kind;
}

describe('grantProposals', () => {
  const rows: readonly (readonly [args: JsonObject, labels: readonly string[]])[] = [
    [{}, ['with any arguments']],
    [
      { repo: 'acme/site' },
      [
        'only with exactly these arguments',
        'only when `repo` is `acme/site`',
        'only when `repo` fits `acme/*`',
        'with any arguments',
      ],
    ],
    [
      { owner: 'acme', repo: 'site', title: 'Fix the build' },
      [
        'only with exactly these arguments',
        'only when `owner` is `acme` and `repo` is `site`',
        'only when `owner` is `acme`',
        'only when `repo` is `site`',
        'with any arguments',
      ],
    ],
    [
      { path: 'src/a.ts' },
      [
        'only with exactly these arguments',
        'only when `path` is inside `/ws/src`',
        'only when `path` is inside `/ws`',
        'with any arguments',
      ],
    ],
    [
      { path: '/etc/hosts' },
      ['only with exactly these arguments', 'only when `path` is inside `/etc`', 'with any arguments'],
    ],
    [
      { paths: ['src/a.ts', 'b.ts'] },
      ['only with exactly these arguments', 'only when `paths` is inside `/ws`', 'with any arguments'],
    ],
    [{ paths: ['/etc/a', '/var/b'] }, ['only with exactly these arguments', 'with any arguments']],
    [
      { url: 'https://api.example.com/v1?x' },
      [
        'only with exactly these arguments',
        'only when `url` is a URL of `api.example.com`',
        'with any arguments',
      ],
    ],
    [{ url: 'https://me:x@api.example.com/' }, ['only with exactly these arguments', 'with any arguments']],
    [
      { command: 'ls', timeout: 5, force: true },
      ['only with exactly these arguments', 'only when `command` is `ls`', 'with any arguments'],
    ],
    [{ query: 'some free text', limit: 10 }, ['only with exactly these arguments', 'with any arguments']],
    [{ token: 'abcdef', password: 'x' }, ['only with exactly these arguments', 'with any arguments']],
    [
      { 'odd.name': 'x' },
      ['only with exactly these arguments', 'only when `/odd.name` is `x`', 'with any arguments'],
    ],
    [{ torn: '\uD800' }, ['with any arguments']],
  ];
  for (const [args, labels] of rows) {
    it(JSON.stringify(args), async () => {
      assert.deepEqual(
        (await propose(args)).map(({ label }) => label),
        labels,
      );
    });
  }

  it('every proposal would allow the very call that it was made from', async () => {
    const name = fc.constantFrom(
      'repo',
      'owner',
      'path',
      'file',
      'url',
      'a.b',
      '/x',
      '*',
      '**',
      '[0]',
      'q',
      'api_key',
    );
    const value = fc.oneof(
      fc.constantFrom(
        'acme/site',
        'a*b/c{d}',
        '../x',
        '/etc/hosts',
        'src/[x]/a',
        '~/x',
        'https://a.test:8/x',
        'http://[::1]/',
        'file:///etc/x',
      ),
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.array(fc.constantFrom('a', '/etc/x', 'src/y'), { maxLength: 3 }),
      fc.jsonValue({ maxDepth: 1 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, value, { maxKeys: 4 }), async (made) => {
        const args: JsonObject = JSON.parse(JSON.stringify(made));
        for (const proposal of await propose(args))
          assert.equal(await decideWith(proposal, args), 'allow', proposal.label);
      }),
      { numRuns: 200 },
    );
  });

  const narrow: readonly (readonly [from: JsonObject, label: RegExp, other: JsonObject, expected: string])[] =
    [
      [{ repo: 'acme/site' }, /exactly/, { repo: 'acme/site', x: 1 }, 'ask'],
      [{ repo: 'acme/site' }, /is `acme/, { repo: 'acme/site', x: 1 }, 'allow'],
      [{ repo: 'acme/site' }, /is `acme/, { repo: 'acme/other' }, 'ask'],
      [{ repo: 'acme/site' }, /fits/, { repo: 'acme/other' }, 'allow'],
      [{ repo: 'acme/site' }, /fits/, { repo: 'evil/acme/x' }, 'ask'],
      [{ repo: 'acme/site' }, /fits/, { repo: 'acme-evil/x' }, 'ask'],
      [{ repo: 'acme/site' }, /fits/, { repo: 'acme/a/b' }, 'ask'],
      [{ repo: 'acme/site' }, /fits/, { repo: 'acme/../evil' }, 'ask'],
      [{ path: 'src/a.ts' }, /ws\/src/, { path: 'src/b/c.ts' }, 'allow'],
      [{ path: 'src/a.ts' }, /ws\/src/, { path: 'src/../b.ts' }, 'ask'],
      [{ path: 'src/a.ts' }, /ws\/src/, { path: '~/src/a.ts' }, 'ask'],
      [{ paths: ['src/a.ts', 'b.ts'] }, /inside/, { paths: ['c.ts', '/etc/hosts'] }, 'ask'],
      [{ url: 'https://a.test/' }, /URL/, { url: 'https://a.test:99/other' }, 'allow'],
      [{ url: 'https://a.test/' }, /URL/, { url: 'https://a.test.evil.test/' }, 'ask'],
    ];
  for (const [from, label, other, expected] of narrow) {
    it(`${String(label)} from ${JSON.stringify(from)}: ${JSON.stringify(other)} is ${expected}`, async () => {
      const proposal = (await propose(from)).find((one) => label.test(one.label));
      assert.ok(proposal !== undefined);
      assert.equal(await decideWith(proposal, other), expected);
    });
  }

  it('counts only for the caller that asked', async () => {
    const [exact] = await propose({ repo: 'acme/site' });
    assert.deepEqual(exact?.callers, ['chat']);
  });
});

describe('grantPreview', () => {
  const grant = {
    serverId: 'github',
    toolName: 'search',
    callers: undefined,
    args: { repo: { equals: 'acme/site' } },
    argsDigest: undefined,
  };
  it('says it in plain words', () => {
    assert.equal(grantPreview(grant), 'Always allow `search` on `github` when `repo` is `acme/site`.');
    assert.equal(
      grantPreview({ ...grant, callers: ['chat', 'bridge'] }, 'session', ['repo', 'q', 'page']),
      'For this session, allow `search` on `github` when `repo` is `acme/site`. Everything else may differ (`q`, `page`). Only for calls from the Countersign chat or agents outside the editor.',
    );
    assert.equal(
      grantPreview({ ...grant, args: {} }, 'workspace', ['repo']),
      'In this workspace, always allow `search` on `github` with any arguments.',
    );
  });
  it('names every kind of condition', () => {
    const args = {
      a: { equals: { x: 1 } },
      b: { oneOf: ['x', 2] },
      c: { glob: ['a*', 'b'] },
      d: { matches: 'x+' },
      e: { within: ['/ws'] },
      f: { host: ['a.test'] },
      g: { maxLength: 9 },
    };
    assert.equal(
      grantPreview({ ...grant, args }),
      'Always allow `search` on `github` when `a` is `{"x":1}` and `b` is `x` or `2` and `c` fits `a*` or `b` and `d` fits the expression `x+` and `e` is inside `/ws` and `f` is a URL of `a.test` and `g` has at most 9 characters or items.',
    );
  });
  it('does not let foreign text speak for itself', () => {
    const evil = {
      ...grant,
      toolName: 'x` on `safe',
      args: { repo: { equals: 'a\u202E\n`. All is well.' } },
    };
    assert.equal(
      grantPreview(evil),
      'Always allow `x⟦`⟧ on ⟦`⟧safe` on `github` when `repo` is `a⟦U+202E RLO⟧⟦U+000A LF⟧⟦`⟧. All is well.`.',
    );
  });
});
