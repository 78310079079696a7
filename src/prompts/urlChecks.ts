import { BlockList, isIP } from 'node:net';
import { domainToUnicode } from 'node:url';
import { mixedScripts } from './scripts.ts';

/** Where a host lies, as far as its spelling tells; a public name may still lead to a private address. */
export type HostReach = 'public' | 'loopback' | 'private' | 'linkLocal' | 'reserved';

/** What is to be known of a URL before a person goes there or sends something there. */
export interface UrlFacts {
  /** As it goes over the wire: lower case, punycode, IPv6 without brackets. */
  readonly host: string;
  /** As a person reads it; differs from `host` for names in other scripts. */
  readonly readableHost: string;
  readonly scheme: string;
  /** Only if it is not the scheme's own. */
  readonly port: string | undefined;
  readonly reach: HostReach;
  /** A user name or password stands before the host. */
  readonly credentials: boolean;
  /** The host has letters outside ASCII. */
  readonly punycode: boolean;
  /** Scripts that are mixed in one label of the host; empty if none. */
  readonly mixedScripts: readonly string[];
  /** The host is written as a number in an unusual form, such as `0x7f.1`. */
  readonly disguisedAddress: boolean;
  /** Spelled so that programs may disagree on what the host is. */
  readonly ambiguous: boolean;
}

/** The host for a person. What a browser goes to comes first: the other spelling may be that of someone else's host. */
export function spelledHost({ host, readableHost }: UrlFacts): string {
  return host === readableHost ? host : `${host} (reads as ${readableHost})`;
}

/** Reads a URL; `undefined` if the text is none, or one without a host. */
export function checkUrl(text: string): UrlFacts | undefined {
  if (!/^\s*[a-z][a-z0-9+.-]*:/i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const host = url.hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (host === '') return undefined;
  const readableHost = isIP(host) === 0 ? domainToUnicode(host) || host : host;
  return {
    host,
    readableHost,
    scheme: url.protocol.replace(/:$/, ''),
    port: url.port === '' ? undefined : url.port,
    reach: reachOf(host),
    credentials: url.username !== '' || url.password !== '',
    punycode: host.split('.').some((label) => label.startsWith('xn--')),
    mixedScripts:
      readableHost
        .split('.')
        .map(mixedScripts)
        .find((scripts) => scripts.length > 0) ?? [],
    disguisedAddress: isIP(host) === 4 && writtenHost(text) !== host,
    ambiguous:
      /[\s\\\p{Cc}\p{Cf}]/u.test(text) ||
      // The browser makes a host of what follows any number of slashes; others see none, or a path.
      !/^[a-z0-9+.-]+:\/\/[^/]/i.test(text) ||
      (text.split(/[/?#]/, 3).at(2)?.split('@').length ?? 0) > 2 ||
      !isWritten(host, readableHost, text),
  };
}

/** Whether a host stands in a text as it is read: not as `ＥＸＡＭＰＬＥ`, `ex%61mple` or with another kind of dot. */
function isWritten(host: string, readableHost: string, text: string): boolean {
  if (isIP(host) !== 0) return true;
  const written = writtenHost(text);
  return written === host || written.normalize('NFC') === readableHost;
}

/** What stands in the place of the host, and nowhere else: a path may hold any other host. In lower case. */
function writtenHost(text: string): string {
  const [authority = ''] = text.replace(/^\s*[a-z0-9+.-]+:[/\\]*/i, '').split(/[/\\?#]/, 1);
  const named = authority.slice(authority.lastIndexOf('@') + 1);
  return named.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
}

/**
 * Whether a host can be nothing but this machine. Narrower than the reach `loopback`: what is packed into an address for
 * a gateway (NAT64, 6to4) leaves the machine.
 */
export function isThisMachine(host: string): boolean {
  return reachOf(host) === 'loopback' && (isIP(host) !== 6 || host === '::1' || isMapped(expand(host)));
}

/** URLs inside a longer text, in order, at most `limit`. */
export function findUrls(text: string, limit = 50): readonly string[] {
  const found: string[] = [];
  // Bounded parts, so that a long text of letters is not looked through again from every letter.
  for (const match of text.matchAll(/(?<![a-z0-9])[a-z][a-z0-9+.-]{0,30}:\/\/[^\s<>"'`{}|^]{1,2000}/gi)) {
    if (found.length >= limit) break;
    // Punctuation at the end belongs to the sentence.
    found.push(match[0].replace(/[.,;:!?)\]]+$/, ''));
  }
  return found;
}

/** Where a host lies, from its address or its name alone. */
export function reachOf(host: string): HostReach {
  const version = isIP(host);
  if (version === 0) return reachOfName(host);
  const family = version === 4 ? 'ipv4' : 'ipv6';
  for (const [reach, list] of addressLists) if (list.check(host, family)) return reach;
  if (version === 4) return 'public';
  const inner = embeddedAddress(host);
  return inner === undefined ? 'public' : reachOf(inner);
}

function reachOfName(host: string): HostReach {
  if (/^(.+\.)?localhost$/.test(host)) return 'loopback';
  if (/\.(local|internal|intranet|lan|home|corp|private|localdomain|home\.arpa)$/.test(host))
    return 'private';
  // A name without a dot is looked up in the network's own domain.
  return host.includes('.') ? 'public' : 'private';
}

/** Blocks of RFC 6890 and the lists that it began, as `address/prefix`. */
const blocks: readonly (readonly [HostReach, readonly string[]])[] = [
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['linkLocal', ['169.254.0.0/16', 'fe80::/10']],
  ['private', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7', 'fec0::/10']],
  [
    'reserved',
    ['0.0.0.0/8', '192.0.0.0/24', '198.18.0.0/15', '224.0.0.0/4', '240.0.0.0/4', '::/128', 'ff00::/8'],
  ],
];

const addressLists: readonly (readonly [HostReach, BlockList])[] = blocks.map(([reach, ranges]) => {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix = '0'] = range.split('/');
    list.addSubnet(address, Number(prefix), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return [reach, list];
});

/** The IPv4 address inside an IPv6 one: mapped, compatible, NAT64 and 6to4 (RFC 4291, 6052, 3056). */
function embeddedAddress(host: string): string | undefined {
  const groups = expand(host);
  const [high, low] =
    groups.slice(0, 6).every((group) => group === 0) || isMapped(groups) || isNat64(groups)
      ? groups.slice(6)
      : groups[0] === 0x2002
        ? groups.slice(1, 3)
        : [];
  if (high === undefined || low === undefined) return undefined;
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function isMapped(groups: readonly number[]): boolean {
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
}

function isNat64(groups: readonly number[]): boolean {
  return groups[0] === 0x64 && groups[1] === 0xff9b && groups.slice(2, 6).every((group) => group === 0);
}

/** The eight groups of an address as `URL` spells it, which never has dots. */
function expand(host: string): readonly number[] {
  const [head = '', tail] = host.split('::');
  const read = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => parseInt(group, 16));
  const [first, last] = [read(head), read(tail ?? '')];
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}
