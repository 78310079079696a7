import { isJsonObject, type JsonObject } from '../base/json.ts';
import { own } from './jsonCopy.ts';
import { isSchema, subschemasOf } from './schemaKeywords.ts';

/**
 * Finds what a reference inside a schema document stands for: JSON pointers, anchors, and identifiers of the document
 * itself. Undefined for anything else; other documents are never fetched (specification: basic, "`$ref` Resolution").
 */
export class SchemaReferences {
  readonly #root: JsonObject;
  #named: Map<string, JsonObject> | undefined;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  resolve(reference: string): JsonObject | boolean | undefined {
    if (reference === '#' || reference === '') return this.#root;
    if (reference.startsWith('#/')) return pointTo(this.#root, reference.slice(2));
    const found = this.#names().get(reference);
    if (found !== undefined) return found;
    const hash = reference.indexOf('#');
    if (hash <= 0) return undefined;
    const document = this.#names().get(reference.slice(0, hash));
    const fragment = reference.slice(hash + 1);
    if (document === undefined) return undefined;
    return fragment.startsWith('/')
      ? pointTo(document, fragment.slice(1))
      : this.#names().get(`#${fragment}`);
  }

  /** Every identifier and anchor in the document; the first of two equal ones counts. */
  #names(): Map<string, JsonObject> {
    if (this.#named !== undefined) return this.#named;
    const names = new Map<string, JsonObject>();
    const pending: JsonObject[] = [this.#root];
    for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
      for (const keyword of ['$id', 'id']) add(own(schema, keyword), schema);
      for (const keyword of ['$anchor', '$dynamicAnchor']) {
        const anchor = own(schema, keyword);
        if (typeof anchor === 'string') add(`#${anchor}`, schema);
      }
      for (const part of subschemasOf(schema)) if (isJsonObject(part.schema)) pending.push(part.schema);
    }
    this.#named = names;
    return names;

    function add(name: unknown, schema: JsonObject): void {
      if (typeof name !== 'string' || names.has(name)) return;
      names.set(name, schema);
      if (name.endsWith('#')) names.set(name.slice(0, -1), schema);
    }
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
