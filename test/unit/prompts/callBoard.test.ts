import assert from 'node:assert/strict';
import { CallBoard } from '../../../src/prompts/callBoard.ts';
import { launchPrompt } from '../../../src/prompts/launchPrompt.ts';
import { it } from '../../helpers/nodeTest.ts';
import { approval, table } from './samples.ts';

const caller = { kind: 'chat', label: 'model' } as const;

function board(keep?: number) {
  const setting = table();
  const calls = new CallBoard({ ...setting, ...(keep === undefined ? {} : { keep }) });
  const start = (callId: string, cancel: () => void = () => undefined): void =>
    calls.started({ callId, serverId: 's', toolName: 't', caller, arguments: { a: callId }, cancel });
  return { ...setting, calls, start };
}

it('a call from start to end: progress, result, and how long it took', () => {
  const { calls, start, clock } = board();
  start('1');
  const base = { id: '1', serverId: 's', toolName: 't', caller, preview: 'a: 1' };
  const startedAt = clock.now();
  assert.deepEqual(calls.calls, [{ ...base, hasResult: false, state: { kind: 'running', startedAt } }]);
  calls.progress('1', { progress: 1, total: 2, message: 'x'.repeat(600) });
  const [running] = calls.calls;
  assert.ok(running?.state.kind === 'running');
  assert.deepEqual(running.state.progress, { progress: 1, total: 2, message: `${'x'.repeat(499)}…` });
  clock.advance(1500);
  calls.finished('1', { outcome: 'ok', summary: 'y'.repeat(5000), hasResult: true });
  assert.deepEqual(calls.calls, [
    {
      ...base,
      hasResult: true,
      state: {
        kind: 'finished',
        outcome: 'ok',
        endedAt: clock.now(),
        durationMs: 1500,
        summary: `${'y'.repeat(3999)}…`,
      },
    },
  ]);
});

it('running calls stand in the order of their start, ended ones latest first and no more than are kept', () => {
  const { calls, start } = board(2);
  for (const id of ['1', '2', '3', '4', '5']) start(id);
  for (const id of ['1', '2', '3']) calls.finished(id, { outcome: 'failed', summary: '', hasResult: false });
  assert.deepEqual(
    calls.calls.map(({ id }) => id),
    ['4', '5', '3', '2'],
  );
  calls.clearFinished();
  assert.deepEqual(
    calls.calls.map(({ id }) => id),
    ['4', '5'],
  );
});

it('what comes for a call that is not running changes nothing', () => {
  const { calls, start } = board();
  let cancelled = 0;
  start('1', () => (cancelled += 1));
  calls.cancel('1');
  calls.finished('1', { outcome: 'cancelled', summary: '', hasResult: false });
  const before = calls.calls;
  calls.progress('1', { progress: 1 });
  calls.finished('1', { outcome: 'ok', summary: 'late', hasResult: true });
  calls.finished('unknown', { outcome: 'ok', summary: '', hasResult: true });
  calls.cancel('1');
  assert.deepEqual(calls.calls, before);
  assert.equal(cancelled, 1);
});

it('what looks like a secret is masked in the line of a call', () => {
  const { calls } = board();
  calls.started({
    callId: '1',
    serverId: 's',
    toolName: 't',
    caller,
    arguments: { token: 'abc-secret', nested: { x: 1 } },
    cancel: () => undefined,
  });
  assert.equal(calls.calls[0]?.preview, 'token: ••••••••, nested: {…}');
});

it('prompts that ended without a call are listed: denied, withdrawn, expired; allowed ones are not', async () => {
  const { calls, queue, arming, seeFirst, clock } = board();
  const states = (): unknown[] =>
    calls.calls.map(({ state }) => state.kind === 'finished' && [state.outcome, state.summary]);
  const controller = new AbortController();
  void queue.ask(approval());
  const first = seeFirst();
  await queue.answer(first.id, first.digest, { kind: 'allow' }, arming);
  assert.deepEqual(states(), []);
  void queue.ask(approval());
  const denied = queue.pending[0]!;
  await queue.answer(denied.id, denied.digest, { kind: 'deny' }, arming);
  void queue.ask(approval());
  void queue.ask(approval());
  const withReason = queue.pending[0]!;
  const deny = { kind: 'deny', reason: ' not today ', also: 'server' } as const;
  await queue.answer(withReason.id, withReason.digest, deny, arming);
  void queue.ask(approval(), controller.signal);
  controller.abort();
  void queue.ask(approval({ expiresInMs: 10 }));
  clock.advance(10);
  assert.deepEqual(states(), [
    ['withdrawn', 'Nobody answered in time.'],
    ['withdrawn', ''],
    ['denied', 'not today'],
    ['denied', 'not today'],
    ['denied', ''],
  ]);
});

it('an input request is listed only if it vanished by itself', async () => {
  const { calls, queue, arming } = board();
  const ask = (signal?: AbortSignal) =>
    queue.ask(
      launchPrompt({
        serverId: 's',
        origin: 'o',
        launch: { kind: 'http', url: 'https://a.b', headers: [] },
      }),
      signal,
    );
  void ask();
  const { id, digest } = queue.pending[0]!;
  await queue.answer(id, digest, { kind: 'deny' }, arming);
  assert.deepEqual(calls.calls, []);
  const controller = new AbortController();
  void ask(controller.signal);
  controller.abort();
  assert.deepEqual(
    calls.calls.map(({ toolName, preview }) => [toolName, preview]),
    [['Wants to start', 'https://a.b']],
  );
});
