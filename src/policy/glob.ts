import { HostError } from '../base/errors.ts';

/** How a glob is read. */
export interface GlobOptions {
  /** `*` and `?` stop at `/` and `\`; only `**` goes on. */
  readonly segments?: boolean;
  /** Letters match whatever their case. */
  readonly ignoreCase?: boolean;
}

/** Says whether a whole text matches. Takes time in proportion to pattern times text, never more. */
export type Matcher = (text: string) => boolean;

/** Longest pattern, in UTF-16 units. */
export const maxGlobLength = 1000;
const maxAlternatives = 64;

type Token =
  | { readonly kind: 'text'; readonly character: string }
  | {
      readonly kind: 'set';
      readonly negated: boolean;
      readonly ranges: readonly (readonly [string, string])[];
    }
  | { readonly kind: 'one' }
  | { readonly kind: 'many'; readonly crossing: boolean };

/**
 * Compiles a glob: `*` any characters, `**` any characters including separators, `?` one, `[a-z]` and `[!a-z]` one
 * of a set, `{one,two}` either, `\` takes the next character as it is.
 * @throws HostError `invalidConfiguration` whose message says what to write instead
 */
export function compileGlob(pattern: string, options: GlobOptions = {}): Matcher {
  if (pattern.length > maxGlobLength) {
    throw wrong(`is longer than ${maxGlobLength} characters; split it into several rules.`);
  }
  const fold = options.ignoreCase === true ? foldCase : (text: string): string => text;
  const matchers = alternatives(fold(pattern)).map((plain) => compilePlain(plain, options.segments === true));
  const [only] = matchers;
  if (matchers.length === 1 && only !== undefined) {
    return options.ignoreCase === true ? (text) => only(fold(text)) : only;
  }
  return (text) => {
    const folded = fold(text);
    return matchers.some((matches) => matches(folded));
  };
}

/** One spelling for all cases of a letter, and for all ways to compose it. */
export function foldCase(text: string): string {
  // Nearly all names are ASCII, and every restricting rule folds them for every call.
  if (isAscii.test(text)) return text.toLowerCase();
  return text.normalize('NFC').toUpperCase().toLowerCase();
}

const isAscii = /^\p{ASCII}*$/u;

/** A glob that matches exactly this text. */
export function escapeGlob(text: string): string {
  return text.replace(/[*?[\]{},\\]/g, String.raw`\$&`);
}

function wrong(message: string): HostError {
  return new HostError('invalidConfiguration', message);
}

/** Writes out `{a,b}`, nested ones included. */
function alternatives(pattern: string): string[] {
  let expanded = [pattern];
  for (;;) {
    const next = expanded.flatMap(expandFirst);
    if (next.length > maxAlternatives) {
      throw wrong(`stands for more than ${maxAlternatives} texts; split it into several rules.`);
    }
    if (next.length === expanded.length) return next;
    expanded = next;
  }
}

function expandFirst(pattern: string): string[] {
  let open = -1;
  let depth = 0;
  let commas: number[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '\\') at += 1;
    else if (character === '[') at = endOfSet(pattern, at);
    else if (character === '{') {
      if (depth === 0) [open, commas] = [at, []];
      depth += 1;
    } else if (character === ',' && depth === 1) commas.push(at);
    else if (character === '}' && depth > 0) {
      depth -= 1;
      if (depth > 0) continue;
      const bounds = [open, ...commas, at];
      const inner = bounds.slice(1).map((end, index) => pattern.slice((bounds[index] ?? 0) + 1, end));
      // A single alternative would not grow the list, which is how the caller notices that it is done.
      if (inner.length < 2) throw wrong('has braces around a single text; leave them out or write "\\{".');
      return inner.map((text) => pattern.slice(0, open) + text + pattern.slice(at + 1));
    }
  }
  if (depth > 0) throw wrong('has a "{" without its "}"; write "\\{" for the character itself.');
  return [pattern];
}

function endOfSet(pattern: ArrayLike<string>, open: number): number {
  let at = open + (pattern[open + 1] === '!' || pattern[open + 1] === '^' ? 2 : 1);
  // The first character of a set may be "]" itself.
  for (at += 1; at < pattern.length; at += 1) if (pattern[at] === ']') return at;
  throw wrong('has a "[" without its "]"; write "\\[" for the character itself.');
}

function compilePlain(pattern: string, segments: boolean): Matcher {
  const tokens = tokenize(pattern, segments);
  const literal = tokens.every((token) => token.kind === 'text')
    ? tokens.map((token) => token.character).join('')
    : undefined;
  if (literal !== undefined) return (text) => text === literal;
  const [first, second] = tokens;
  if (first?.kind === 'many' && first.crossing && second === undefined) return () => true;
  return (text) => run(tokens, text);
}

function tokenize(pattern: string, segments: boolean): readonly Token[] {
  const tokens: Token[] = [];
  const characters = Array.from(pattern);
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? '';
    if (character === '\\') {
      at += 1;
      const escaped = characters[at];
      if (escaped === undefined) throw wrong('ends with a "\\"; write "\\\\" for the character itself.');
      tokens.push({ kind: 'text', character: escaped });
    } else if (character === '*') {
      let crossing = !segments;
      while (characters[at + 1] === '*') [at, crossing] = [at + 1, true];
      tokens.push({ kind: 'many', crossing });
    } else if (character === '?') tokens.push({ kind: 'one' });
    else if (character === '[') {
      const end = endOfSet(characters, at);
      tokens.push(setOf(characters.slice(at + 1, end)));
      at = end;
    } else tokens.push({ kind: 'text', character });
  }
  return tokens.map((token) => (token.kind === 'one' && !segments ? anyCharacter : token));
}

const anyCharacter: Token = { kind: 'set', negated: true, ranges: [] };

function setOf(characters: readonly string[]): Token {
  const negated = characters[0] === '!' || characters[0] === '^';
  const body = negated ? characters.slice(1) : characters;
  const ranges: (readonly [string, string])[] = [];
  for (let at = 0; at < body.length; at += 1) {
    const low = body[at] ?? '';
    const high = body[at + 1] === '-' ? body[at + 2] : undefined;
    if (high === undefined) ranges.push([low, low]);
    else {
      if (order(low) > order(high))
        throw wrong(`has a range "${low}-${high}" whose ends are the wrong way round.`);
      ranges.push([low, high]);
      at += 2;
    }
  }
  return { kind: 'set', negated, ranges };
}

function order(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/** Follows all ways through the pattern at once, so that no text can make it go back and forth. */
function run(tokens: readonly Token[], text: string): boolean {
  let states = reach(tokens, new Uint8Array(tokens.length + 1), 0);
  for (const character of text) {
    const next = new Uint8Array(tokens.length + 1);
    let alive = false;
    for (const [at, token] of tokens.entries()) {
      if (states[at] === 0 || !accepts(token, character)) continue;
      alive = true;
      reach(tokens, next, token.kind === 'many' ? at : at + 1);
    }
    if (!alive) return false;
    states = next;
  }
  return states[tokens.length] === 1;
}

/** Marks a state and those that follow it without a character. */
function reach(tokens: readonly Token[], states: Uint8Array, from: number): Uint8Array {
  let at = from;
  states[at] = 1;
  while (tokens[at]?.kind === 'many') {
    at += 1;
    states[at] = 1;
  }
  return states;
}

function accepts(token: Token, character: string): boolean {
  const separator = character === '/' || character === '\\';
  switch (token.kind) {
    case 'text':
      return token.character === character;
    case 'one':
      return !separator;
    case 'many':
      return token.crossing || !separator;
    case 'set': {
      const code = order(character);
      return token.ranges.some(([low, high]) => order(low) <= code && code <= order(high)) !== token.negated;
    }
  }
}
