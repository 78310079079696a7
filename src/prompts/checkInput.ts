import { type JsonObject, isJsonObject } from '../base/json.ts';
import type { InputProblem } from '../shared/hostMessage.ts';
import type { SchemaChecker } from '../tools/schemaChecker.ts';

/** Judges what a person types, and says for each fault at which field it belongs. */
export class InputCheck {
  readonly #checker: SchemaChecker;
  readonly #schema: JsonObject;
  /** Without `required`, so that what is missing does not hide what is wrong. */
  readonly #relaxed: JsonObject;

  constructor(checker: SchemaChecker, schema: JsonObject) {
    this.#checker = checker;
    this.#schema = schema;
    const { required: _required, ...relaxed } = schema;
    this.#relaxed = relaxed;
  }

  /** Why the schema cannot be used; undefined if it can. */
  async refusal(): Promise<string | undefined> {
    const state = await this.#checker.admit(this.#schema);
    return state.kind === 'usable' ? undefined : state.reason;
  }

  /** Nothing wrong: an empty list. `path` of a problem is a JSON pointer. */
  async problems(value: unknown): Promise<readonly InputProblem[]> {
    if (!isJsonObject(value)) return [{ path: '', message: 'This must be a JSON object.' }];
    const missing = this.#missing(value);
    const verdict = await this.#checker.check(missing.length === 0 ? this.#schema : this.#relaxed, value);
    if (verdict.kind === 'valid') return missing;
    if (verdict.kind === 'refused') return [{ path: '', message: verdict.reason }];
    // Without what was typed: it is in sight, unless it is a secret that must not be.
    const found = verdict.problems.map(({ path, message, wish = message }) => ({
      path: pointerOf(path),
      message: `${wish.charAt(0).toUpperCase()}${wish.slice(1)}.`,
    }));
    return [...missing, ...found];
  }

  #missing(value: JsonObject): readonly InputProblem[] {
    const required: unknown = this.#schema['required'];
    if (!Array.isArray(required)) return [];
    return required
      .filter((name): name is string => typeof name === 'string' && !Object.hasOwn(value, name))
      .map((name) => ({ path: `/${escaped(name)}`, message: 'This is required.' }));
  }
}

/** `items[0].name` or `["odd key"]` as a JSON pointer (RFC 6901); the empty one if it cannot be read. */
export function pointerOf(path: string): string {
  const step = /\.?([A-Za-z_$][\w$-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y;
  let pointer = '';
  while (step.lastIndex < path.length) {
    const match = step.exec(path);
    if (match === null) return '';
    const [, name, index, quoted] = match;
    const part: unknown = quoted === undefined ? (name ?? index) : JSON.parse(quoted);
    pointer += `/${escaped(String(part))}`;
  }
  return pointer;
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
