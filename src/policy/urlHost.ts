import { domainToASCII } from 'node:url';
import { HostError } from '../base/errors.ts';
import { type Answer, any } from './answer.ts';
import { type Matcher, compileGlob, escapeGlob } from './glob.ts';
import type { Reading } from './rule.ts';

/**
 * Compiles a glob over the host of a URL, such as `api.example.com` or `*.example.com` (which leaves out
 * `example.com` itself).
 * @throws HostError `invalidConfiguration` whose message says what to write instead
 */
export function compileHost(pattern: string): Matcher {
  if (/[/@\s?#]/.test(pattern) || /^[^:]*:[^:]*$/.test(pattern) || pattern === '') {
    throw new HostError(
      'invalidConfiguration',
      'must be a host alone, such as "api.example.com": no scheme, port or path.',
    );
  }
  return compileGlob(canonicalPattern(pattern));
}

function canonicalPattern(pattern: string): string {
  if (pattern.includes(':')) {
    const address = `http://[${pattern.replace(/^\[|\]$/g, '')}]/`;
    if (!URL.canParse(address)) {
      throw new HostError('invalidConfiguration', 'is not an IPv6 address.');
    }
    return escapeGlob(bare(new URL(address).hostname));
  }
  const labels = pattern.toLowerCase().replace(/\.$/, '').split('.');
  // Values are compared in the form that goes over the wire, so a pattern in other letters is put in it too.
  return labels
    .map((label) => (/[^\p{ASCII}]/u.test(label) ? domainToASCII(label) || label : label))
    .join('.');
}

/** Whether a text is a URL whose host matches. */
export function matchesHost(text: string, matches: Matcher, reading: Reading): Answer {
  if (reading === 'strict') {
    const host = strictHost(text);
    return host === undefined ? 'unsure' : matches(host) ? 'yes' : 'no';
  }
  const strict = strictHost(text);
  if (strict !== undefined) return matches(strict) ? 'yes' : 'no';
  const readings = [hostOf(text), hostOf(`https://${text}`)];
  const found = any(readings.map((host) => (host !== undefined && matches(host) ? 'yes' : 'no')));
  if (found === 'yes') return 'yes';
  // Programs disagree on who is meant by odd spellings; a plain word is no URL.
  return /[:/\\@\s]/.test(text) ? 'unsure' : 'no';
}

/** The host of a URL that every program reads alike; `undefined` for all others. */
function strictHost(text: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^\s\\@\p{Cc}\p{Cf}]+$/iu.test(text)) return undefined;
  return hostOf(text);
}

function hostOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const host = bare(new URL(text).hostname);
  return host === '' ? undefined : host;
}

function bare(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}
