import type { JsonObject, JsonValue } from '../../base/json.ts';
import { KeyedDigest } from './keyedDigest.ts';
import { type KnownSecrets, noKnownSecrets } from './knownSecrets.ts';
import { type WeighedText, cutPlaceholder, digestPlaceholder, weighedPlaceholder } from './placeholder.ts';
import { redactText } from './redactText.ts';
import { SecretMembers } from './secretMembers.ts';

/** How arguments and results are kept: as they are, without their secrets, or only as a digest. */
export const storageModes = ['full', 'redacted', 'digest'] as const;
export type StorageMode = (typeof storageModes)[number];

export interface RedactorLimits {
  /** Characters of one text within arguments or results. */
  readonly text: number;
  /** Characters of arguments or a result as a whole. */
  readonly payload: number;
  /** Characters of any other text: a name, a reason, an error message. */
  readonly note: number;
}

export const redactorLimits: Readonly<Record<StorageMode, RedactorLimits>> = {
  full: { text: 1_000_000, payload: 4_000_000, note: 4_000 },
  redacted: { text: 8_000, payload: 200_000, note: 2_000 },
  digest: { text: 0, payload: 0, note: 2_000 },
};

const maximumDepth = 60;
const maximumNodes = 50_000;
/** Few: what never comes again, such as the name of a turn, lands among them too. */
const rememberedNotes = 500;
const cutNested = '[cut:nested]';

/** What is left to spend on one value, and how its texts are cut. */
interface Walk {
  readonly textLimit: number;
  nodes: number;
  characters: number;
}

/** Makes what is written safe to keep: no secrets, no endless values. Never throws. */
export class Redactor {
  readonly digest: KeyedDigest;
  readonly storage: StorageMode;
  readonly #limits: RedactorLimits;
  readonly #members: SecretMembers;
  #known: KnownSecrets = noKnownSecrets;
  #notes = new Map<string, string>();

  constructor(digest: KeyedDigest, storage: StorageMode) {
    this.digest = digest;
    this.storage = storage;
    this.#limits = redactorLimits[storage];
    this.#members = new SecretMembers(digest);
  }

  get known(): KnownSecrets {
    return this.#known;
  }
  set known(secrets: KnownSecrets) {
    this.#known = secrets;
    this.#notes = new Map();
  }

  /** A name, a reason, a message. */
  note(text: string): string {
    // The same few names come again with every call.
    if (text.length > 60) return this.#text(text, this.#limits.note);
    const remembered = this.#notes.get(text);
    if (remembered !== undefined) return remembered;
    const kept = this.#text(text, this.#limits.note);
    if (this.#notes.size >= rememberedNotes) this.#notes.clear();
    this.#notes.set(text, kept);
    return kept;
  }

  /** Any JSON that is not payload: its texts are notes. */
  notes(value: JsonValue): JsonValue {
    if (typeof value === 'string') return this.note(value);
    if (typeof value === 'number') return this.#number(value);
    if (typeof value === 'boolean') return value;
    return this.#whole(value, this.#limits.note, Infinity);
  }

  /** Arguments, a result, a raw message: by the storage setting. `weighed`: its JSON text, if that was written already. */
  payload(value: JsonValue, weighed?: WeighedText): JsonValue {
    if (this.storage === 'digest') {
      return weighed === undefined
        ? digestPlaceholder(jsonText(value), this.digest)
        : weighedPlaceholder('digest', weighed);
    }
    return this.#whole(value, this.#limits.text, this.#limits.payload, weighed);
  }

  #whole(value: JsonValue, textLimit: number, characters: number, weighed?: WeighedText): JsonValue {
    const walk: Walk = { textLimit, nodes: maximumNodes, characters };
    const kept = this.#walk(value, 0, walk);
    // The digest is of the whole value, so that equal values stay comparable.
    if (walk.characters >= 0) return kept;
    return weighed === undefined
      ? cutPlaceholder('json', jsonText(value), this.digest)
      : weighedPlaceholder('cut:json', weighed);
  }

  #text(text: string, limit: number): string {
    if (text === '') return text;
    return redactText(text, limit, {
      known: this.#known,
      shapes: this.storage !== 'full',
      digest: this.digest,
    });
  }

  #walk(value: JsonValue, depth: number, walk: Walk): JsonValue {
    if (typeof value === 'string') {
      const kept = walk.characters < 0 ? '' : this.#text(value, walk.textLimit);
      walk.characters -= kept.length + 2;
      return kept;
    }
    walk.characters -= 6;
    if (typeof value === 'number') return this.#number(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= maximumDepth || walk.characters < 0) return cutNested;
    return isList(value) ? this.#list(value, depth + 1, walk) : this.#object(value, depth + 1, walk);
  }

  #list(list: readonly JsonValue[], depth: number, walk: Walk): JsonValue {
    let changed: JsonValue[] | undefined;
    for (let index = 0; index < list.length; index++) {
      if (isSpent(walk)) break;
      const item = list[index] ?? null;
      const kept = this.#walk(item, depth, walk);
      if (kept === item) continue;
      // Copied only when needed: most values have nothing to hide.
      changed ??= list.slice();
      changed[index] = kept;
    }
    return changed ?? list;
  }

  #object(object: JsonObject, depth: number, walk: Walk): JsonValue {
    const keys = Object.keys(object);
    let changed: [string, JsonValue][] | undefined;
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] ?? '';
      const value = object[key];
      if (value === undefined) continue;
      if (isSpent(walk)) break;
      walk.characters -= key.length + 4;
      const keptKey = this.note(key);
      const hidden = this.storage === 'full' ? undefined : this.#members.hide(key, value, object);
      const kept = this.#walk(hidden ?? value, depth, walk);
      if (changed === undefined && (kept !== value || keptKey !== key)) {
        changed = keys.slice(0, index).flatMap((earlier): [string, JsonValue][] => {
          const item = object[earlier];
          return item === undefined ? [] : [[earlier, item]];
        });
      }
      changed?.push([keptKey, kept]);
    }
    // `fromEntries` defines members, so a foreign `__proto__` stays an ordinary one.
    return changed === undefined ? object : Object.fromEntries(changed);
  }

  /** A configured secret may be a number. */
  #number(value: number): JsonValue {
    if (this.#known.anywhere === undefined && this.#known.whole.size === 0) return value;
    const text = String(value);
    const rules = { known: this.#known, shapes: false, digest: this.digest };
    const kept = redactText(text, text.length, rules);
    return kept === text ? value : kept;
  }
}

/** Counts one more member. What is too much ends here, and is then cut as a whole. */
function isSpent(walk: Walk): boolean {
  if (--walk.nodes < 0) walk.characters = -1;
  return walk.characters < 0;
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** JSON text of anything, for digests. A value too deep to print is no reason to stop a call. */
export function jsonText(value: JsonValue): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '"[unprintable]"';
  }
}
