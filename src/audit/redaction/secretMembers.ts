import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { isHarmlessValue } from './harmlessValue.ts';
import type { KeyedDigest } from './keyedDigest.ts';
import { secretPlaceholder } from './placeholder.ts';
import { type SecretKey, isHarmlessHeader, secretKey } from './secretKey.ts';

const maximumDepth = 40;

/** Hides the values of members whose name says that they are secret. */
export class SecretMembers {
  readonly #digest: KeyedDigest;

  constructor(digest: KeyedDigest) {
    this.#digest = digest;
  }

  /** The value with its secrets replaced; `undefined`: the name says nothing, look at the value itself. */
  hide(key: string, value: JsonValue, owner: JsonObject): JsonValue | undefined {
    // {"name": "Authorization", "value": "…"}: the name of the value is a value itself.
    const name = key === 'value' || key === 'Value' ? (memberName(owner) ?? key) : key;
    const found = secretKey(name);
    if (found === undefined) return undefined;
    return found.reach === 'container'
      ? this.#container(name, found, value)
      : this.#secret(found.kind, value, 0);
  }

  /** Environment variables and headers. */
  #container(name: string, found: SecretKey, value: JsonValue): JsonValue | undefined {
    const isHidden = /headers?$/i.test(name) ? (key: string) => !isHarmlessHeader(key) : isVariableName;
    if (Array.isArray(value)) return value.map((item: JsonValue) => this.#entry(found, item, isHidden));
    if (!isJsonObject(value)) return undefined;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, item]): [string, JsonValue][] => {
        if (item === undefined) return [];
        const hidden = isHidden(key) ? this.#secret(found.kind, item, 0) : this.hide(key, item, value);
        return [[key, hidden ?? item]];
      }),
    );
  }

  /** `"NAME=value"`, `"Name: value"` or `{"name": …, "value": …}` in a list. */
  #entry(found: SecretKey, item: JsonValue, isHidden: (key: string) => boolean): JsonValue {
    if (typeof item === 'string') {
      const match = /^([\w-]{1,100})(=|:\s?)([\s\S]+)$/.exec(item);
      if (match === null || !isHidden(match[1] ?? '')) return item;
      return `${match[1]}${match[2]}${secretPlaceholder(found.kind, match[3] ?? '', this.#digest)}`;
    }
    if (!isJsonObject(item)) return item;
    const name = memberName(item);
    if (name === undefined || !isHidden(name) || item['value'] === undefined) return item;
    return { ...item, value: this.#secret(found.kind, item['value'], 0) ?? item['value'] };
  }

  /** Replaces every leaf that could carry a secret; `true`, `false` and `null` cannot. */
  #secret(kind: string, value: JsonValue, depth: number): JsonValue | undefined {
    if (typeof value === 'string') return this.#hiddenText(kind, value);
    if (typeof value === 'number') {
      // Counts and small numbers: `pass: 12`, `token: 50256`.
      const isSecret = kind !== 'token' && Math.abs(value) >= (kind === 'code' ? 100 : 1_000);
      return isSecret ? secretPlaceholder(kind, String(value), this.#digest) : value;
    }
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= maximumDepth) return '[cut:nested]';
    if (Array.isArray(value))
      return value.map((item: JsonValue) => this.#secret(kind, item, depth + 1) ?? item);
    if (!isJsonObject(value) || isSchema(value)) return undefined;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, item]): [string, JsonValue][] =>
        item === undefined ? [] : [[name, this.#secret(kind, item, depth + 1) ?? item]],
      ),
    );
  }

  #hiddenText(kind: string, value: string): JsonValue | undefined {
    // A word such as "basic" under `auth` is a way of signing in; under `password` it would be a poor password.
    const harmless = kind === 'credential' ? isHarmlessValue(value) : value === '' || isReference(value);
    if (harmless || (kind === 'code' && !/\d{3}/.test(value))) return undefined;
    // A connection string keeps its host: the text itself shows where the secret in it is.
    if (kind === 'credential' && /^[a-z][a-z0-9+.-]{1,20}:\/\/[^\s]+$/i.test(value)) return undefined;
    return secretPlaceholder(kind, value, this.#digest);
  }
}

function memberName(owner: JsonObject): string | undefined {
  const name = owner['name'] ?? owner['key'] ?? owner['header'] ?? owner['Name'] ?? owner['Key'];
  return typeof name === 'string' ? name : undefined;
}

function isVariableName(name: string): boolean {
  return /^[A-Z][A-Z0-9_]*$/.test(name);
}

/** `${input:key}`, `<token>`, `***`: where a secret goes, not the secret. */
function isReference(value: string): boolean {
  return /^\W/.test(value.trim()) && isHarmlessValue(value);
}

/** A schema of a secret is not the secret. */
function isSchema(value: JsonObject): boolean {
  const { type } = value;
  if (typeof value['$ref'] === 'string') return true;
  return typeof type === 'string' && /^(?:string|object|array|number|integer|boolean|null)$/.test(type);
}
