import { type JsonObject, isJsonObject } from '../base/json.ts';
import { type Decoder, decode, text } from '../shared/decode.ts';
import type { ReadState, StateCodec } from './stateStore.ts';

/** Ids, names and labels. */
export const storedName = text(10_000);
/** Fingerprints and ids of our own. */
export const storedMark = text(200);

/** Any JSON object; what is in it is for the reader to judge. */
export const anyObject: Decoder<JsonObject> = (value, path) => {
  if (isJsonObject(value)) return value;
  // Told apart from other failures by the codec, which only wants a text.
  throw new TypeError(`${path}: expected an object`);
};

/** Definitions and launches by fingerprint; what is no object among them is left out. */
export function readSnapshots(snapshots: JsonObject): ReadonlyMap<string, JsonObject> {
  return new Map(
    Object.entries(snapshots).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1])),
  );
}

/** State as JSON text that says its version, indented so that a person can read it. */
export function versionedCodec<Stored, State>(options: {
  readonly version: number;
  readonly empty: State;
  readonly stored: Decoder<Stored>;
  /** May throw on what cannot be taken over; the whole then counts as corrupt. */
  readonly read: (stored: Stored) => State;
  /** Without the version. */
  readonly write: (state: State) => object;
}): StateCodec<State> {
  const { version, empty, stored, read, write } = options;
  return {
    empty,
    parse(source): ReadState<State> {
      try {
        const value: unknown = JSON.parse(source);
        if (!isJsonObject(value)) return { kind: 'corrupt', problem: 'it is not a JSON object' };
        const found = value['version'];
        if (typeof found === 'number' && found > version) return { kind: 'newer' };
        if (found !== version) return { kind: 'corrupt', problem: 'it does not say its version' };
        const decoded = decode(stored, value);
        return decoded.ok
          ? { kind: 'state', state: read(decoded.value) }
          : { kind: 'corrupt', problem: decoded.problem };
      } catch (error) {
        return { kind: 'corrupt', problem: error instanceof Error ? error.message : 'it is not JSON' };
      }
    },
    format: (state) => `${JSON.stringify({ version, ...write(state) }, undefined, 2)}\n`,
  };
}
