import type { JsonObject } from '../base/json.ts';
import { callerKinds } from '../shared/caller.ts';
import { type Decoder, list, literal, number, object, oneOf, optional, union } from '../shared/decode.ts';
import { readConditions } from './conditionParser.ts';
import type { Grant, GrantScope } from './grant.ts';
import type { PolicyProblem } from './rule.ts';
import { anyObject, readSnapshots, storedMark, storedName, versionedCodec } from './versionedCodec.ts';

/** A grant with how often and when last it was used. */
export interface GrantRecord {
  readonly grant: Grant;
  readonly uses: number;
  /** Milliseconds since 1970. */
  readonly lastUsedAt: number | undefined;
}

/** When everything, or everything of a server, was last withdrawn. Ends the session grants of other windows too. */
export interface Revocations {
  /** Milliseconds since 1970; 0 is never. */
  readonly all: number;
  readonly servers: ReadonlyMap<string, number>;
}

/** All that is stored about grants. Immutable. */
export interface GrantState {
  readonly records: ReadonlyMap<string, GrantRecord>;
  readonly revocations: Revocations;
  /** Definitions of tools and launches at the time they were allowed, by fingerprint, to show what changed. */
  readonly snapshots: ReadonlyMap<string, JsonObject>;
}

export const emptyGrantState: GrantState = {
  records: new Map(),
  revocations: { all: 0, servers: new Map() },
  snapshots: new Map(),
};

const version = 1;
const time = number(0);
/** No limit that a person could meet; only one that keeps a broken file from filling the memory. */
const unlimited = 10_000_000;

const scope: Decoder<GrantScope> = union<GrantScope>({
  session: object({ kind: literal('session') }),
  workspace: object({ kind: literal('workspace'), workspace: storedName, name: storedName }),
  everywhere: object({ kind: literal('everywhere') }),
});

const record = object({
  id: storedMark,
  serverId: storedName,
  toolName: storedName,
  scope,
  callers: optional(list(oneOf(callerKinds), callerKinds.length)),
  args: anyObject,
  argsDigest: optional(storedMark),
  pins: object({ tool: storedMark, launch: storedMark }),
  createdAt: time,
  createdFrom: storedName,
  uses: number(0),
  lastUsedAt: optional(time),
});

const stored = object({
  grants: list(record, unlimited),
  revocations: object({ all: time, servers: anyObject }),
  snapshots: anyObject,
});

/** The stored form. */
export const grantCodec = versionedCodec<Stored, GrantState>({
  version,
  empty: emptyGrantState,
  stored,
  read: readState,
  write: exportGrants,
});

type Stored = typeof stored extends Decoder<infer T> ? T : never;
type StoredRecord = typeof record extends Decoder<infer T> ? T : never;

function readState({ grants, revocations, snapshots }: Stored): GrantState {
  const servers = Object.entries(revocations.servers).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  );
  return {
    records: new Map(grants.map((entry) => [entry.id, readRecord(entry)])),
    revocations: { all: revocations.all, servers: new Map(servers) },
    snapshots: readSnapshots(snapshots),
  };
}

function readRecord({ uses, lastUsedAt, callers, args, argsDigest, ...rest }: StoredRecord): GrantRecord {
  const problems: PolicyProblem['message'][] = [];
  const conditions = readConditions(args, (key, message) => problems.push(`${key.join('.')} ${message}`));
  // A condition that is not understood must not be left out: the grant would allow more than the person did.
  if (problems.length > 0) throw new TypeError(`grant ${rest.id}: ${problems.join(' ')}`);
  return { grant: { ...rest, callers, args: conditions, argsDigest }, uses, lastUsedAt };
}

/** The state as plain JSON, for the file and for the person's export. */
export function exportGrants({ records, revocations, snapshots }: GrantState): JsonObject {
  return {
    version,
    grants: Array.from(records.values(), ({ grant, uses, lastUsedAt }) => {
      const { callers, argsDigest, args, scope, pins, ...rest } = grant;
      return {
        ...rest,
        scope: { ...scope },
        pins: { ...pins },
        args: JSON.parse(JSON.stringify(args)),
        ...(callers === undefined ? {} : { callers }),
        ...(argsDigest === undefined ? {} : { argsDigest }),
        uses,
        ...(lastUsedAt === undefined ? {} : { lastUsedAt }),
      };
    }),
    revocations: { all: revocations.all, servers: Object.fromEntries(revocations.servers) },
    snapshots: Object.fromEntries(snapshots),
  };
}
