/** What kind of secret the value under a key is, by the key's name alone. */
export type SecretKeyKind = 'password' | 'token' | 'key' | 'cookie' | 'secret' | 'credential' | 'code';

/** How much below a key is secret: one value, or everything in the object or list. */
export interface SecretKey {
  readonly kind: SecretKeyKind;
  readonly reach: 'value' | 'container';
}

const lastWord: ReadonlyMap<string, SecretKeyKind> = new Map(
  Object.entries({
    password: 'password',
    passwd: 'password',
    passwort: 'password',
    pwd: 'password',
    pass: 'password',
    passphrase: 'password',
    passcode: 'password',
    psw: 'password',
    secret: 'secret',
    secrets: 'secret',
    token: 'token',
    authtoken: 'token',
    accesstoken: 'token',
    refreshtoken: 'token',
    bearer: 'token',
    jwt: 'token',
    apikey: 'key',
    secretkey: 'key',
    privatekey: 'key',
    accesskey: 'key',
    authorization: 'credential',
    auth: 'credential',
    credential: 'credential',
    credentials: 'credential',
    creds: 'credential',
    cookie: 'cookie',
    cookies: 'cookie',
    otp: 'code',
    totp: 'code',
    pin: 'code',
    cvv: 'code',
    cvc: 'code',
    mnemonic: 'secret',
  } as const),
);

/** Pairs of last words: "key" alone is a name for anything. */
const lastPair: ReadonlyMap<string, SecretKeyKind> = new Map(
  Object.entries({
    'api key': 'key',
    'access key': 'key',
    'secret key': 'key',
    'private key': 'key',
    'signing key': 'key',
    'encryption key': 'key',
    'master key': 'key',
    'account key': 'key',
    'shared key': 'key',
    'auth key': 'key',
    'license key': 'key',
    'deploy key': 'key',
    'ssh key': 'key',
    'hmac key': 'key',
    'service key': 'key',
    'subscription key': 'key',
    'session key': 'key',
    'pass word': 'password',
    'pass phrase': 'password',
    'connection string': 'credential',
    'conn str': 'credential',
    'database url': 'credential',
    'shared access signature': 'key',
    'sas token': 'token',
    'seed phrase': 'secret',
    'recovery code': 'code',
    'recovery codes': 'code',
    'backup codes': 'code',
    'verification code': 'code',
    'set cookie': 'cookie',
  } as const),
);

/** A token that only says where a list goes on, or a key that names something, is no secret. */
const harmlessPair = new Set([
  'page token',
  'next token',
  'continuation token',
  'sync token',
  'cursor token',
  'cancellation token',
  'progress token',
  'public key',
  'stop token',
  'eos token',
  'bos token',
  'pad token',
  'mask token',
  'unk token',
  'sep token',
  'design token',
  'requires auth',
  'use auth',
  'no auth',
  'boarding pass',
  'low pass',
  'high pass',
  'first pass',
  'second pass',
]);

/** Names of lists of environment variables or headers, of which every value is somebody's. */
const containers: ReadonlyMap<string, SecretKeyKind> = new Map(
  Object.entries({
    env: 'secret',
    environ: 'secret',
    environment: 'secret',
    'env vars': 'secret',
    'environment variables': 'secret',
    secrets: 'secret',
    credentials: 'credential',
    cookies: 'cookie',
    'cookie jar': 'cookie',
    headers: 'secret',
    'request headers': 'secret',
    'http headers': 'secret',
    'extra headers': 'secret',
  } as const),
);

/** Headers that describe the body or the browser and never say who somebody is. */
const harmlessHeaders = new Set([
  'accept',
  'accept encoding',
  'accept language',
  'cache control',
  'connection',
  'content encoding',
  'content language',
  'content length',
  'content type',
  'date',
  'etag',
  'host',
  'if match',
  'if modified since',
  'if none match',
  'last modified',
  'origin',
  'pragma',
  'range',
  'server',
  'transfer encoding',
  'user agent',
  'vary',
]);

const cache = new Map<string, SecretKey | undefined>();
const cacheLimit = 2_000;

/** Judges a key's name: `githubToken`, `DB_PASSWORD`, `X-Api-Key`, … but not `maxTokens` or `pageToken`. */
export function secretKey(name: string): SecretKey | undefined {
  if (name.length > 100) return undefined;
  if (cache.has(name)) return cache.get(name);
  const verdict = judge(words(name));
  // Names come from servers: the memory must not grow with them.
  if (cache.size >= cacheLimit) cache.clear();
  cache.set(name, verdict);
  return verdict;
}

const secretQueryKeys = new Map(
  Object.entries({
    sig: 'key',
    signature: 'key',
    'amz signature': 'key',
    'goog signature': 'key',
    'amz security token': 'token',
    code: 'code',
    session: 'token',
    sid: 'token',
    hmac: 'key',
  } as const),
);

/** Judges the name of a parameter in a URL's query; there a few more names carry access. */
export function queryKey(name: string): SecretKeyKind | undefined {
  const parts = words(name);
  const key = secretKey(name);
  if (key?.reach === 'value') return key.kind;
  return secretQueryKeys.get(parts.join(' ')) ?? secretQueryKeys.get(parts.slice(-2).join(' '));
}

/** Whether a header's value may be kept. */
export function isHarmlessHeader(name: string): boolean {
  return harmlessHeaders.has(words(name).join(' '));
}

function judge(parts: readonly string[]): SecretKey | undefined {
  const whole = parts.join(' ');
  const container = containers.get(whole);
  if (container !== undefined) return { kind: container, reach: 'container' };
  const last = parts.at(-1);
  if (last === undefined) return undefined;
  const pair = parts.slice(-2).join(' ');
  if (harmlessPair.has(pair)) return undefined;
  const kind = lastPair.get(parts.slice(-3).join(' ')) ?? lastPair.get(pair) ?? lastWord.get(last);
  return kind === undefined ? undefined : { kind, reach: 'value' };
}

/** `APIKey2` → api, key; `x-api-key` → x, api, key. Trailing numbers only tell several apart. */
function words(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.replace(/\d+$/, ''))
    .filter((word) => word !== '');
}
