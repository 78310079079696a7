import { HostError } from '../base/errors.ts';

/** Headers that a user configured for one server, checked. Values are secrets: they never leave this object in text. */
export interface ConfiguredHeaders {
  /** Name, value, name, value … */
  readonly pairs: readonly string[];
  /** Lower-case names. */
  readonly names: ReadonlySet<string>;
  /** Names that belong to the protocol or to the connection and were left out. */
  readonly ignored: readonly string[];
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
// Latin-1 is what HTTP/1.1 can carry; control characters would split the header.
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Decided by the protocol (streamable HTTP, "Sending Messages") or by the connection (RFC 9110, 7.6.1). */
const reserved = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'last-event-id',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Checks the headers that a user configured. Reserved names are left out, because files of other tools
 * contain them.
 * @throws HostError `invalidConfiguration`, naming the header but not its value
 */
export function checkConfiguredHeaders(headers: Readonly<Record<string, string>>): ConfiguredHeaders {
  const pairs: string[] = [];
  const names = new Set<string>();
  const ignored: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (!token.test(name)) {
      throw new HostError('invalidConfiguration', `${JSON.stringify(name)} is not an HTTP header name.`);
    }
    if (reserved.has(lower) || lower.startsWith('mcp-')) {
      ignored.push(name);
    } else if (names.has(lower)) {
      throw new HostError('invalidConfiguration', `The header ${name} is configured twice.`);
    } else if (!fieldValue.test(value)) {
      throw new HostError('invalidConfiguration', `The value of the header ${name} cannot be sent.`);
    } else {
      names.add(lower);
      pairs.push(name, value);
    }
  }
  return { pairs, names, ignored };
}

/** Shorter values are too likely to be part of ordinary text. */
const shortestSecret = 6;
/** Words before a credential, which are no secret and have a meaning in challenges. */
const schemes = /^(?:basic|bearer|digest|dpop|negotiate|token|apikey)$/i;

/** What has to disappear from a text that a server sent back, given values that we sent. */
export function secretsOf(values: readonly string[]): readonly string[] {
  return values
    .flatMap((value) => [value, ...value.split(/\s+/)])
    .filter((part) => part.length >= shortestSecret && !schemes.test(part))
    .sort((a, b) => b.length - a.length);
}

/** Replaces secrets in a text: servers like to quote the header that they refuse. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '•••'), text);
}
