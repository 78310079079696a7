import { canonicalJson } from '../base/canonicalJson.ts';
import type { JsonObject } from '../base/json.ts';
import type { CountSince } from './countBuffer.ts';
import type { Grant } from './grant.ts';
import type { GrantRecord, GrantState, Revocations } from './grantState.ts';

/** Largest definition kept to show differences from, in characters of its JSON. */
const maxSnapshot = 256 * 1024;

/** Adds a grant. One for the same calls, whatever its pins, gives way to it: the person has decided anew. */
export function withGrant(
  state: GrantState,
  grant: Grant,
  snapshots: { readonly tool: JsonObject | undefined; readonly launch: JsonObject | undefined },
): GrantState {
  const key = coverage(grant);
  const records = new Map(Array.from(state.records).filter(([, other]) => coverage(other.grant) !== key));
  records.set(grant.id, { grant, uses: 0, lastUsedAt: undefined });
  const kept = new Map(state.snapshots);
  if (isKept(snapshots.tool)) kept.set(grant.pins.tool, snapshots.tool);
  if (isKept(snapshots.launch)) kept.set(grant.pins.launch, snapshots.launch);
  return withoutUnused({ ...state, records, snapshots: kept });
}

/** Takes grants away. Gives back the same state if there is none of them. */
export function withoutGrants(state: GrantState, goes: (grant: Grant) => boolean): GrantState {
  const records = new Map(Array.from(state.records).filter(([, { grant }]) => !goes(grant)));
  return records.size === state.records.size ? state : withoutUnused({ ...state, records });
}

/** Notes that everything of a server, or (`undefined`) everything, was withdrawn at a time. */
export function withRevocation(state: GrantState, serverId: string | undefined, at: number): GrantState {
  const { all, servers } = state.revocations;
  const revocations: Revocations =
    serverId === undefined
      ? { all: at, servers: new Map() }
      : { all, servers: new Map([...servers, [serverId, at]]) };
  return { ...state, revocations };
}

/** Adds uses. Those of grants that are gone are dropped. */
export function withUses(state: GrantState, counts: ReadonlyMap<string, CountSince>): GrantState {
  const records = new Map(state.records);
  let changed = false;
  for (const [id, count] of counts) {
    const record = records.get(id);
    if (record === undefined) continue;
    records.set(id, addUses(record, count));
    changed = true;
  }
  return changed ? { ...state, records } : state;
}

/** A record with uses that are not stored yet. */
export function addUses(record: GrantRecord, { count, lastAt }: CountSince): GrantRecord {
  return {
    grant: record.grant,
    uses: record.uses + count,
    lastUsedAt: Math.max(record.lastUsedAt ?? 0, lastAt),
  };
}

/** Whether a session grant has been ended by a later withdrawal, possibly in another window. */
export function isRevoked(grant: Grant, { all, servers }: Revocations): boolean {
  return grant.createdAt <= Math.max(all, servers.get(grant.serverId) ?? 0);
}

/** What a grant covers, pins left out. */
function coverage({ serverId, toolName, scope, callers, args, argsDigest }: Grant): string {
  const where = scope.kind === 'workspace' ? scope.workspace : '';
  return JSON.stringify([
    serverId,
    toolName,
    scope.kind,
    where,
    callers === undefined ? null : callers.toSorted(),
    canonicalJson(args),
    argsDigest ?? null,
  ]);
}

function isKept(snapshot: JsonObject | undefined): snapshot is JsonObject {
  return snapshot !== undefined && JSON.stringify(snapshot).length <= maxSnapshot;
}

function withoutUnused(state: GrantState): GrantState {
  const used = new Set(
    Array.from(state.records.values()).flatMap(({ grant }) => [grant.pins.tool, grant.pins.launch]),
  );
  const snapshots = new Map(Array.from(state.snapshots).filter(([fingerprint]) => used.has(fingerprint)));
  return { ...state, snapshots };
}
