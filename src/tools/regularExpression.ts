/** Letters and digits that may follow a backslash in ECMA-262; any other is a dialect of another language. */
const ESCAPES = /^[bBcdDfknpPrsStuvwWx0-9]$/;

/**
 * Compiles a `pattern`: as JSON Schema says, in Unicode mode; else without it, since many schemas escape characters
 * that need no escape.
 * @throws SyntaxError for what is no ECMA-262 expression either way, or has escapes of another language (`\Z`),
 *   which without Unicode mode would silently mean something else
 */
export function compilePattern(pattern: string, flags = 'u'): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch (error) {
    if (!flags.includes('u') || hasForeignEscape(pattern)) throw error;
    return new RegExp(pattern, flags.replace('u', ''));
  }
}

function hasForeignEscape(pattern: string): boolean {
  for (let index = 0; index < pattern.length - 1; index += 1) {
    if (pattern[index] !== '\\') continue;
    index += 1;
    const next = pattern[index] ?? '';
    if (/[A-Za-z0-9]/.test(next) && !ESCAPES.test(next)) return true;
  }
  return false;
}

/**
 * What compiling an expression costs, in steps of some microseconds: its length, and much more for each property of
 * characters (`\p{L}`), which stands for hundreds of ranges. Found without compiling it.
 */
export function compileCost(pattern: string): number {
  return pattern.length + STEPS_PER_PROPERTY * (pattern.match(/\\p/gi)?.length ?? 0);
}

const STEPS_PER_PROPERTY = 30;

/** Steps (`compileCost`) that the expressions of one schema may take on the host's thread. */
export const MAX_COMPILE_STEPS = 4000;
