import type { Clock } from '../base/clock.ts';
import { type Disposable, toDisposable } from '../base/disposable.ts';
import type { UsageCounts } from './limits.ts';
import { RecentTimes } from './recentTimes.ts';

/** A call as counters see it. */
export interface CountedCall {
  readonly serverId: string;
  readonly toolName: string;
  /** Digest of the arguments; `undefined` if there is none: then calls of the tool count as identical. */
  readonly argsDigest: string | undefined;
  /** One chat turn or client session (`Caller.turn`). */
  readonly turn: string | undefined;
}

interface Turn {
  total: number;
  readonly identical: Map<string, number>;
}

const minuteMs = 60_000;
/** Turns that are remembered; an older one begins to count anew. */
const maxTurns = 200;
const maxIdentical = 10_000;

/** Counts calls for the limits, in memory. What a person has allowed begins the count anew: they know the numbers. */
export class CallCounters {
  readonly #clock: Clock;
  readonly #begunByTool = new Map<string, RecentTimes>();
  readonly #begunByServer = new Map<string, RecentTimes>();
  readonly #running = new Map<string, number>();
  readonly #turns = new Map<string, Turn>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The counts before a call, for `decide`. */
  counts(call: CountedCall): UsageCounts {
    const now = this.#clock.monotonic();
    const turn = call.turn === undefined ? undefined : this.#turns.get(call.turn);
    return {
      callsPerMinutePerTool: this.#recent(this.#begunByTool, toolKey(call), now),
      callsPerMinutePerServer: this.#recent(this.#begunByServer, call.serverId, now),
      identicalCallsPerTurn: turn?.identical.get(callKey(call)) ?? 0,
      simultaneousCallsPerServer: this.#running.get(call.serverId) ?? 0,
      callsPerTurn: turn?.total ?? 0,
    };
  }

  /**
   * Counts a call that goes out now; dispose when it has ended.
   * @param byPerson a person was asked about this very call and allowed it
   */
  begin(call: CountedCall, byPerson: boolean): Disposable {
    const now = this.#clock.monotonic();
    this.#note(this.#begunByTool, toolKey(call), now, byPerson);
    this.#note(this.#begunByServer, call.serverId, now, byPerson);
    if (call.turn !== undefined) this.#countInTurn(call.turn, callKey(call), byPerson);
    this.#running.set(call.serverId, (this.#running.get(call.serverId) ?? 0) + 1);
    return toDisposable(() => {
      const rest = (this.#running.get(call.serverId) ?? 1) - 1;
      if (rest > 0) this.#running.set(call.serverId, rest);
      else this.#running.delete(call.serverId);
    });
  }

  #note(begun: Map<string, RecentTimes>, key: string, now: number, anew: boolean): void {
    const times = begun.get(key) ?? new RecentTimes(minuteMs);
    begun.set(key, times);
    if (anew) times.restart(now);
    else times.add(now);
  }

  #recent(begun: Map<string, RecentTimes>, key: string, now: number): number {
    const count = begun.get(key)?.count(now) ?? 0;
    // Forgotten as soon as nothing is left, so that the maps hold only what was used within the minute it was asked.
    if (count === 0) begun.delete(key);
    return count;
  }

  #countInTurn(id: string, key: string, anew: boolean): void {
    const turn = this.#turns.get(id) ?? { total: 0, identical: new Map<string, number>() };
    turn.total = anew ? 1 : turn.total + 1;
    turn.identical.set(key, anew ? 1 : (turn.identical.get(key) ?? 0) + 1);
    if (turn.identical.size > maxIdentical) turn.identical.clear();
    // The latest used stands last, so the first is the one to forget.
    this.#turns.delete(id);
    this.#turns.set(id, turn);
    if (this.#turns.size <= maxTurns) return;
    const [oldest] = this.#turns.keys();
    if (oldest !== undefined) this.#turns.delete(oldest);
  }
}

/** Ids and names may hold any character, so they are kept apart by length. */
function toolKey({ serverId, toolName }: CountedCall): string {
  return `${serverId.length}:${serverId}${toolName}`;
}

function callKey({ serverId, toolName, argsDigest = '' }: CountedCall): string {
  return `${serverId.length}:${serverId}${toolName.length}:${toolName}${argsDigest}`;
}
