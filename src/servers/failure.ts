import { errorMessage, HostError, RpcError } from '../base/errors.ts';
import type { Failure } from './serverState.ts';

const stderrLines = 10;

/** Turns what ended a server into words for a person: the server, the cause, the last words it printed. */
export function describeFailure(error: unknown, serverId: string): Failure {
  const stderr = error instanceof HostError ? readLines(error.details['stderr']) : [];
  return { message: `Server "${serverId}": ${sentence(error)}`, stderr };
}

function sentence(error: unknown): string {
  if (error instanceof RpcError) return `it answered with error ${error.code}: ${error.message}`;
  return errorMessage(error);
}

function readLines(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((line) => typeof line === 'string').slice(-stderrLines);
}
