import type { JsonObject } from '../base/json.ts';
import { type Decoder, list, number, object, optional } from '../shared/decode.ts';
import type { GrantPins } from './grant.ts';
import { anyObject, readSnapshots, storedMark, storedName, versionedCodec } from './versionedCodec.ts';

/** A tool as history is kept of it. `workspace` is set for servers that a workspace defines. */
export interface ToolKey {
  readonly serverId: string;
  readonly workspace: string | undefined;
  readonly toolName: string;
}

/** What is known of one tool from before. */
export interface ToolPin extends ToolKey {
  /** What the person last allowed, once or for longer; `undefined`: never. `at`: milliseconds since 1970. */
  readonly allowed: (GrantPins & { readonly at: number }) | undefined;
  /** Calls that were sent. */
  readonly calls: number;
  /** Milliseconds since 1970; for leaving out the longest unused. */
  readonly lastSeenAt: number;
}

/** A launch that a person agreed to. */
export interface TrustedLaunch {
  readonly serverId: string;
  readonly workspace: string | undefined;
  readonly fingerprint: string;
  /** Milliseconds since 1970. */
  readonly trustedAt: number;
}

/** Immutable. */
export interface PinState {
  /** By `toolKeyText`. */
  readonly tools: ReadonlyMap<string, ToolPin>;
  readonly launches: readonly TrustedLaunch[];
  /** Definitions and launches by fingerprint. */
  readonly snapshots: ReadonlyMap<string, JsonObject>;
}

/** What the notes beside an approval say of a tool's past. */
export interface ToolHistory {
  /** No person has ever allowed a call of it. */
  readonly isNew: boolean;
  /** Since a person last allowed a call. */
  readonly toolChanged: boolean;
  readonly launchChanged: boolean;
  /** Calls that have been sent, ever. */
  readonly calls: number;
}

export const emptyPinState: PinState = { tools: new Map(), launches: [], snapshots: new Map() };

const version = 1;
/** Older ones are forgotten and count as new again, which only ever asks more. */
const maxTools = 5000;
/** In characters of JSON. */
const maxSnapshot = 256 * 1024;

/** One text for each key, whatever characters the names hold. */
export function toolKeyText({ serverId, workspace, toolName }: ToolKey): string {
  return JSON.stringify([serverId, workspace ?? null, toolName]);
}

/** Changes the pin of one tool, which is made if it is not there. */
export function withTool(
  state: PinState,
  key: ToolKey,
  now: number,
  change: (pin: ToolPin) => Partial<ToolPin>,
): PinState {
  const text = toolKeyText(key);
  const { serverId, workspace, toolName } = key;
  const pin = state.tools.get(text) ?? {
    serverId,
    workspace,
    toolName,
    allowed: undefined,
    calls: 0,
    lastSeenAt: now,
  };
  const tools = new Map(state.tools).set(text, { ...pin, ...change(pin), lastSeenAt: now });
  if (tools.size <= maxTools) return { ...state, tools };
  const newest = Array.from(tools).sort(([, a], [, b]) => b.lastSeenAt - a.lastSeenAt);
  return { ...state, tools: new Map(newest.slice(0, maxTools)) };
}

/** Keeps definitions that something refers to, drops the others. */
export function withSnapshots(
  state: PinState,
  added: readonly (readonly [fingerprint: string, value: JsonObject | undefined])[],
): PinState {
  const used = new Set([
    ...Array.from(state.tools.values()).flatMap(({ allowed }) =>
      allowed === undefined ? [] : [allowed.tool, allowed.launch],
    ),
    ...state.launches.map(({ fingerprint }) => fingerprint),
  ]);
  const snapshots = new Map(Array.from(state.snapshots).filter(([fingerprint]) => used.has(fingerprint)));
  for (const [fingerprint, value] of added) {
    if (value !== undefined && JSON.stringify(value).length <= maxSnapshot) snapshots.set(fingerprint, value);
  }
  return { ...state, snapshots };
}

const stored = object({
  tools: list(
    object({
      serverId: storedName,
      workspace: optional(storedName),
      toolName: storedName,
      allowed: optional(object({ tool: storedMark, launch: storedMark, at: number(0) })),
      calls: number(0),
      lastSeenAt: number(0),
    }),
    1_000_000,
  ),
  launches: list(
    object({
      serverId: storedName,
      workspace: optional(storedName),
      fingerprint: storedMark,
      trustedAt: number(0),
    }),
    1_000_000,
  ),
  snapshots: anyObject,
});

/** The stored form. */
export const pinCodec = versionedCodec<Stored, PinState>({
  version,
  empty: emptyPinState,
  stored,
  read: readState,
  write: ({ tools, launches, snapshots }) => ({
    tools: Array.from(tools.values()),
    launches,
    snapshots: Object.fromEntries(snapshots),
  }),
});

type Stored = typeof stored extends Decoder<infer T> ? T : never;

function readState({ tools, launches, snapshots }: Stored): PinState {
  const pins = tools.map(({ workspace, allowed, ...rest }): ToolPin => ({ ...rest, workspace, allowed }));
  return {
    tools: new Map(pins.map((pin) => [toolKeyText(pin), pin])),
    launches: launches.map(({ workspace, ...rest }) => ({ ...rest, workspace })),
    snapshots: readSnapshots(snapshots),
  };
}
