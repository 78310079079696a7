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
