import type { JsonValue } from '../../base/json.ts';
import { KeyedDigest } from './keyedDigest.ts';
import { type KnownSecrets, noKnownSecrets } from './knownSecrets.ts';
import { cutPlaceholder, digestPlaceholder, secretPlaceholder } from './placeholder.ts';
import { redactText } from './redactText.ts';
import { isHarmlessHeader, secretKey } from './secretKey.ts';

/** How arguments and results are kept: as they are, without their secrets, or only as a digest. */
export const storageModes = ['full', 'redacted', 'digest'] as const;
export type StorageMode = (typeof storageModes)[number];

export interface RedactorLimits {
  /** Characters of one text within arguments or results. */
  readonly text: number;
  /** Characters of the JSON text of arguments or a result as a whole. */
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

/** Makes what is written safe to keep: no secrets, no endless values. Pure apart from its key and known secrets. */
export class Redactor {
  readonly digest: KeyedDigest;
  readonly storage: StorageMode;
  readonly #limits: RedactorLimits;
  #known: KnownSecrets = noKnownSecrets;

  constructor(key: Uint8Array, storage: StorageMode) {
    this.digest = new KeyedDigest(key);
    this.storage = storage;
    this.#limits = redactorLimits[storage];
  }

  set known(secrets: KnownSecrets) {
    this.#known = secrets;
  }

  /** A name, a reason, a message. Never throws. */
  note(text: string): string {
    return this.#text(text, this.#limits.note);
  }

  /** Any JSON that is not payload: the texts in it are notes. */
  notes(value: JsonValue): JsonValue {
    return this.#walk(value, { note: true, depth: 0, budget: { nodes: maximumNodes } });
  }

  /** Arguments, a result, a raw message: by the storage setting. Never throws. */
  payload(value: JsonValue): JsonValue {
    if (this.storage === 'digest') return digestPlaceholder(jsonText(value), this.digest);
    const kept = this.#walk(value, { note: false, depth: 0, budget: { nodes: maximumNodes } });
    const text = jsonText(kept);
    // The digest is of the whole value, so that equal values stay comparable.
    return text.length > this.#limits.payload ? cutPlaceholder('json', jsonText(value), this.digest) : kept;
  }

  #text(text: string, limit: number): string {
    if (text.length === 0) return text;
    const rules = { known: this.#known, shapes: this.storage !== 'full', digest: this.digest };
    return redactText(text, limit, rules);
  }

  #walk(value: JsonValue, at: Place): JsonValue {
    if (typeof value === 'string') return this.#text(value, at.note ? this.#limits.note : this.#limits.text);
    if (typeof value === 'number') return this.#number(value);
    if (typeof value !== 'object' || value === null) return value;
    if (at.depth >= maximumDepth || at.budget.nodes <= 0) return '[cut:nested]';
    const inside: Place = { note: at.note, depth: at.depth + 1, budget: at.budget };
    return isList(value) ? this.#list(value, inside) : this.#object(value, inside);
  }

  #list(list: readonly JsonValue[], inside: Place): JsonValue {
    let changed: JsonValue[] | undefined;
    for (const [index, item] of list.entries()) {
      inside.budget.nodes--;
      const kept = this.#walk(item, inside);
      if (kept === item) continue;
      // Copied only when needed: most values have nothing to hide.
      changed ??= list.slice();
      changed[index] = kept;
    }
    return changed ?? list;
  }

  #object(object: { readonly [key: string]: JsonValue | undefined }, inside: Place): JsonValue {
    const entries: [string, JsonValue][] = [];
    let changed = false;
    const named = this.storage === 'full' ? undefined : nameMember(object);
    for (const [key, value] of Object.entries(object)) {
      if (value === undefined) continue;
      inside.budget.nodes--;
      const keptKey = this.#text(key, this.#limits.note);
      const kept = this.#member(key, value, named, inside);
      if (kept !== value || keptKey !== key) changed = true;
      entries.push([keptKey, kept]);
    }
    // `fromEntries` defines members, so a foreign `__proto__` stays an ordinary one.
    return changed ? Object.fromEntries(entries) : object;
  }

  #member(key: string, value: JsonValue, named: string | undefined, inside: Place): JsonValue {
    if (this.storage === 'full') return this.#walk(value, inside);
    // {"name": "Authorization", "value": "…"}: the name of the value is a value itself.
    const name = named !== undefined && (key === 'value' || key === 'Value') ? named : key;
    const found = secretKey(name);
    if (found === undefined) return this.#walk(value, inside);
    if (found.reach === 'container') return this.#container(key, found.kind, value, inside);
    return this.#secret(found.kind, value, inside);
  }

  #container(key: string, kind: string, value: JsonValue, inside: Place): JsonValue {
    if (typeof value !== 'object' || value === null) return this.#walk(value, inside);
    if (isList(value)) return this.#list(value, inside);
    const headers = /headers?$/i.test(key);
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, item]): [string, JsonValue][] => {
        if (item === undefined) return [];
        const kept =
          headers && isHarmlessHeader(name) ? this.#walk(item, inside) : this.#secret(kind, item, inside);
        return [[this.#text(name, this.#limits.note), kept]];
      }),
    );
  }

  /** Replaces every leaf that could carry a secret; `true`, `false` and `null` cannot. */
  #secret(kind: string, value: JsonValue, inside: Place): JsonValue {
    if (typeof value === 'string') return value === '' ? value : secretPlaceholder(kind, value, this.digest);
    if (typeof value === 'number') return secretPlaceholder(kind, String(value), this.digest);
    if (typeof value !== 'object' || value === null) return value;
    if (inside.depth >= maximumDepth || inside.budget.nodes <= 0) return '[cut:nested]';
    const deeper: Place = { note: inside.note, depth: inside.depth + 1, budget: inside.budget };
    deeper.budget.nodes--;
    if (isList(value)) return value.map((item) => this.#secret(kind, item, deeper));
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, item]): [string, JsonValue][] =>
        item === undefined ? [] : [[this.#text(name, this.#limits.note), this.#secret(kind, item, deeper)]],
      ),
    );
  }

  /** A configured secret may be a number. */
  #number(value: number): JsonValue {
    if (this.#known.anywhere === undefined && this.#known.whole.size === 0) return value;
    const text = String(value);
    const kept = redactText(text, text.length, { known: this.#known, shapes: false, digest: this.digest });
    return kept === text ? value : kept;
  }
}

interface Place {
  readonly note: boolean;
  readonly depth: number;
  readonly budget: { nodes: number };
}

function nameMember(object: { readonly [key: string]: JsonValue | undefined }): string | undefined {
  const name = object['name'] ?? object['key'] ?? object['header'] ?? object['Name'] ?? object['Key'];
  return typeof name === 'string' ? name : undefined;
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** JSON text of anything, for digests. A value too deep to print is no reason to stop a call. */
function jsonText(value: JsonValue): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '"[unprintable]"';
  }
}
