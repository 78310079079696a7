import { isJsonObject } from '../base/json.ts';
import { type Report, describe, reportUnknownKeys } from './report.ts';

/** Most calls that go ahead without a person. `undefined`: no limit. */
export interface Limits {
  /** Calls of one tool that began in the last minute. */
  readonly callsPerMinutePerTool: number | undefined;
  /** Calls of all tools of one server that began in the last minute. */
  readonly callsPerMinutePerServer: number | undefined;
  /** Calls of one tool with the same arguments in one turn. */
  readonly identicalCallsPerTurn: number | undefined;
  /** Calls of one server that are running. */
  readonly simultaneousCallsPerServer: number | undefined;
  /** Calls of all servers in one turn. */
  readonly callsPerTurn: number | undefined;
}

export type LimitName = keyof Limits;

/** How many calls there are already, the one to be decided not counted. */
export type UsageCounts = Readonly<Record<LimitName, number>>;

/** A limit that the call to be decided would go over. */
export interface LimitExceeded {
  readonly limit: LimitName;
  readonly max: number;
  /** With the call to be decided. */
  readonly count: number;
}

export const noUsage: UsageCounts = {
  callsPerMinutePerTool: 0,
  callsPerMinutePerServer: 0,
  identicalCallsPerTurn: 0,
  simultaneousCallsPerServer: 0,
  callsPerTurn: 0,
};

export const defaultLimits: Limits = {
  callsPerMinutePerTool: 60,
  callsPerMinutePerServer: 120,
  identicalCallsPerTurn: 3,
  simultaneousCallsPerServer: 10,
  callsPerTurn: 100,
};

/** Without any limit; what a stricter source is combined with. */
export const noLimits: Limits = {
  callsPerMinutePerTool: undefined,
  callsPerMinutePerServer: undefined,
  identicalCallsPerTurn: undefined,
  simultaneousCallsPerServer: undefined,
  callsPerTurn: undefined,
};

/** The order in which a person is told: what most likely is a mistake first. */
export const limitNames = [
  'identicalCallsPerTurn',
  'callsPerTurn',
  'callsPerMinutePerTool',
  'callsPerMinutePerServer',
  'simultaneousCallsPerServer',
] as const satisfies readonly LimitName[];

/** The limits that one more call would go over. */
export function exceededLimits(limits: Limits, usage: UsageCounts): readonly LimitExceeded[] {
  const exceeded: LimitExceeded[] = [];
  for (const limit of limitNames) {
    const max = limits[limit];
    const count = usage[limit] + 1;
    if (max !== undefined && count > max) exceeded.push({ limit, max, count });
  }
  return exceeded;
}

/** The tighter of two, limit by limit. */
export function tighterLimits(left: Limits, right: Limits): Limits {
  const tighter = (name: LimitName): number | undefined => {
    const [a, b] = [left[name], right[name]];
    return a === undefined ? b : b === undefined ? a : Math.min(a, b);
  };
  return {
    callsPerMinutePerTool: tighter('callsPerMinutePerTool'),
    callsPerMinutePerServer: tighter('callsPerMinutePerServer'),
    identicalCallsPerTurn: tighter('identicalCallsPerTurn'),
    simultaneousCallsPerServer: tighter('simultaneousCallsPerServer'),
    callsPerTurn: tighter('callsPerTurn'),
  };
}

/** Reads limits; a value of 0 means none. What is missing or wrong is taken from `fallback`. */
export function parseLimits(value: unknown, fallback: Limits, report: Report): Limits {
  if (value === undefined || value === null) return fallback;
  if (!isJsonObject(value)) {
    report([], `must be an object such as {"callsPerTurn": 100}, but is ${describe(value)}.`);
    return fallback;
  }
  reportUnknownKeys(value, limitNames, [], report);
  const read = (name: LimitName): number | undefined => {
    const given = value[name];
    if (given === undefined) return fallback[name];
    if (typeof given === 'number' && Number.isSafeInteger(given) && given >= 0) {
      return given === 0 ? undefined : given;
    }
    report([name], `must be a whole number (0: no limit), but is ${describe(given)}.`);
    return fallback[name];
  };
  return {
    callsPerMinutePerTool: read('callsPerMinutePerTool'),
    callsPerMinutePerServer: read('callsPerMinutePerServer'),
    identicalCallsPerTurn: read('identicalCallsPerTurn'),
    simultaneousCallsPerServer: read('simultaneousCallsPerServer'),
    callsPerTurn: read('callsPerTurn'),
  };
}
