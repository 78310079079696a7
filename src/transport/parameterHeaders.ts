import { HostError } from '../base/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { encodeHeaderValue } from './headerValue.ts';

/** A tool parameter that is mirrored into `Mcp-Param-{name}`. */
export interface ParameterHeader {
  readonly name: string;
  /** Property names from the arguments object down to the value. */
  readonly path: readonly string[];
}

export type ParameterHeaders =
  | { readonly kind: 'ok'; readonly headers: readonly ParameterHeader[] }
  | { readonly kind: 'invalid'; readonly reason: string };

const annotation = 'x-mcp-header';
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const mirrored: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);
/** Keywords whose members are named by the author of the schema: such a name is never an annotation. */
const maps = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
]);
/** Keywords whose value is data, not schema. */
const data = new Set(['const', 'enum', 'default', 'examples', 'required', 'dependentRequired']);
/** Deeper schemas are refused; received messages are bounded more tightly than this. */
const maxDepth = 300;

/**
 * The headers that a tool's input schema asks for, in the schema's order
 * (2026-07-28: streamable HTTP, "Custom Headers from Tool Parameters").
 * `invalid`: the tool must not be offered over HTTP; `reason` is for the warning.
 */
export function readParameterHeaders(inputSchema: JsonValue): ParameterHeaders {
  const headers: ParameterHeader[] = [];
  const seen = new Set<string>();
  const reason = visit(inputSchema, [], true, 0);
  return reason === undefined ? { kind: 'ok', headers } : { kind: 'invalid', reason };

  /** `path` is where the value would be; it only means something while `reachable`. */
  function visit(
    node: JsonValue | undefined,
    path: readonly string[],
    reachable: boolean,
    depth: number,
  ): string | undefined {
    if (depth > maxDepth) return 'the schema is nested too deeply';
    if (Array.isArray(node)) {
      return firstReason(node, (item) => visit(item, path, false, depth + 1));
    }
    if (!isJsonObject(node)) return undefined;
    const fault = Object.hasOwn(node, annotation) ? collect(node, path, reachable) : undefined;
    if (fault !== undefined) return fault;
    return firstReason(Object.keys(node), (keyword) => {
      if (keyword === annotation || data.has(keyword)) return undefined;
      const value = node[keyword];
      if (!maps.has(keyword) || !isJsonObject(value)) return visit(value, path, false, depth + 1);
      const chain = reachable && keyword === 'properties';
      return firstReason(Object.keys(value), (name) =>
        visit(value[name], chain ? [...path, name] : path, chain, depth + 1),
      );
    });
  }

  function collect(node: JsonObject, path: readonly string[], reachable: boolean): string | undefined {
    const name = node[annotation];
    if (!reachable || path.length === 0) {
      return `${annotation} is only allowed on properties that are reached through "properties" alone`;
    }
    const at = `${annotation} of ${JSON.stringify(path.join('.'))}`;
    if (typeof name !== 'string') return `${at} is not a string`;
    if (!token.test(name)) return `${at} is not an HTTP header name`;
    if (!mirrored.has(node['type'])) return `${at} is on a type other than string, integer and boolean`;
    if (seen.has(name.toLowerCase())) return `${at} repeats the name ${name}`;
    seen.add(name.toLowerCase());
    headers.push({ name, path });
    return undefined;
  }
}

/** A schema without its annotations for headers: what is left is what the tool takes and means. */
export function withoutParameterHeaders(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map((item) => withoutParameterHeaders(item));
  if (!isJsonObject(schema)) return schema;
  return changed(schema, (value, keyword) => {
    if (keyword === annotation) return undefined;
    if (data.has(keyword)) return value;
    return maps.has(keyword) && isJsonObject(value)
      ? changed(value, (part) => withoutParameterHeaders(part))
      : withoutParameterHeaders(value);
  });
}

function changed(
  object: JsonObject,
  change: (value: JsonValue, key: string) => JsonValue | undefined,
): JsonObject {
  const members = Object.entries(object).flatMap(([key, value]) => {
    const kept = value === undefined ? undefined : change(value, key);
    return kept === undefined ? [] : [[key, kept] as const];
  });
  return Object.fromEntries(members);
}

function firstReason<T>(items: readonly T[], check: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const reason = check(item);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/**
 * The `Mcp-Param-*` headers for one call. A value that is absent or null has no header.
 * @throws HostError `invalidArguments` for a value that no header can carry: objects, arrays, numbers
 *   that are not integers within ±(2^53 − 1), texts with lone surrogates
 */
export function encodeParameterHeaders(
  headers: readonly ParameterHeader[],
  args: JsonObject,
): Record<string, string> {
  const encoded: Record<string, string> = {};
  for (const header of headers) {
    const value = valueAt(args, header.path);
    if (value !== undefined && value !== null) {
      encoded[`Mcp-Param-${header.name}`] = encodeHeaderValue(asText(value, header));
    }
  }
  return encoded;
}

function valueAt(args: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = args;
  for (const key of path) {
    // Own members only: "constructor" is a possible parameter name.
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

function asText(value: JsonValue, header: ParameterHeader): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  // Beyond this range sender and server may read different integers from the same digits.
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  const at = JSON.stringify(header.path.join('.'));
  const what = typeof value === 'number' ? 'a number outside the safe integers' : 'not a plain value';
  throw new HostError(
    'invalidArguments',
    `The argument ${at} is ${what}, so the server's header Mcp-Param-${header.name} cannot carry it.`,
    { details: { path: [...header.path], header: `Mcp-Param-${header.name}` } },
  );
}
