import assert from 'node:assert/strict';
import {
  loadManagedPolicy,
  managedPolicyPaths,
  parseManagedPolicy,
} from '../../../src/policy/managedPolicy.ts';
import { problemText } from '../../../src/policy/rule.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const npx = { kind: 'stdio', command: 'npx', args: ['-y', 'server'] } as const;

describe("the machine's policy file", () => {
  it('has its place on each system', () => {
    assert.deepEqual(managedPolicyPaths('linux', 'ignored'), ['/etc/countersign/policy.json']);
    assert.deepEqual(managedPolicyPaths('darwin', undefined), [
      '/Library/Application Support/Countersign/policy.json',
    ]);
    assert.deepEqual(managedPolicyPaths('win32', undefined), ['C:\\ProgramData\\Countersign\\policy.json']);
    // The variable belongs to whoever starts the editor, so it cannot lead away from the usual place.
    assert.deepEqual(managedPolicyPaths('win32', 'D:\\Elsewhere'), [
      'C:\\ProgramData\\Countersign\\policy.json',
      'D:\\Elsewhere\\Countersign\\policy.json',
    ]);
    assert.deepEqual(managedPolicyPaths('win32', 'C:\\ProgramData'), [
      'C:\\ProgramData\\Countersign\\policy.json',
    ]);
  });

  it('counts for nothing where there is none', async () => {
    const policy = await loadManagedPolicy(['/a', '/b'], () => Promise.resolve(undefined));
    assert.equal(policy.unreadable, false);
    assert.equal(policy.allowsServer('any', npx), true);
  });

  it('closes everything when it is there and cannot be read', async () => {
    const policy = await loadManagedPolicy(['/a'], () => Promise.reject(new Error('EACCES')));
    assert.equal(policy.unreadable, true);
    assert.equal(policy.allowsServer('any', npx), false);
    assert.deepEqual(policy.rules.problems.map(problemText), [
      "This machine's policy (/a) cannot be read: EACCES",
    ]);
  });

  it('counts all files that there are', async () => {
    const files: Record<string, string> = {
      '/a': '{"servers": {"allow": ["x", "y"]}, "limits": {"callsPerTurn": 9}}',
      '/b': '{"servers": {"allow": ["y", "z"]}, "limits": {"callsPerTurn": 5}, "rules": [{"server": "*", "tool": "*", "decision": "ask"}]}',
    };
    const policy = await loadManagedPolicy(['/a', '/b', '/c'], (path) => Promise.resolve(files[path]));
    assert.deepEqual(
      ['x', 'y', 'z'].filter((id) => policy.allowsServer(id, npx)),
      ['y'],
    );
    assert.equal(policy.limits.callsPerTurn, 5);
    assert.equal(policy.rules.rules.length, 1);
    const one = await loadManagedPolicy(['/a', '/b'], (path) =>
      Promise.resolve(path === '/a' ? '{' : files[path]),
    );
    assert.equal(one.unreadable, true);
  });

  const messages: readonly (readonly [text: string, message: RegExp])[] = [
    ['', /is not JSON/],
    ['[]', /must be an object such as/],
    ['{"servers": []}', /^servers must be an object such as \{"allow": \["github"\]\}, but is \[\]/],
    ['{"servers": {"deny": []}}', /^servers must be an object such as/],
    ['{"servers": {"allow": [], "deny": []}}', /^servers\.deny is not known here/],
    ['{"servers": {"allow": [7]}}', /^servers\.allow\.0 must be a server id or an object/],
    ['{"servers": {"allow": [{}]}}', /^servers\.allow\.0 must be a server id or an object/],
    ['{"servers": {"allow": [{"id": ""}]}}', /^servers\.allow\.0\.id must be a text/],
    ['{"servers": {"allow": ["{"]}}', /^servers\.allow\.0 has a "\{" without/],
    ['{"servers": {"allow": [{"command": "npx", "args": "-y"}]}}', /\.args must be a text/],
    ['{"servers": {"allow": [{"host": "https://x"}]}}', /\.host must be a host alone/],
    ['{"rule": []}', /^rule is not known here/],
    [
      '{"rules": [{"server": "*", "tool": "*", "decision": "allow"}]}',
      /machine's policy can only say "ask" or "deny"/,
    ],
    ['{"limits": 5}', /^limits must be an object/],
  ];
  for (const [text, message] of messages) {
    it(`says what is wrong with ${text}`, () => {
      const { problems } = parseManagedPolicy(text, '/etc/policy.json').rules;
      const place = " in this machine's policy (/etc/policy.json)";
      assert.match(problems.map((problem) => problemText(problem).replace(place, '')).join('\n'), message);
    });
  }
});
