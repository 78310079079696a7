import { findSecrets } from './findSecrets.ts';
import { noKnownSecrets } from './knownSecrets.ts';
import { isHarmlessHeader, secretKey } from './secretKey.ts';

/** What a server is given when it starts, with all variables filled in. */
export interface ServerConfiguration {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly args?: readonly string[];
  readonly url?: string;
  /** Values that came from a secret store or a password input. All of them are secret. */
  readonly secrets?: readonly string[];
}

/**
 * The secrets in a server's configuration, for `AuditLog.setKnownSecrets`. Not every environment value is one:
 * `NODE_ENV=production` would black out the word "production" everywhere.
 */
export function configuredSecrets(configuration: ServerConfiguration): readonly string[] {
  const { env = {}, headers = {}, args = [], url = '', secrets = [] } = configuration;
  const found = new Set<string>(secrets);
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || value === '') continue;
    if (secretKey(name)?.reach === 'value' || looksRandom(value)) found.add(value);
    else for (const secret of secretsIn(value)) found.add(secret);
  }
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || value === '' || isHarmlessHeader(name)) continue;
    found.add(value);
    // "Bearer x": the token alone is as secret as the header.
    const token = /^[A-Za-z][\w-]* +(\S+)$/.exec(value)?.[1];
    if (token !== undefined) found.add(token);
  }
  for (const secret of secretsIn([args.join(' '), url].join('\n'))) found.add(secret);
  return [...found];
}

function secretsIn(text: string): string[] {
  return findSecrets(text, noKnownSecrets, true).map(({ start, end }) => text.slice(start, end));
}

/** Long, without spaces, not a path, with letters and digits mixed. */
function looksRandom(value: string): boolean {
  return (
    value.length >= 16 && /^[A-Za-z0-9_~+=-]+$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value)
  );
}
