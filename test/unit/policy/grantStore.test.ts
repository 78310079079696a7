import assert from 'node:assert/strict';
import { GrantStore, type GrantRequest } from '../../../src/policy/grantStore.ts';
import { decide } from '../../../src/policy/decide.ts';
import { compilePolicy } from '../../../src/policy/policy.ts';
import type { StorageProblem } from '../../../src/policy/stateStore.ts';
import { ManualClock } from '../../helpers/manualClock.ts';
import { MemoryStateFile } from '../../helpers/memoryStateFile.ts';
import { describe, it } from '../../helpers/nodeTest.ts';
import { callFacts, someGrant } from './callFacts.ts';

const policy = compilePolicy({ user: [], workspace: [] });

function request(changes: Partial<GrantRequest> = {}): GrantRequest {
  const { id: _id, createdAt: _createdAt, ...grant } = someGrant();
  return { ...grant, snapshots: { tool: { name: 'search' }, launch: { command: 'npx' } }, ...changes };
}

interface Window {
  readonly store: GrantStore;
  readonly problems: StorageProblem[];
}

/** Windows that share one file and one clock. */
async function open(file: MemoryStateFile, clock = new ManualClock()): Promise<Window> {
  const store = new GrantStore(file, clock);
  const problems: StorageProblem[] = [];
  store.onProblem((problem) => problems.push(problem));
  await store.refresh();
  return { store, problems };
}

function tools(store: GrantStore): readonly string[] {
  return store.records().map(({ grant }) => grant.toolName);
}

function outcome(store: GrantStore, changes: Parameters<typeof callFacts>[0] = {}): string {
  return decide(callFacts(changes), policy, store.index).kind;
}

describe('GrantStore', () => {
  it('refuses to store what could not be read again, and loses nothing that was there', async () => {
    const file = new MemoryStateFile();
    const { store, problems } = await open(file);
    await store.add(request());
    await assert.rejects(store.add(request({ createdFrom: 'x'.repeat(20_000) })), /could not be read again/);
    await assert.rejects(
      store.add(request({ args: { repo: { glob: '{' } as never } })),
      /could not be read again/,
    );
    assert.deepEqual(problems.map(({ kind }) => kind).slice(0, 1), ['unwritable']);
    assert.deepEqual(tools(store), ['search']);
    const other = await open(file);
    assert.deepEqual([tools(other.store), other.problems], [['search'], []]);
    store.dispose();
    other.store.dispose();
  });

  it('remembers over a restart, counts and withdraws (case 2)', async () => {
    const file = new MemoryStateFile();
    const clock = new ManualClock();
    const first = await open(file, clock);
    const grant = await first.store.add(request());
    assert.equal(outcome(first.store), 'allow');
    first.store.recordUse(grant.id);
    await first.store.flush();
    first.store.dispose();

    const second = await open(file, clock);
    assert.deepEqual(second.store.records(), [{ grant, uses: 1, lastUsedAt: clock.now() }]);
    assert.deepEqual(second.store.snapshot('sha256:tool'), { name: 'search' });
    assert.equal(outcome(second.store), 'allow');
    await second.store.revoke(grant.id);
    assert.equal(outcome(second.store), 'ask');
    second.store.dispose();

    const third = await open(file, clock);
    assert.deepEqual(third.store.records(), []);
    assert.equal(third.store.snapshot('sha256:tool'), undefined);
    third.store.dispose();
  });

  it('keeps session grants out of the file and to its own window', async () => {
    const file = new MemoryStateFile();
    const [one, two] = [await open(file), await open(file)];
    await one.store.add(request({ scope: { kind: 'session' } }));
    await two.store.refresh();
    assert.equal(file.text, undefined);
    assert.deepEqual([outcome(one.store), outcome(two.store)], ['allow', 'ask']);
    assert.deepEqual(one.store.snapshot('sha256:tool'), { name: 'search' });
  });

  it('merges what several windows do at once', async () => {
    const file = new MemoryStateFile();
    const clock = new ManualClock();
    const windows = await Promise.all([open(file, clock), open(file, clock), open(file, clock)]);
    const [first] = windows;
    const names = Array.from({ length: 30 }, (_, index) => `tool-${index}`);
    await Promise.all(names.map((toolName, index) => windows[index % 3]!.store.add(request({ toolName }))));
    for (const { store } of windows) {
      await store.refresh();
      assert.deepEqual(tools(store).toSorted(), names.toSorted());
    }
    const id = first.store.records()[0]!.grant.id;
    for (const { store } of windows) store.recordUse(id);
    await Promise.all(windows.map(({ store }) => store.flush()));
    await first.store.refresh();
    assert.equal(first.store.records().find(({ grant }) => grant.id === id)?.uses, 3);
  });

  it('notices a withdrawal in another window', async () => {
    const file = new MemoryStateFile();
    const [one, two] = [await open(file), await open(file)];
    const grant = await one.store.add(request());
    await two.store.refresh();
    let changes = 0;
    two.store.onDidChange(() => (changes += 1));
    await one.store.revoke(grant.id);
    await two.store.refresh();
    assert.deepEqual([outcome(two.store), changes], ['ask', 1]);
    // A use counted meanwhile does not bring it back.
    two.store.recordUse(grant.id);
    await two.store.flush();
    await one.store.refresh();
    assert.deepEqual(one.store.records(), []);
  });

  it('ends the session grants of all windows when everything is withdrawn', async () => {
    const file = new MemoryStateFile();
    const clock = new ManualClock();
    const [one, two] = [await open(file, clock), await open(file, clock)];
    await two.store.add(request({ scope: { kind: 'session' } }));
    await two.store.add(request({ scope: { kind: 'session' }, serverId: 'files' }));
    clock.advance(1);
    await one.store.revokeServer('github');
    await two.store.refresh();
    assert.deepEqual(
      two.store.records().map(({ grant }) => grant.serverId),
      ['files'],
    );
    await one.store.revokeAll();
    await two.store.refresh();
    assert.deepEqual(two.store.records(), []);
    clock.advance(1);
    await two.store.add(request({ scope: { kind: 'session' } }));
    assert.equal(outcome(two.store), 'allow');
  });

  it('withdraws all grants of a server and leaves the others', async () => {
    const { store } = await open(new MemoryStateFile());
    await store.add(request({ toolName: 'a' }));
    await store.add(request({ toolName: 'b' }));
    await store.add(request({ serverId: 'files', toolName: 'c' }));
    await store.revokeServer('github');
    assert.deepEqual(tools(store), ['c']);
    await store.revokeAll();
    assert.deepEqual(tools(store), []);
  });

  it('a new grant takes the place of one for the same calls', async () => {
    const { store } = await open(new MemoryStateFile());
    await store.add(request());
    const changed = { tool: 'sha256:new', launch: 'sha256:launch' };
    assert.equal(outcome(store, { toolFingerprint: 'sha256:new' }), 'ask');
    const renewed = await store.add(request({ pins: changed }));
    assert.deepEqual(
      store.records().map(({ grant }) => grant),
      [renewed],
    );
    assert.equal(outcome(store, { toolFingerprint: 'sha256:new' }), 'allow');
    const other = await store.add(request({ pins: changed, args: { repo: { equals: 'x' } } }));
    assert.deepEqual(
      store.records().map(({ grant }) => grant),
      [renewed, other],
    );
  });

  it('reports broken storage, reads it as no grants and keeps the file', async () => {
    const good = new MemoryStateFile();
    const { store: source } = await open(good);
    await source.add(request());
    const text = good.text ?? '';
    const broken = [
      '{',
      '[]',
      '{}',
      '{"version":1}',
      'null',
      text.slice(0, -20),
      text.replace('"grants"', '"grant"'),
      text.replace('"everywhere"', '"anywhere"'),
      text.replace('"args": {}', '"args": {"repo": {"equal": 1}}'),
      text.replace('"args": {}', '"args": {"repo": {"matches": "("}}'),
      text.replace('"args": {}', '"args": []'),
      text.replace('"tool": "sha256:tool"', '"tool": 7'),
    ];
    for (const content of broken) {
      assert.notEqual(content, text);
      const file = new MemoryStateFile(content);
      const { store, problems } = await open(file);
      assert.deepEqual(store.records(), []);
      assert.deepEqual(file.aside, [content]);
      assert.deepEqual(
        problems.map(({ kind, place }) => [kind, place]),
        [['corrupt', 'memory.broken-1']],
      );
      await store.add(request());
      assert.equal(outcome(store), 'allow');
    }
  });

  it('finds storage broken in the middle of work', async () => {
    const file = new MemoryStateFile();
    const { store, problems } = await open(file);
    await store.add(request({ toolName: 'a' }));
    file.store('{');
    await store.add(request({ toolName: 'b' }));
    assert.deepEqual(tools(store), ['b']);
    assert.deepEqual(file.aside, ['{']);
    assert.deepEqual(
      problems.map(({ kind }) => kind),
      ['corrupt'],
    );
  });

  it('leaves the file of a newer version alone', async () => {
    const text = '{"version": 2, "grants": []}';
    const file = new MemoryStateFile(text);
    const { store, problems } = await open(file);
    assert.deepEqual(
      problems.map(({ kind }) => kind),
      ['newer'],
    );
    await assert.rejects(store.add(request()));
    assert.equal(outcome(store), 'ask');
    assert.deepEqual([file.text, file.aside], [text, []]);
    await store.add(request({ scope: { kind: 'session' } }));
    assert.equal(outcome(store), 'allow');
  });

  it('counts as no grants while the file cannot be read', async () => {
    const file = new MemoryStateFile();
    const { store, problems } = await open(file);
    await store.add(request());
    file.failure = new Error('no access');
    await store.refresh();
    assert.equal(outcome(store), 'ask');
    assert.deepEqual(
      problems.map(({ kind }) => kind),
      ['unreadable'],
    );
    file.failure = undefined;
    await store.refresh();
    assert.equal(outcome(store), 'allow');
    assert.equal(store.problem, undefined);
  });

  it('what could not be stored does not count; what could not be withdrawn does not either', async () => {
    const file = new MemoryStateFile();
    const { store, problems } = await open(file);
    const grant = await store.add(request({ toolName: 'search' }));
    file.failure = new Error('disk full');
    await assert.rejects(store.add(request({ toolName: 'delete' })), /disk full/);
    assert.deepEqual(tools(store), ['search']);
    await assert.rejects(store.revoke(grant.id), /disk full/);
    assert.deepEqual(tools(store), []);
    assert.deepEqual(
      problems.map(({ kind }) => kind),
      ['unwritable'],
    );
    file.failure = undefined;
    await store.refresh();
    assert.deepEqual(tools(store), []);
  });

  it('stores uses after a while, in one go', async () => {
    const file = new MemoryStateFile();
    const clock = new ManualClock();
    const { store } = await open(file, clock);
    const grant = await store.add(request());
    const before = file.writes;
    for (let call = 0; call < 50; call += 1) store.recordUse(grant.id);
    assert.deepEqual([store.records()[0]?.uses, file.writes], [50, before]);
    clock.advance(2000);
    await store.refresh();
    await store.flush();
    assert.deepEqual([store.records()[0]?.uses, file.writes], [50, before + 1]);
  });

  it('keeps counts that could not be stored for the next time', async () => {
    const file = new MemoryStateFile();
    const { store } = await open(file);
    const grant = await store.add(request());
    store.recordUse(grant.id);
    file.failure = new Error('busy');
    await store.flush();
    file.failure = undefined;
    store.recordUse(grant.id);
    await store.flush();
    const other = await open(file);
    assert.equal(other.store.records()[0]?.uses, 2);
  });

  it('exports all of it', async () => {
    const clock = new ManualClock();
    const { store } = await open(new MemoryStateFile(), clock);
    const stored = await store.add(
      request({ callers: ['chat'], args: { repo: { glob: ['acme/*'] } }, argsDigest: 'sha256:args' }),
    );
    const session = await store.add(request({ scope: { kind: 'session' } }));
    assert.deepEqual(store.export(), {
      version: 1,
      grants: [
        { ...stored, uses: 0 },
        { ...session, callers: undefined, argsDigest: undefined, uses: 0 },
      ].map((record) => JSON.parse(JSON.stringify(record))),
      revocations: { all: 0, servers: {} },
      snapshots: { 'sha256:tool': { name: 'search' }, 'sha256:launch': { command: 'npx' } },
    });
  });

  it('reads back what it wrote, whatever is in it', async () => {
    const file = new MemoryStateFile();
    const { store } = await open(file);
    const odd = request({
      serverId: '__proto__',
      toolName: 'a"\u2028\uD800',
      scope: { kind: 'workspace', workspace: 'w', name: 'site' },
      callers: ['bridge', 'api'],
      args: { '/a.b': { equals: { x: [null, 1.5, ''] } }, '**': { maxLength: 3 } },
    });
    const grant = await store.add(odd);
    const again = await open(file);
    assert.deepEqual(again.store.records(), [{ grant, uses: 0, lastUsedAt: undefined }]);
    assert.deepEqual(again.problems, []);
  });

  it('holds ten thousand grants and looks only at those of the call', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) =>
      someGrant({ id: `g${index}`, serverId: `s${index}` }),
    );
    const file = new MemoryStateFile(
      JSON.stringify({
        version: 1,
        grants: many.map((grant) => ({ ...grant, uses: 0 })),
        revocations: { all: 0, servers: {} },
        snapshots: {},
      }),
    );
    const { store: full } = await open(file);
    assert.equal(full.records().length, 10_000);
    assert.equal(outcome(full, { serverId: 's9999' }), 'allow');
    assert.equal(outcome(full), 'ask');
  });
});
