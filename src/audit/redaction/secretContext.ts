import { eachAssignment } from './assignments.ts';
import { isHarmlessValue, isPlainWord } from './harmlessValue.ts';
import { secretKey } from './secretKey.ts';

/** Calls back with the place of a secret that its surroundings give away. */
export type FoundSecret = (start: number, end: number, type: string) => void;

const anyHint = /[:=@]|--|sshpass|machine\s|basic |bearer |apikey |negotiate /i;

/** Secrets told by what stands around them: `password=…`, `scheme://user:…@host`, `Authorization: …`, key blocks. */
export function eachInContext(text: string, found: FoundSecret): void {
  if (!anyHint.test(text)) return;
  eachKeyBlock(text, found);
  eachUrlCredential(text, found);
  eachHeader(text, found);
  eachScheme(text, found);
  eachFlag(text, found);
  eachAssignment(text, found);
}

// A block whose end is missing (because the text was cut) is secret to the end of the text.
const keyBlock =
  /-----BEGIN ([A-Z0-9 ]{0,40})PRIVATE KEY( BLOCK)?-----[\s\S]*?(?:-----END \1PRIVATE KEY\2-----|$)/g;
const puttyLines = /Private-Lines: \d{1,4}\s[\s\S]*?(?=Private-(?:MAC|Hash):|$)/g;

function eachKeyBlock(text: string, found: FoundSecret): void {
  if (text.includes('PRIVATE KEY')) each(text, keyBlock, (match) => report(match, 0, 'private-key', found));
  if (text.includes('Private-Lines:'))
    each(text, puttyLines, (match) => report(match, 0, 'private-key', found));
}

const urlPassword = /:\/\/([^\s/?#"'<>:@`]{0,256}):([^\s/?#"'<>`]{1,512})@(?=[\w[.-])/dg;
const urlUser = /:\/\/([^\s/?#"'<>:@`]{20,256})@(?=[\w[.-])/dg;

function eachUrlCredential(text: string, found: FoundSecret): void {
  if (!text.includes('://')) return;
  each(text, urlPassword, (match) => {
    if (!isHarmlessValue(match[2] ?? '')) report(match, 2, 'url-password', found);
  });
  each(text, urlUser, (match) => {
    if (/\d/.test(match[1] ?? '')) report(match, 1, 'url-credential', found);
  });
}

const cookieHeader =
  /\b(?:set-)?cookie2?["']?\s{0,3}:\s{0,3}\\?["']?([^\s=;,"'\\]{1,200}=[^\r\n"'\\]{1,8000})/dgi;
const authorizationHeader =
  /\b(?:proxy-)?authorization\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?((?:[A-Za-z][\w-]{1,30}[ ]{1,3})?([^\s"'\\,;]{1,8000})[^\r\n"'\\]{0,4000})/dgi;

function eachHeader(text: string, found: FoundSecret): void {
  each(text, cookieHeader, (match) => report(match, 1, 'cookie', found));
  each(text, authorizationHeader, (match) => {
    const value = match[2] ?? '';
    if (!isHarmlessValue(value) && !isPlainWord(value)) report(match, 1, 'credential', found);
  });
}

const scheme = /\b(?:bearer|apikey|negotiate)[ ]{1,3}([A-Za-z0-9._~+/-]{12,8000}={0,3})/dgi;
const basic = /\bbasic[ ]{1,3}([A-Za-z0-9+/]{6,2000}={0,2})(?![A-Za-z0-9])/dgi;
const curlUser =
  /\bcurl\b[^\r\n]{0,2000}?\s(?:-u|--user|--proxy-user)[ =]?\\?["']?[^\s"':]{0,200}:([^\s"'\\]{1,500})/dg;
const netrc = /\bmachine\s{1,9}\S{1,200}\s{1,9}login\s{1,9}\S{1,200}\s{1,9}password\s{1,9}(\S{1,500})/dg;
const sshpass = /\bsshpass\s{1,3}-p\s{0,3}["']?([^\s"']{1,500})/dg;

function eachScheme(text: string, found: FoundSecret): void {
  each(text, scheme, (match) => {
    const value = match[1] ?? '';
    if (/\d/.test(value) && /[A-Za-z]/.test(value) && !isPath(value)) report(match, 1, 'bearer', found);
  });
  each(text, basic, (match) => {
    // Only what really is `user:password` once decoded: "basic understanding" is base64 by its letters too.
    const decoded = Buffer.from(match[1] ?? '', 'base64').toString('latin1');
    if (/^[\x20-\x7e]{0,500}:[\x20-\x7e]{1,500}$/.test(decoded)) report(match, 1, 'basic', found);
  });
  each(text, curlUser, (match) => {
    if (!isHarmlessValue(match[1] ?? '')) report(match, 1, 'password', found);
  });
  each(text, netrc, (match) => report(match, 1, 'password', found));
  each(text, sshpass, (match) => report(match, 1, 'password', found));
}

const flag =
  /(?<![\w-])--([a-z][a-z0-9-]{1,60})(?:=|[ ]{1,3})(?:\\?"([^"]{1,2000})"|'([^']{1,2000})'|([^\s"']{1,2000}))/dgi;

function eachFlag(text: string, found: FoundSecret): void {
  if (!text.includes('--')) return;
  each(text, flag, (match) => {
    const group = [2, 3, 4].find((number) => match[number] !== undefined) ?? 0;
    const value = match[group] ?? '';
    const key = secretKey(match[1] ?? '');
    if (key?.reach !== 'value' || value.startsWith('-') || isHarmlessValue(value)) return;
    if (group !== 4 || !isPlainWord(value)) report(match, group, key.kind, found);
  });
}

function isPath(value: string): boolean {
  return /^[\w.-]+(?:\/[\w.-]+){2,}$/.test(value) && !/[A-Z].*\d|\d.*[A-Z]/.test(value);
}

function each(text: string, pattern: RegExp, run: (match: RegExpExecArray) => void): void {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) run(match);
}

function report(match: RegExpExecArray, group: number, type: string, found: FoundSecret): void {
  const place = match.indices?.[group];
  if (place !== undefined) found(place[0], place[1], type);
  else if (group === 0) found(match.index, match.index + match[0].length, type);
}
