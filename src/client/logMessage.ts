import type { JsonObject } from '../base/json.ts';
import type { LogLevel, LogMessage } from '../protocol/model.ts';

const levels: ReadonlySet<unknown> = new Set<LogLevel>([
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
]);

function isLevel(value: unknown): value is LogLevel {
  return levels.has(value);
}

/** Reads a log notification. A severity that does not exist counts as `info`. */
export function readLogMessage(params: JsonObject | undefined): LogMessage {
  const level = params?.['level'];
  const logger = params?.['logger'];
  return {
    level: isLevel(level) ? level : 'info',
    ...(typeof logger === 'string' ? { logger } : undefined),
    data: params?.['data'] ?? null,
  };
}
