import { type JsonObject, isJsonObject } from '../base/json.ts';
import { callerKinds } from '../shared/caller.ts';
import {
  type Decoder,
  decode,
  list,
  literal,
  number,
  object,
  oneOf,
  optional,
  text,
  union,
} from '../shared/decode.ts';
import { readConditions } from './conditionParser.ts';
import type { Grant, GrantScope } from './grant.ts';
import type { PolicyProblem } from './rule.ts';
import type { ReadState, StateCodec } from './stateStore.ts';

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
const name = text(10_000);
const time = number(0);
const mark = text(200);
/** No limit that a person could meet; only one that keeps a broken file from filling the memory. */
const unlimited = 10_000_000;

const scope: Decoder<GrantScope> = union<GrantScope>({
  session: object({ kind: literal('session') }),
  workspace: object({ kind: literal('workspace'), workspace: name, name }),
  everywhere: object({ kind: literal('everywhere') }),
});

const jsonObject: Decoder<JsonObject> = (value, path) => {
  if (isJsonObject(value)) return value;
  // Told apart from other failures by the caller, who only wants a text.
  throw new TypeError(`${path}: expected an object`);
};

const record = object({
  id: mark,
  serverId: name,
  toolName: name,
  scope,
  callers: optional(list(oneOf(callerKinds), callerKinds.length)),
  args: jsonObject,
  argsDigest: optional(mark),
  pins: object({ tool: mark, launch: mark }),
  createdAt: time,
  createdFrom: name,
  uses: number(0),
  lastUsedAt: optional(time),
});

const stored = object({
  grants: list(record, unlimited),
  revocations: object({ all: time, servers: jsonObject }),
  snapshots: jsonObject,
});

/** The stored form: JSON with a version, indented so that a person can read it. */
export const grantCodec: StateCodec<GrantState> = {
  empty: emptyGrantState,
  parse(source): ReadState<GrantState> {
    try {
      const value: unknown = JSON.parse(source);
      if (!isJsonObject(value)) return { kind: 'corrupt', problem: 'it is not a JSON object' };
      const found = value['version'];
      if (typeof found === 'number' && found > version) return { kind: 'newer' };
      if (found !== version) return { kind: 'corrupt', problem: 'it does not say its version' };
      const decoded = decode(stored, value);
      if (!decoded.ok) return { kind: 'corrupt', problem: decoded.problem };
      return { kind: 'state', state: readState(decoded.value) };
    } catch (error) {
      return { kind: 'corrupt', problem: error instanceof Error ? error.message : 'it is not JSON' };
    }
  },
  format: (state) => `${JSON.stringify(exportGrants(state), undefined, 2)}\n`,
};

type Stored = typeof stored extends Decoder<infer T> ? T : never;
type StoredRecord = typeof record extends Decoder<infer T> ? T : never;

function readState({ grants, revocations, snapshots }: Stored): GrantState {
  const servers = Object.entries(revocations.servers).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  );
  return {
    records: new Map(grants.map((entry) => [entry.id, readRecord(entry)])),
    revocations: { all: revocations.all, servers: new Map(servers) },
    snapshots: new Map(
      Object.entries(snapshots).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1])),
    ),
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
