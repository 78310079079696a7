/** Reads one foreign value or throws `DecodeError`. `path` says where the value stood, for the report. */
export type Decoder<T> = (value: unknown, path: string) => T;

/** What a foreign value lacked, and where. Never leaves this folder: `decode` turns it into a result. */
class DecodeError extends Error {}

export type Decoded<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** Applies a decoder to a foreign value. Never throws for what the value is. */
export function decode<T>(decoder: Decoder<T>, value: unknown): Decoded<T> {
  try {
    return { ok: true, value: decoder(value, 'message') };
  } catch (error) {
    if (error instanceof DecodeError) return { ok: false, problem: error.message };
    throw error;
  }
}

/** Ends the decoding: what was expected where. */
export function fail(path: string, expected: string): never {
  throw new DecodeError(`${path}: expected ${expected}`);
}

/** A string of at most `max` UTF-16 units. */
export function text(max: number): Decoder<string> {
  return (value, path) => {
    if (typeof value !== 'string') fail(path, 'a string');
    if (value.length > max) fail(path, `at most ${max} characters`);
    return value;
  };
}

/** A finite number within the bounds. */
export function number(min = -Number.MAX_VALUE, max = Number.MAX_VALUE): Decoder<number> {
  return (value, path) => {
    if (typeof value !== 'number' || !(value >= min && value <= max)) fail(path, 'a number in range');
    return value;
  };
}

export const boolean: Decoder<boolean> = (value, path) => {
  if (typeof value !== 'boolean') fail(path, 'true or false');
  return value;
};

/** One of a closed list of strings. */
export function oneOf<const T extends string>(values: readonly T[]): Decoder<T> {
  return (value, path) => {
    const found = values.find((candidate) => candidate === value);
    return found ?? fail(path, values.join(' | '));
  };
}

/** An array of at most `max` entries. */
export function list<T>(item: Decoder<T>, max: number): Decoder<readonly T[]> {
  return (value, path) => {
    if (!Array.isArray(value)) fail(path, 'a list');
    if (value.length > max) fail(path, `at most ${max} entries`);
    return value.map((entry: unknown, index) => item(entry, `${path}[${index}]`));
  };
}

const optionalMark: unique symbol = Symbol('optional');
interface OptionalMember<T> {
  readonly [optionalMark]: true;
  readonly decoder: Decoder<T>;
}

/** A member that may be missing. */
export function optional<T>(decoder: Decoder<T>): OptionalMember<T> {
  return { [optionalMark]: true, decoder };
}

type Members = Readonly<Record<string, Decoder<unknown> | OptionalMember<unknown>>>;
type OptionalKeys<M extends Members> = {
  [K in keyof M]: M[K] extends OptionalMember<unknown> ? K : never;
}[keyof M];
type Shape<M extends Members> = {
  readonly [K in Exclude<keyof M, OptionalKeys<M>>]: M[K] extends Decoder<infer T> ? T : never;
} & { readonly [K in OptionalKeys<M>]?: M[K] extends OptionalMember<infer T> ? T : never };

/** An object with these members. Members that are not listed are left out of the result. */
export function object<const M extends Members>(members: M): Decoder<Shape<M>> {
  const entries = Object.entries(members);
  return (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(path, 'an object');
    const result: Record<string, unknown> = {};
    for (const [key, member] of entries) {
      const own: unknown = Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
      if (typeof member === 'function') result[key] = member(own, `${path}.${key}`);
      else if (own !== undefined) result[key] = member.decoder(own, `${path}.${key}`);
    }
    // The loop above has built exactly the listed members; the compiler cannot follow that.
    return result as Shape<M>;
  };
}

/** A literal discriminator. */
export function literal<const T extends string>(expected: T): Decoder<T> {
  return (value, path) => (value === expected ? expected : fail(path, `"${expected}"`));
}

/** An object whose member `kind` says which of the decoders reads it. */
export function union<T>(byKind: Readonly<Record<string, Decoder<T>>>): Decoder<T> {
  return (value, path) => {
    const kind: unknown =
      typeof value === 'object' && value !== null ? Reflect.get(value, 'kind') : undefined;
    const decoder = typeof kind === 'string' && Object.hasOwn(byKind, kind) ? byKind[kind] : undefined;
    return decoder === undefined
      ? fail(`${path}.kind`, Object.keys(byKind).join(' | '))
      : decoder(value, path);
  };
}
