import type { Event } from '../base/event.ts';
import { errorMessage } from '../base/errors.ts';
import { startOfJson } from '../base/writeJson.ts';
import type { ConnectedClient } from '../client/connectedClient.ts';
import type { Era, LogLevel, LogMessage } from '../protocol/model.ts';
import type { ServerLogLine } from './connector.ts';
import type { WriteTheirs } from './serverLog.ts';

/** From which severity on a person sees the entries of a server's log. */
export type ShownLevel = ServerLogLine['level'] | 'off';

/** The severity that a server's log is looked at with, now and as it changes. */
export interface ShownLevelSource {
  readonly level: () => ShownLevel;
  readonly onDidChange: Event<void>;
}

/** More characters of an entry are never written; making them would hold the thread. */
const mostText = 10_000;

const severities: Readonly<Record<ShownLevel, LogLevel>> = {
  trace: 'debug',
  debug: 'debug',
  info: 'info',
  warn: 'warning',
  error: 'error',
  off: 'emergency',
};

const entryLevels: Readonly<Record<LogLevel, ServerLogLine['level']>> = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
};

/**
 * What to ask a server for, given how its log is looked at: its own log only while somebody wants to see
 * everything. `keep`: nothing is said. A legacy server that was asked once cannot be told to forget it, so it
 * gets the severity that is looked at instead (specification: logging).
 */
export function levelToAsk(shown: ShownLevel, era: Era, asked: boolean): LogLevel | 'none' | 'keep' {
  const severity = severities[shown];
  if (severity === 'debug') return severity;
  if (!asked) return 'keep';
  return era === 'modern' ? 'none' : severity;
}

/** A server's log message as text for its log, at the level that `entryLevel` gives. */
export function logText({ level, logger, data }: LogMessage): string {
  const text = typeof data === 'string' ? data : startOfJson(data, mostText);
  // The rest of the entry must not be pushed out of sight by a name.
  const from = logger === undefined || logger === '' ? '' : `[${logger.slice(0, 100)}] `;
  // "notice" and "critical" have no level of their own in the log, and the difference matters.
  const exact = entryLevel(level) === level || level === 'warning' ? '' : `${level}: `;
  return `${from}${exact}${text}`;
}

/** The level of the log that a severity is written with. */
export function entryLevel(severity: LogLevel): ServerLogLine['level'] {
  return entryLevels[severity];
}

/**
 * Writes the log messages of a server, and asks for them while its log is looked at in detail. Lasts as long as
 * the connection.
 */
export function followLog(
  client: ConnectedClient,
  shown: ShownLevelSource | undefined,
  write: WriteTheirs,
): void {
  client.onLogMessage((message) => write(entryLevel(message.level), () => logText(message)));
  if (shown === undefined) return;
  let asked: LogLevel | 'none' | undefined;
  const apply = (): void => {
    const level = levelToAsk(shown.level(), client.era, asked !== undefined);
    if (level === 'keep' || level === asked) return;
    asked = level;
    client.setLogLevel(level === 'none' ? undefined : level).catch((error: unknown) => {
      write('warn', () => `The server does not take the log level: ${errorMessage(error)}`);
    });
  };
  apply();
  const following = shown.onDidChange(apply);
  client.onClosed(() => following.dispose());
}
