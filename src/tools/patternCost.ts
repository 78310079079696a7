/**
 * An upper bound for the steps that a backtracking engine needs for a regular expression on a text of `n` characters:
 * `factor · n ^ degree`.
 */
export interface PatternCost {
  readonly degree: number;
  readonly factor: number;
}

const MAX_FACTOR = 100_000;
const MAX_DEGREE = 4;
const MAX_REPEATED = 4;
const MAX_EXPANDED = 2000;

/** In how many ways a piece can match from one position: `count · n ^ degree`, and how long it is written out. */
interface Ways {
  readonly degree: number;
  readonly count: number;
  readonly size: number;
}

const ONE: Ways = { degree: 0, count: 1, size: 1 };

/**
 * Bounds the cost of a `pattern`, or gives undefined when no polynomial bound is proven: a repetition around a choice
 * or another repetition, a back reference, anything that the small parser does not know. Never runs the expression.
 */
export function patternCost(pattern: string): PatternCost | undefined {
  if (pattern.length > 1000) return undefined;
  try {
    const parser = new Parser(pattern);
    const ways = parser.parse();
    // Without an anchor the engine tries again from each position.
    const degree = parser.isAnchored ? ways.degree : ways.degree + 1;
    const factor = ways.count * ways.size;
    return degree <= MAX_DEGREE && factor <= MAX_FACTOR ? { degree, factor } : undefined;
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

  parse(): Ways {
    const ways = this.#alternatives();
    if (this.#at < this.#text.length) throw new NotProven();
    return ways;
  }

  #alternatives(): Ways {
    this.#depth += 1;
    if (this.#depth > 50) throw new NotProven();
    let total = this.#sequence();
    while (this.#text[this.#at] === '|') {
      this.#at += 1;
      if (this.#depth === 1) this.#topAlternatives += 1;
      const next = this.#sequence();
      total = {
        degree: Math.max(total.degree, next.degree),
        count: total.count + next.count,
        size: total.size + next.size,
      };
    }
    this.#depth -= 1;
    return total;
  }

  #sequence(): Ways {
    let total: Ways = { ...ONE, size: 0 };
    for (;;) {
      const next = this.#text[this.#at];
      if (next === undefined || next === '|' || next === ')') return total;
      total = product(total, this.#repeated());
    }
  }

  #repeated(): Ways {
    let ways = this.#atom();
    for (let times = this.#quantifier(); times !== undefined; times = this.#quantifier()) {
      ways = repeat(ways, times);
    }
    return ways;
  }

  #atom(): Ways {
    const next = this.#text[this.#at];
    this.#at += 1;
    switch (next) {
      case '(':
        return this.#group();
      case '[':
        return this.#class();
      case '\\':
        return this.#escape();
      case undefined:
        throw new NotProven();
      default:
        return ONE;
    }
  }

  #group(): Ways {
    // Capturing, not capturing, named, and looking ahead or behind: all cost what is inside.
    const opening = /^\?(?::|=|!|<=|<!|<[A-Za-z_]\w*>)/.exec(this.#text.slice(this.#at, this.#at + 100));
    if (opening !== null) this.#at += opening[0].length;
    else if (this.#text[this.#at] === '?') throw new NotProven();
    const ways = this.#alternatives();
    if (this.#text[this.#at] !== ')') throw new NotProven();
    this.#at += 1;
    return ways;
  }

  #class(): Ways {
    for (; this.#text[this.#at] !== ']'; this.#at += 1) {
      if (this.#at >= this.#text.length) throw new NotProven();
      if (this.#text[this.#at] === '\\') this.#at += 1;
    }
    this.#at += 1;
    return ONE;
  }

  #escape(): Ways {
    const next = this.#text[this.#at];
    this.#at += 1;
    if (next === undefined || /[1-9k]/.test(next)) throw new NotProven();
    if (next === 'p' || next === 'P' || next === 'u') {
      const braces = /^\{[^}]{1,40}\}/.exec(this.#text.slice(this.#at, this.#at + 50));
      if (braces !== null) this.#at += braces[0].length;
    }
    return ONE;
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

function repeat(inner: Ways, { least, most }: Times): Ways {
  if (least > MAX_EXPANDED || (Number.isFinite(most) && most > MAX_EXPANDED)) throw new NotProven();
  const size = bounded(inner.size * Math.max(1, Number.isFinite(most) ? most : least));
  if (inner.degree === 0 && inner.count === 1) {
    if (!Number.isFinite(most)) return { degree: 1, count: 1, size };
    return { degree: 0, count: Math.max(1, most - least + 1), size };
  }
  if (most > MAX_REPEATED) throw new NotProven();
  let count = 0;
  for (let times = least; times <= most; times += 1) count += inner.count ** times;
  return checked({ degree: inner.degree * most, count: Math.max(1, count), size });
}

function product(a: Ways, b: Ways): Ways {
  return checked({ degree: a.degree + b.degree, count: a.count * b.count, size: bounded(a.size + b.size) });
}

function checked(ways: Ways): Ways {
  if (ways.degree > MAX_DEGREE || ways.count > MAX_FACTOR) throw new NotProven();
  return ways;
}

function bounded(size: number): number {
  if (size > MAX_EXPANDED) throw new NotProven();
  return size;
}
