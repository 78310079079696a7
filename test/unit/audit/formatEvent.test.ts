import assert from 'node:assert/strict';
import type { AuditEvent, AuditEventKind } from '../../../src/audit/events.ts';
import { formatEvent } from '../../../src/audit/formatEvent.ts';
import { subject } from '../../helpers/auditKit.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

const of = subject('c1');
const call = '[c1] "everything" · "echo" (chat: model)';
const allowed = { outcome: 'allow', by: { kind: 'grant', grantId: 'g1', scope: 'session' } } as const;

const rows: readonly (readonly [AuditEvent, level: string, text: string])[] = [
  [{ kind: 'sessionOpened', version: '1.2.3' }, 'info', 'Session opened (Countersign 1.2.3).'],
  [{ kind: 'sessionClosed', reason: 'window closed' }, 'info', 'Session closed: window closed.'],
  [
    {
      kind: 'serverStarted',
      serverId: 's',
      transport: 'stdio',
      era: 'modern',
      protocolVersion: '2026-07-28',
      launchFingerprint: 'f',
      durationMs: 12.4,
    },
    'info',
    'Server "s" started in 12 ms (stdio, modern 2026-07-28).',
  ],
  [{ kind: 'serverStopped', serverId: 's', reason: 'asked to' }, 'info', 'Server "s" stopped: asked to.'],
  [
    { kind: 'serverFailed', serverId: 's', code: 'exited', message: 'It ended.' },
    'error',
    'Server "s" failed (exited): It ended.',
  ],
  [
    {
      kind: 'serverTrust',
      serverId: 's',
      outcome: 'refused',
      launchFingerprint: 'f',
      by: { kind: 'person', promptId: 'p' },
    },
    'info',
    'Start of server "s" was refused.',
  ],
  [
    {
      kind: 'serverTrust',
      serverId: 's',
      outcome: 'unanswered',
      launchFingerprint: 'f',
      by: { kind: 'noAnswer', cause: 'windowReloaded' },
    },
    'info',
    'Start of server "s" was not allowed: the lack of an answer (windowReloaded).',
  ],
  [
    {
      kind: 'toolsChanged',
      serverId: 's',
      added: ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
      removed: [],
      changed: ['z'],
      rejected: 2,
      total: 9,
    },
    'info',
    'Tools of "s": 9 (added "a", "b", "c", "d", "e" and 2 more; changed "z"). 2 set aside.',
  ],
  [
    { kind: 'callRefused', ...of, stage: 'schema', message: 'path is missing' },
    'warning',
    `${call} refused (schema): path is missing`,
  ],
  [
    { kind: 'promptShown', ...of, promptId: 'p', purpose: 'approval', digest: 'd', reason: 'new tool' },
    'info',
    `${call} waits for a person (approval): new tool.`,
  ],
  [
    {
      kind: 'decision',
      ...of,
      decision: { outcome: 'deny', by: { kind: 'person', promptId: 'p' }, reason: 'not now' },
    },
    'warning',
    `${call} denied by a person: not now.`,
  ],
  [
    { kind: 'decision', ...of, decision: { outcome: 'ask', by: { kind: 'default' } } },
    'info',
    `${call} to be asked about by default.`,
  ],
  [
    {
      kind: 'decision',
      ...of,
      decision: { outcome: 'deny', by: { kind: 'noAnswer', cause: 'windowReloaded' } },
    },
    'warning',
    `${call} denied by the lack of an answer (windowReloaded).`,
  ],
  [
    { kind: 'decision', ...of, decision: { outcome: 'ask', by: { kind: 'limit', limit: '30 per minute' } } },
    'info',
    `${call} to be asked about by limit "30 per minute".`,
  ],
  [
    { kind: 'decision', ...of, decision: { outcome: 'ask', by: { kind: 'suspendedGrant', grantId: 'g' } } },
    'info',
    `${call} to be asked about by suspended grant g.`,
  ],
  [
    {
      kind: 'argumentsEdited',
      ...of,
      promptId: 'p',
      before: { a: 1 },
      after: { a: 2 },
      beforeDigest: 'x',
      afterDigest: 'y',
    },
    'info',
    `${call}: a person changed the arguments to {"a":2}.`,
  ],
  [
    { kind: 'intent', ...of, arguments: { a: 'line\nbreak' }, digest: 'd', decision: allowed },
    'info',
    `${call} sent {"a":"line\\nbreak"}, allowed by grant g1 (session).`,
  ],
  [
    { kind: 'inputRequested', ...of, key: 'k', request: 'elicitationForm', message: 'Your name?' },
    'info',
    `${call}: the server asks for input (elicitationForm): Your name?.`,
  ],
  [
    {
      kind: 'inputAnswered',
      ...of,
      key: 'k',
      request: 'elicitationForm',
      answer: 'decline',
      by: { kind: 'person', promptId: 'p' },
    },
    'info',
    `${call}: input (elicitationForm): decline, by a person.`,
  ],
  [
    { kind: 'result', ...of, isError: false, durationMs: 3, result: { content: [], isError: false } },
    'info',
    `${call} returned after 3 ms: {"content":[],"isError":false}`,
  ],
  [
    { kind: 'result', ...of, isError: true, durationMs: 3, result: { content: [], isError: true } },
    'warning',
    `${call} returned an error after 3 ms: {"content":[],"isError":true}`,
  ],
  [
    { kind: 'error', ...of, source: 'server', code: '-32602', message: 'bad' },
    'error',
    `${call} failed (server -32602): bad`,
  ],
  [
    { kind: 'cancelled', ...of, by: 'person', reason: 'stop' },
    'warning',
    `${call} cancelled by person: stop.`,
  ],
  [{ kind: 'resultWithheld', ...of, promptId: 'p' }, 'warning', `${call}: a person withheld the result.`],
  [{ kind: 'messageTraced', ...of, direction: 'sent', message: { id: 1 } }, 'info', `${call} sent: {"id":1}`],
  [
    { kind: 'grantMade', grantId: 'g', serverId: 's', tool: 't', scope: 'everywhere', preview: 'Always t' },
    'info',
    'Grant made (everywhere): Always t',
  ],
  [
    { kind: 'grantRevoked', grantId: 'g', serverId: 's', tool: 't', by: 'person' },
    'info',
    'Grant for "t" on "s" revoked (person).',
  ],
  [
    { kind: 'grantSuspended', grantId: 'g', serverId: 's', tool: 't', cause: 'toolChanged' },
    'warning',
    'Grant for "t" on "s" suspended: toolChanged.',
  ],
  [{ kind: 'policyChanged', source: 'user', rules: 3, problems: 0 }, 'info', 'Rules (user) changed: 3.'],
  [
    { kind: 'policyChanged', source: 'workspace', rules: 3, problems: 1 },
    'warning',
    'Rules (workspace) changed: 3, 1 of them wrong.',
  ],
  [
    { kind: 'bridgeClientConnected', clientId: 'id', name: 'agent' },
    'info',
    'Agent "agent" connected to the bridge.',
  ],
  [{ kind: 'bridgeClientDisconnected', clientId: 'id' }, 'info', 'Agent "id" left the bridge.'],
  [
    { kind: 'recordingChanged', setting: 'storage', value: 'digest' },
    'info',
    'Recording: storage is now digest.',
  ],
  [
    { kind: 'recordingFailed', code: 'ENOSPC', message: 'The disk is full.', goingOn: true },
    'error',
    'The disk is full. Calls go on WITHOUT a record.',
  ],
  [
    { kind: 'recordingResumed', failedSince: 't', kept: 3, lost: 0, unrecordedCalls: 1 },
    'warning',
    'Recording works again. Kept 3 records, lost 0, unrecorded calls 1.',
  ],
  [
    { kind: 'segmentOpened', sessionId: 'ab', number: 2, others: [], storage: 'full', cause: 'size' },
    'info',
    'Audit file 2 of session ab opened (size).',
  ],
  [{ kind: 'segmentClosed', next: 'f.jsonl' }, 'info', 'Audit file closed; the next is f.jsonl.'],
  [
    { kind: 'journalDeleted', file: 'f.jsonl', bytes: 10, cause: 'age' },
    'info',
    'Audit file f.jsonl deleted (age, 10 bytes).',
  ],
  [
    { kind: 'journalDisturbed', file: 'f.jsonl', message: 'It was removed.' },
    'error',
    'Audit file f.jsonl was changed by someone else. It was removed.',
  ],
  [{ kind: 'clockChanged', byMs: -5000 }, 'warning', 'The clock was set back by 5000 ms.'],
  [{ kind: 'exported', format: 'csv', calls: 4 }, 'info', 'Exported 4 calls as csv.'],
];

describe('the line of an event', () => {
  it('says what happened, and how grave it is', () => {
    for (const [event, level, text] of rows) assert.deepEqual(formatEvent(event), { level, text });
  });

  it('exists for every kind of event', () => {
    // The compiler holds the list complete: a kind without a member here is an error.
    const kinds: Readonly<Record<AuditEventKind, true>> = {
      sessionOpened: true,
      sessionClosed: true,
      serverStarted: true,
      serverStopped: true,
      serverFailed: true,
      serverTrust: true,
      toolsChanged: true,
      callRefused: true,
      promptShown: true,
      decision: true,
      argumentsEdited: true,
      intent: true,
      inputRequested: true,
      inputAnswered: true,
      result: true,
      error: true,
      cancelled: true,
      resultWithheld: true,
      messageTraced: true,
      grantMade: true,
      grantRevoked: true,
      grantSuspended: true,
      policyChanged: true,
      bridgeClientConnected: true,
      bridgeClientDisconnected: true,
      recordingChanged: true,
      recordingFailed: true,
      recordingResumed: true,
      segmentOpened: true,
      segmentClosed: true,
      journalDeleted: true,
      journalDisturbed: true,
      clockChanged: true,
      exported: true,
    };
    assert.deepEqual(new Set(rows.map(([event]) => event.kind)), new Set(Object.keys(kinds)));
  });

  it('stays one line that shows what is hidden, whatever a server says', () => {
    const hostile = 'a\r\n\u001b[2J\u202Eevil\u200B\u{E0041}\uD800';
    const { text } = formatEvent({
      kind: 'result',
      ...subject('c1', hostile, hostile),
      isError: false,
      durationMs: 1,
      result: { content: [{ type: 'text', text: hostile }], isError: false },
    });
    assert.doesNotMatch(text, /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    assert.match(text, /a\\u\{d\}\\u\{a\}\\u\{1b\}\[2J\\u\{202e\}evil\\u\{200b\}\\u\{e0041\}\\u\{d800\}/);
  });

  it('stays short', () => {
    const long = 'x'.repeat(1_000_000);
    const { text } = formatEvent({
      kind: 'error',
      ...subject(long, long, long),
      source: 'host',
      code: long,
      message: long,
    });
    assert.ok(text.length < 2_000);
  });
});
