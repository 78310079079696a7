import { isJsonObject, type JsonObject } from '../base/json.ts';
import { own } from './jsonCopy.ts';
import { isSchema, subschemasOf } from './schemaKeywords.ts';

/** A schema with an identifier of its own, or the whole document: what "#" means inside it. */
interface Resource {
  readonly root: JsonObject;
  readonly uri: string;
  readonly anchors: Map<string, JsonObject>;
}

/** What a reference of a document without an identifier is relative to; never fetched, nor shown. */
const NOWHERE = 'https://document.invalid/';

/**
 * Finds what a reference inside a schema document stands for: JSON pointers, anchors, and identifiers of the document
 * itself. Undefined for anything else; other documents are never fetched (specification: basic, "`$ref` Resolution").
 */
export class SchemaReferences {
  readonly #root: JsonObject;
  #names: Names | undefined;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** `from`: the schema in which the reference stands; the document itself for one outside any identified part. */
  resolve(reference: string, from: JsonObject = this.#root): JsonObject | boolean | undefined {
    const resource = from === this.#root ? undefined : this.#read().resourceOf.get(from);
    const base = resource?.root ?? this.#root;
    if (reference === '#' || reference === '') return base;
    if (reference.startsWith('#/')) return pointTo(base, reference.slice(2));
    const names = this.#read();
    const hash = reference.indexOf('#');
    const [document, fragment] =
      hash < 0 ? [reference, ''] : [reference.slice(0, hash), reference.slice(hash + 1)];
    const target =
      document === ''
        ? (resource ?? names.whole)
        : (names.byUri.get(absolute(document, resource?.uri ?? names.whole.uri)) ??
          names.byUri.get(document));
    if (target === undefined || fragment === '') return target?.root;
    return fragment.startsWith('/') ? pointTo(target.root, fragment.slice(1)) : target.anchors.get(fragment);
  }

  /**
   * Whether what a `$dynamicRef` or `$recursiveRef` stands for depends on the way that led there: parts of the document
   * have an anchor for it in common.
   */
  isDynamic(keyword: string, reference: string): boolean {
    if (keyword === '$recursiveRef') return this.#read().recursive > 1;
    const anchor = reference.slice(reference.indexOf('#') + 1);
    return (this.#read().dynamic.get(anchor) ?? 0) > 1;
  }

  #read(): Names {
    this.#names ??= namesIn(this.#root);
    return this.#names;
  }
}

interface Names {
  readonly whole: Resource;
  readonly byUri: ReadonlyMap<string, Resource>;
  readonly resourceOf: ReadonlyMap<JsonObject, Resource>;
  /** How many schemas have a `$dynamicAnchor` of each name, and how many a `$recursiveAnchor`. */
  readonly dynamic: ReadonlyMap<string, number>;
  readonly recursive: number;
}

/** Every identifier and anchor in the document; the first of two equal ones counts. */
function namesIn(root: JsonObject): Names {
  const byUri = new Map<string, Resource>();
  const resourceOf = new Map<JsonObject, Resource>();
  const dynamic = new Map<string, number>();
  let recursive = 0;
  // `id` is a keyword in the oldest dialects only.
  const dialect = own(root, '$schema');
  const isOld = typeof dialect === 'string' && /draft-0[34]/.test(dialect);
  const whole: Resource = { root, uri: identified(root, NOWHERE, isOld) ?? NOWHERE, anchors: new Map() };
  byUri.set(whole.uri, whole);
  const pending: { readonly schema: JsonObject; readonly resource: Resource }[] = [
    { schema: root, resource: whole },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { schema } = next;
    const uri = schema === root ? undefined : identified(schema, next.resource.uri, isOld);
    const resource = uri === undefined ? next.resource : { root: schema, uri, anchors: new Map() };
    if (uri !== undefined && !byUri.has(uri)) byUri.set(uri, resource);
    resourceOf.set(schema, resource);
    for (const anchor of anchorsOf(schema))
      if (!resource.anchors.has(anchor)) resource.anchors.set(anchor, schema);
    const name = own(schema, '$dynamicAnchor');
    if (typeof name === 'string') dynamic.set(name, (dynamic.get(name) ?? 0) + 1);
    if (own(schema, '$recursiveAnchor') === true) recursive += 1;
    for (const { schema: part } of subschemasOf(schema))
      if (isJsonObject(part)) pending.push({ schema: part, resource });
  }
  return { whole, byUri, resourceOf, dynamic, recursive };
}

/** The whole identifier of a schema; `undefined` if it has none, or only a name inside its document. */
function identified(schema: JsonObject, base: string, isOld: boolean): string | undefined {
  const id = own(schema, '$id') ?? (isOld ? own(schema, 'id') : undefined);
  if (typeof id !== 'string' || id === '' || id.startsWith('#')) return undefined;
  return absolute(id.replace(/#.*$/s, ''), base);
}

function anchorsOf(schema: JsonObject): readonly string[] {
  const anchors = [own(schema, '$anchor'), own(schema, '$dynamicAnchor')];
  for (const keyword of ['$id', 'id']) {
    const id = own(schema, keyword);
    const hash = typeof id === 'string' ? id.indexOf('#') : -1;
    if (typeof id === 'string' && hash >= 0) anchors.push(id.slice(hash + 1));
  }
  return anchors.filter((anchor): anchor is string => typeof anchor === 'string' && anchor !== '');
}

/** Already in the form to which others are brought; parsing takes long where there are thousands. */
const WHOLE = /^https?:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*(?:\/[\w-]+)+$/;

function absolute(uri: string, base: string): string {
  if (WHOLE.test(uri)) return uri;
  try {
    return new URL(uri, base).href;
  } catch {
    return uri;
  }
}

function pointTo(root: JsonObject, pointer: string): JsonObject | boolean | undefined {
  let current: unknown = root;
  for (const part of pointer.split('/')) {
    const name = decode(part);
    if (name === undefined || typeof current !== 'object' || current === null) return undefined;
    if (!Object.hasOwn(current, name)) return undefined;
    current = Reflect.get(current, name);
  }
  return isSchema(current) ? current : undefined;
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined;
  }
}
