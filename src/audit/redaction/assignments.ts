import { isHarmlessValue, isPlainWord } from './harmlessValue.ts';
import { queryKey, secretKey } from './secretKey.ts';

/*
 * `key = value` and `key: value` in any notation: JSON (also within a JSON string), YAML, dotenv, connection
 * strings, query strings, code, prose. Written by hand rather than as one pattern, because it looks backwards from
 * each sign and most signs have no interesting key before them.
 */

/** Calls back with the place of each value whose key says that it is secret. */
export function eachAssignment(
  text: string,
  found: (start: number, end: number, type: string) => void,
): void {
  for (let sign = 0; sign < text.length; sign++) {
    const code = text.charCodeAt(sign);
    if (code !== colon && code !== equals) continue;
    const key = keyBefore(text, sign);
    if (key === undefined) continue;
    const value = valueAfter(text, sign, key);
    if (value !== undefined && worthHiding(key, value)) found(value.start, value.end, key.kind);
  }
}

const colon = 0x3a;
const equals = 0x3d;
const maximumName = 80;
const maximumValue = 8_192;

interface Key {
  readonly kind: string;
  readonly inQuery: boolean;
  /** Only indentation, a list dash or `export` stands before it on its line. */
  readonly lineStart: boolean;
  /** Stands after a semicolon, as in connection strings. */
  readonly inList: boolean;
}

function keyBefore(text: string, sign: number): Key | undefined {
  let end = sign;
  while (end > 0 && sign - end < 3 && ' \t:?+'.includes(text.charAt(end - 1))) end--;
  while (end > 0 && sign - end < 9 && '"\'`]\\'.includes(text.charAt(end - 1))) end--;
  let start = wordStart(text, end);
  if (start === end) return undefined;
  const before = text.charAt(start - 1);
  if (before === '?' || before === '&') {
    const kind = queryKey(text.slice(start, end));
    return kind === undefined ? undefined : { kind, inQuery: true, lineStart: false, inList: false };
  }
  let kind = valueKey(text.slice(start, end));
  if (kind === undefined && before === ' ') {
    // "API key: …", "Shared Access Key=…"
    const earlier = wordStart(text, start - 1);
    kind = earlier === start - 1 ? undefined : valueKey(text.slice(earlier, end));
    start = earlier;
  }
  if (kind === undefined) return undefined;
  const left = text.slice(Math.max(0, start - 50), start);
  return { kind, inQuery: false, lineStart: lineBefore.test(left), inList: /;\s{0,3}$/.test(left) };
}

const lineBefore = /(?:^|[\r\n]|\\n)[ \t>#*-]{0,40}(?:export |set |\$env:)?\\*["'`]?$/;

function wordStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && isNameCharacter(text.charCodeAt(start - 1))) {
    start--;
    // The end of something endless, such as base64, is no name.
    if (end - start > maximumName) return end;
  }
  return start;
}

function isNameCharacter(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f ||
    code === 0x2d ||
    code === 0x2e
  );
}

function valueKey(name: string): string | undefined {
  const key = secretKey(name);
  return key?.reach === 'value' ? key.kind : undefined;
}

interface Value {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly quoted: boolean;
  /** An unquoted word after a colon in the middle of a sentence. */
  readonly prose: boolean;
}

function valueAfter(text: string, sign: number, key: Key): Value | undefined {
  const afterColon = text.charCodeAt(sign) === colon;
  let start = sign + 1;
  if ('=>'.includes(text.charAt(start)) && start < text.length) start++;
  while (start - sign < 12 && ' \t'.includes(text.charAt(start)) && start < text.length) start++;
  const rest = text.slice(start, start + maximumValue);
  const open = /^\\*["'`]/.exec(rest)?.[0];
  if (open !== undefined && !key.inQuery) {
    const length = quotedLength(rest, open);
    const from = start + open.length;
    const inside = text.slice(from, from + length);
    return { start: from, end: from + length, text: inside, quoted: true, prose: false };
  }
  const found = unquoted(rest, key, afterColon);
  if (found === '' || /^[{[(]/.test(found)) return undefined;
  const goesOn = /^[ \t]+\p{L}/u.test(rest.slice(found.length, found.length + 12));
  const prose = afterColon && isPlainWord(found) && (goesOn || !key.lineStart);
  return { start, end: start + found.length, text: found, quoted: false, prose };
}

/** Length of what stands between the opening quote and its like. `open` may carry the backslashes of an outer string. */
function quotedLength(rest: string, open: string): number {
  const level = open.length - 1;
  const quote = open.charAt(level);
  const period = 2 * (level + 1);
  let backslashes = 0;
  for (let at = open.length; at < rest.length; at++) {
    const character = rest.charAt(at);
    if (character === '\n') return at - open.length;
    if (character === quote && backslashes % period === level) return at - open.length - level;
    backslashes = character === '\\' ? backslashes + 1 : 0;
  }
  return rest.length - open.length;
}

function unquoted(rest: string, key: Key, afterColon: boolean): string {
  if (key.inQuery) return match(/^[^\s&#"'<>`\\]*/, rest);
  if (!afterColon && (key.inList || /^[^;\r\n]{0,300};\s{0,3}[A-Za-z][\w ]{0,40}=/.test(rest))) {
    return match(/^[^;\r\n"'`]*/, rest).trimEnd();
  }
  const token = match(/^[^\s;"'`<>\\]*/, rest).replace(/[,.)\]}]+$/, '');
  if (!afterColon || !key.lineStart || isPlainWord(token)) return token;
  // YAML takes the whole line; a comment ends it.
  return match(/^(?:(?! #)[^\r\n"'`\\])*/, rest).replace(/[\s,]+$/, '');
}

function match(pattern: RegExp, text: string): string {
  return pattern.exec(text)?.[0] ?? '';
}

function worthHiding({ kind, inQuery }: Key, value: Value): boolean {
  const { text } = value;
  if (value.prose || /^=*$/.test(text) || isHarmlessValue(text)) return false;
  if (kind === 'code' && !inQuery && !/\d{3}/.test(text)) return false;
  if (/^\d+$/.test(text) && (kind === 'token' || text.length < 4)) return false;
  // In code, a call or a member of something is no secret.
  return value.quoted || !/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*[([]/.test(text);
}
