import type { Caller } from '../shared/caller.ts';
import type { AuditEvent, CallSubject, DecidedBy, Decision } from './events.ts';
import { visibleLine } from './visibleLine.ts';

export interface EventLine {
  readonly level: 'info' | 'warning' | 'error';
  /** One line, safe to show as it is. */
  readonly text: string;
}

/** One readable line per event, for the output channel. Takes events as they were recorded. */
export function formatEvent(event: AuditEvent): EventLine {
  switch (event.kind) {
    case 'sessionOpened':
      return info(`Session opened (Countersign ${short(event.version)}).`);
    case 'sessionClosed':
      return info(`Session closed: ${short(event.reason)}.`);
    case 'serverStarted':
      return info(
        `Server ${name(event.serverId)} started in ${ms(event.durationMs)} (${event.transport}, ${event.era} ${short(event.protocolVersion)}).`,
      );
    case 'serverStopped':
      return info(`Server ${name(event.serverId)} stopped: ${short(event.reason)}.`);
    case 'serverFailed':
      return error(`Server ${name(event.serverId)} failed (${short(event.code)}): ${long(event.message)}`);
    case 'serverTrust':
      return event.outcome === 'unanswered'
        ? info(`Start of server ${name(event.serverId)} was not allowed: ${who(event.by)}.`)
        : info(`Start of server ${name(event.serverId)} was ${event.outcome}.`);
    case 'toolsChanged':
      return info(
        `Tools of ${name(event.serverId)}: ${event.total} (${changes(event)}).` +
          (event.rejected > 0 ? ` ${event.rejected} set aside.` : ''),
      );
    case 'callRefused':
      return warning(`${call(event)} refused (${event.stage}): ${long(event.message)}`);
    case 'promptShown':
      return info(`${call(event)} waits for a person (${event.purpose})${because(event.reason)}.`);
    case 'decision':
      return formatDecision(event, event.decision);
    case 'argumentsEdited':
      return info(`${call(event)}: a person changed the arguments to ${json(event.after)}.`);
    case 'intent':
      return info(`${call(event)} sent ${json(event.arguments)}, allowed by ${who(event.decision.by)}.`);
    case 'inputRequested':
      return info(`${call(event)}: the server asks for input (${event.request})${because(event.message)}.`);
    case 'inputAnswered':
      return info(`${call(event)}: input (${event.request}): ${event.answer}, by ${who(event.by)}.`);
    case 'result':
      return event.isError
        ? warning(`${call(event)} returned an error after ${ms(event.durationMs)}: ${json(event.result)}`)
        : info(`${call(event)} returned after ${ms(event.durationMs)}: ${json(event.result)}`);
    case 'error':
      return error(`${call(event)} failed (${event.source} ${short(event.code)}): ${long(event.message)}`);
    case 'cancelled':
      return warning(`${call(event)} cancelled by ${event.by}${because(event.reason)}.`);
    case 'resultWithheld':
      return warning(`${call(event)}: a person withheld the result${because(event.reason)}.`);
    case 'messageTraced':
      return info(`${call(event)} ${event.direction}: ${json(event.message)}`);
    case 'grantMade':
      return info(`Grant made (${short(event.scope)}): ${long(event.preview)}`);
    case 'grantRevoked':
      return info(`Grant for ${name(event.tool)} on ${name(event.serverId)} revoked (${event.by}).`);
    case 'grantSuspended':
      return warning(`Grant for ${name(event.tool)} on ${name(event.serverId)} suspended: ${event.cause}.`);
    case 'policyChanged':
      return event.problems > 0
        ? warning(`Rules (${event.source}) changed: ${event.rules}, ${event.problems} of them wrong.`)
        : info(`Rules (${event.source}) changed: ${event.rules}.`);
    case 'bridgeClientConnected':
      return info(`Agent ${name(event.name ?? event.clientId)} connected to the bridge.`);
    case 'bridgeClientDisconnected':
      return info(`Agent ${name(event.name ?? event.clientId)} left the bridge.`);
    case 'recordingChanged':
      return info(`Recording: ${short(event.setting)} is now ${short(event.value)}.`);
    case 'recordingFailed':
      return error(`${long(event.message)}${event.goingOn ? ' Calls go on WITHOUT a record.' : ''}`);
    case 'recordingResumed':
      return warning(
        `Recording works again. Kept ${event.kept} records, lost ${event.lost}, unrecorded calls ${event.unrecordedCalls}.`,
      );
    case 'segmentOpened':
      return info(`Audit file ${event.number} of session ${event.sessionId} opened (${event.cause}).`);
    case 'segmentClosed':
      return info(`Audit file closed; the next is ${short(event.next)}.`);
    case 'journalDeleted':
      return info(`Audit file ${short(event.file)} deleted (${event.cause}, ${event.bytes} bytes).`);
    case 'journalDisturbed':
      return error(`Audit file ${short(event.file)} was changed by someone else. ${long(event.message)}`);
    case 'clockChanged':
      return warning(`The clock was set back by ${ms(-event.byMs)}.`);
    case 'exported':
      return info(`Exported ${event.calls} calls as ${short(event.format)}.`);
  }
}

/** Where a session's record ends, to be copied elsewhere: with it, any later change of the record shows. */
export function formatEnd(
  sessionId: string,
  end: { readonly seq: number; readonly hash: string },
): EventLine {
  return info(`Record of session ${sessionId} ends with ${end.seq}, hash ${end.hash}`);
}

function formatDecision(subject: CallSubject, decision: Decision): EventLine {
  const by = `by ${who(decision.by)}${because(decision.reason)}`;
  if (decision.outcome === 'deny') return warning(`${call(subject)} denied ${by}.`);
  return info(`${call(subject)} ${decision.outcome === 'allow' ? 'allowed' : 'to be asked about'} ${by}.`);
}

function who(by: DecidedBy): string {
  switch (by.kind) {
    case 'rule':
      return `${by.source} rule ${name(by.rule)}`;
    case 'grant':
      return `grant ${short(by.grantId)} (${short(by.scope)})`;
    case 'person':
      return 'a person';
    case 'limit':
      return `limit ${name(by.limit)}`;
    case 'suspendedGrant':
      return `suspended grant ${short(by.grantId)}`;
    case 'default':
      return 'default';
    case 'noAnswer':
      return `the lack of an answer (${by.cause})`;
  }
}

function call(subject: CallSubject): string {
  return `[${short(subject.callId)}] ${name(subject.serverId)} · ${name(subject.tool)} (${caller(subject.caller)})`;
}

function caller(value: Caller): string {
  return value.label === '' ? value.kind : `${value.kind}: ${short(value.label)}`;
}

function changes(lists: {
  added: readonly string[];
  removed: readonly string[];
  changed: readonly string[];
}): string {
  const parts = [
    ['added', lists.added],
    ['removed', lists.removed],
    ['changed', lists.changed],
  ] as const;
  const told = parts.filter(([, names]) => names.length > 0);
  if (told.length === 0) return 'no difference';
  return told.map(([what, names]) => `${what} ${list(names)}`).join('; ');
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((item) => name(item));
  return names.length > 5 ? `${shown.join(', ')} and ${names.length - 5} more` : shown.join(', ');
}

const info = (text: string): EventLine => ({ level: 'info', text });
const warning = (text: string): EventLine => ({ level: 'warning', text });
const error = (text: string): EventLine => ({ level: 'error', text });
const short = (text: string): string => visibleLine(text, 80);
const long = (text: string): string => visibleLine(text, 1_000);
const name = (text: string): string => `"${visibleLine(text, 120)}"`;
const ms = (duration: number): string => `${Math.round(duration)} ms`;
const because = (reason: string | undefined): string =>
  reason === undefined ? '' : `: ${visibleLine(reason, 400)}`;
const json = (value: unknown): string => visibleLine(JSON.stringify(value) ?? '', 400);
