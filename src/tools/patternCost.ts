/** An upper bound in the number `n` of characters: `factor · n ^ degree`, for `n` of at least one. */
export interface Growth {
  readonly degree: number;
  readonly factor: number;
}

const MAX_FACTOR = 100_000;
const MAX_DEGREE = 4;
const MAX_REPEATED = 4;
const MAX_TIMES = 2000;

/** What matching a piece of an expression from one position may take. */
interface Piece {
  /** In how many ways it can match; each may have to be tried. */
  readonly ways: Growth;
  readonly steps: Growth;
  /** All characters that it can begin with, if that is known and it cannot be empty. */
  readonly first?: ReadonlySet<string>;
}

const ONE: Growth = { degree: 0, factor: 1 };
const N: Growth = { degree: 1, factor: 1 };

/**
 * Bounds the steps that a backtracking engine needs for a `pattern`, or gives undefined when no polynomial bound is
 * proven: a repetition around a choice or another repetition, a back reference, anything that the small parser does
 * not know. Never runs the expression.
 */
export function patternCost(pattern: string): Growth | undefined {
  if (pattern.length > 1000) return undefined;
  try {
    const parser = new Parser(pattern);
    const { steps } = parser.parse();
    // Without an anchor the engine tries again from each position.
    return parser.isAnchored ? steps : times(steps, N);
  } catch (error) {
    if (error instanceof NotProven) return undefined;
    throw error;
  }
}

class NotProven extends Error {}

class Parser {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  #topAlternatives = 1;

  constructor(text: string) {
    this.#text = text;
  }

  get isAnchored(): boolean {
    return this.#text.startsWith('^') && !/^\^[*+?{]/.test(this.#text) && this.#topAlternatives === 1;
  }

  parse(): Piece {
    const piece = this.#alternatives();
    if (this.#at < this.#text.length) throw new NotProven();
    return piece;
  }

  #alternatives(): Piece {
    this.#depth += 1;
    if (this.#depth > 50) throw new NotProven();
    let total = this.#sequence();
    while (this.#text[this.#at] === '|') {
      this.#at += 1;
      if (this.#depth === 1) this.#topAlternatives += 1;
      total = either(total, this.#sequence());
    }
    this.#depth -= 1;
    return total;
  }

  #sequence(): Piece {
    let total: Piece | undefined;
    for (;;) {
      const next = this.#text[this.#at];
      if (next === undefined || next === '|' || next === ')') return total ?? { ways: ONE, steps: ONE };
      const piece = this.#repeated();
      total = total === undefined ? piece : inOrder(total, piece);
    }
  }

  #repeated(): Piece {
    let piece = this.#atom();
    for (let found = this.#quantifier(); found !== undefined; found = this.#quantifier()) {
      piece = repeat(piece, found);
    }
    return piece;
  }

  #atom(): Piece {
    const next = this.#text.charAt(this.#at);
    this.#at += 1;
    if (next === '(') return this.#group();
    if (next === '[') return this.#class();
    if (next === '\\') return this.#escape();
    if (/[.^$]/.test(next)) return { ways: ONE, steps: ONE };
    return { ways: ONE, steps: ONE, first: new Set([next]) };
  }

  #group(): Piece {
    // Capturing, not capturing, named, and looking ahead or behind: all cost what is inside.
    const opening = /^\?(?::|=|!|<=|<!|<[A-Za-z_]\w*>)/.exec(this.#text.slice(this.#at, this.#at + 100));
    if (opening !== null) this.#at += opening[0].length;
    else if (this.#text[this.#at] === '?') throw new NotProven();
    const { ways, steps, first } = this.#alternatives();
    if (this.#text[this.#at] !== ')') throw new NotProven();
    this.#at += 1;
    const isLook = opening !== null && /[=!]/.test(opening[0]);
    return isLook || first === undefined ? { ways, steps } : { ways, steps, first };
  }

  #class(): Piece {
    const start = this.#at;
    for (; this.#text[this.#at] !== ']'; this.#at += 1) {
      if (this.#at >= this.#text.length) throw new NotProven();
      if (this.#text[this.#at] === '\\') this.#at += 1;
    }
    const first = simpleClass(this.#text.slice(start, this.#at));
    this.#at += 1;
    return first === undefined ? { ways: ONE, steps: ONE } : { ways: ONE, steps: ONE, first };
  }

  #escape(): Piece {
    const next = this.#text[this.#at];
    this.#at += 1;
    if (next === undefined || /[1-9k]/.test(next)) throw new NotProven();
    if (next === 'p' || next === 'P' || next === 'u') {
      const braces = /^\{[^}]{1,40}\}/.exec(this.#text.slice(this.#at, this.#at + 50));
      if (braces !== null) this.#at += braces[0].length;
    }
    return { ways: ONE, steps: ONE };
  }

  #quantifier(): Times | undefined {
    const found = /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/.exec(this.#text.slice(this.#at, this.#at + 30));
    if (found === null) return undefined;
    this.#at += found[0].length;
    const sign = found[0].charAt(0);
    if (sign === '*') return { least: 0, most: Infinity };
    if (sign === '+') return { least: 1, most: Infinity };
    if (sign === '?') return { least: 0, most: 1 };
    const least = Number(found[1]);
    if (found[2] === undefined) return { least, most: least };
    return { least, most: found[3] === '' ? Infinity : Number(found[3]) };
  }
}

interface Times {
  readonly least: number;
  readonly most: number;
}

function inOrder(a: Piece, b: Piece): Piece {
  const both = { ways: times(a.ways, b.ways), steps: plus(a.steps, times(a.ways, b.steps)) };
  return a.first === undefined ? both : { ...both, first: a.first };
}

function either(a: Piece, b: Piece): Piece {
  const steps = plus(a.steps, b.steps);
  const [one, other] = [a.first, b.first];
  if (one === undefined || other === undefined || [...one].some((character) => other.has(character))) {
    return { ways: plus(a.ways, b.ways), steps };
  }
  // Alternatives that begin differently never match at the same place.
  const ways = {
    degree: Math.max(a.ways.degree, b.ways.degree),
    factor: Math.max(a.ways.factor, b.ways.factor),
  };
  return { ways, steps, first: new Set([...one, ...other]) };
}

function repeat(inner: Piece, { least, most }: Times): Piece {
  if (least > MAX_TIMES || (most > MAX_TIMES && Number.isFinite(most))) throw new NotProven();
  const first = least > 0 && inner.first !== undefined ? { first: inner.first } : {};
  if (inner.ways.degree === 0 && inner.ways.factor === 1) {
    if (!Number.isFinite(most)) {
      return { ways: N, steps: times(inner.steps, { degree: 1, factor: Math.max(1, least) }), ...first };
    }
    const ways = { degree: 0, factor: Math.max(1, most - least + 1) };
    return { ways, steps: times(inner.steps, { degree: 0, factor: Math.max(1, most) }), ...first };
  }
  if (most > MAX_REPEATED) throw new NotProven();
  let ways: Growth = least === 0 ? ONE : { degree: 0, factor: 0 };
  let steps: Growth = ONE;
  let power: Growth = ONE;
  for (let count = 1; count <= most; count += 1) {
    steps = plus(steps, times(power, inner.steps));
    power = times(power, inner.ways);
    if (count >= least) ways = plus(ways, power);
  }
  return { ways, steps, ...first };
}

/** The characters of a class such as `[A-Fa-f0-9_]`; undefined for anything less simple. */
function simpleClass(text: string): Set<string> | undefined {
  if (!/^(?:[A-Za-z0-9]-[A-Za-z0-9]|[\w .,:;#@/])+$/.test(text)) return undefined;
  const characters = new Set<string>();
  for (const [part] of text.matchAll(/[A-Za-z0-9]-[A-Za-z0-9]|./g)) {
    const last = part.charCodeAt(part.length - 1);
    for (let code = part.charCodeAt(0); code <= last; code += 1) characters.add(String.fromCharCode(code));
  }
  return characters;
}

function plus(a: Growth, b: Growth): Growth {
  return checked({ degree: Math.max(a.degree, b.degree), factor: a.factor + b.factor });
}

function times(a: Growth, b: Growth): Growth {
  return checked({ degree: a.degree + b.degree, factor: a.factor * b.factor });
}

function checked(growth: Growth): Growth {
  if (growth.degree > MAX_DEGREE || growth.factor > MAX_FACTOR) throw new NotProven();
  return growth;
}
