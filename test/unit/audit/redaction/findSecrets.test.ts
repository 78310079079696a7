import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { findSecrets } from '../../../../src/audit/redaction/findSecrets.ts';
import { secretShapes } from '../../../../src/policy/secretShapes.ts';
import { noKnownSecrets } from '../../../../src/audit/redaction/knownSecrets.ts';

/** What is replaced in a text, in order, as `type: secret`. */
function found(text: string): string[] {
  return findSecrets(text, noKnownSecrets, true).map(
    ({ start, end, type }) => `${type}: ${text.slice(start, end)}`,
  );
}

// Assembled from parts, so that scanners of repositories do not take the samples for real ones.
const hex = (length: number): string => '0123456789abcdef'.repeat(20).slice(0, length);
const mixed = (length: number): string => 'aB3dE5gH7jK9mN1pQ2sT4vW6xY8z'.repeat(60).slice(0, length);
const upper = (length: number): string => 'Q2W3E4R5T6Y7ABCD'.repeat(5).slice(0, length);
const gh = (kind: string): string => `gh${kind}_`;
const stripe = (kind: string, mode: string): string => `${kind}_${mode}_`;
const jwt = ['eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', mixed(43)].join('.');
const jwe = [
  'eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ',
  mixed(60),
  mixed(16),
  mixed(80),
  mixed(22),
].join('.');
const pem = (label: string): string =>
  `-----BEGIN ${label}-----\n${mixed(64)}\n${mixed(64)}==\n-----END ${label}-----`;

/** A text and the secrets in it. */
const secrets: readonly (readonly [text: string, ...found: string[]])[] = [
  // Told by their own spelling.
  [`AKIA${upper(16)}`, `aws-access-key: AKIA${upper(16)}`],
  [`ASIA${upper(16)} is temporary`, `aws-access-key: ASIA${upper(16)}`],
  [`use ${gh('p')}${mixed(36)} now`, `github-token: ${gh('p')}${mixed(36)}`],
  [`(${gh('s')}${mixed(36)})`, `github-token: ${gh('s')}${mixed(36)}`],
  [`github_pat_${mixed(22)}_${mixed(59)}`, `github-token: github_pat_${mixed(22)}_${mixed(59)}`],
  [`glpat-${mixed(20)}`, `gitlab-token: glpat-${mixed(20)}`],
  [`xoxb-123456789012-${mixed(24)}`, `slack-token: xoxb-123456789012-${mixed(24)}`],
  [`xapp-1-A0123456789-${mixed(30)}`, `slack-token: xapp-1-A0123456789-${mixed(30)}`],
  [
    `post to https://hooks.slack.com/services/T0000/B0000/${mixed(24)}.`,
    `slack-webhook: https://hooks.slack.com/services/T0000/B0000/${mixed(24)}`,
  ],
  [
    `https://discord.com/api/webhooks/123456789012345678/${mixed(68)}`,
    `discord-webhook: https://discord.com/api/webhooks/123456789012345678/${mixed(68)}`,
  ],
  [`${stripe('sk', 'live')}${mixed(24)}`, `stripe-key: ${stripe('sk', 'live')}${mixed(24)}`],
  [`${stripe('rk', 'test')}${mixed(24)}`, `stripe-key: ${stripe('rk', 'test')}${mixed(24)}`],
  [`whsec_${mixed(32)}`, `stripe-webhook-secret: whsec_${mixed(32)}`],
  [`sk-ant-api03-${mixed(90)}`, `anthropic-key: sk-ant-api03-${mixed(90)}`],
  [`sk-proj-${mixed(100)}`, `openai-key: sk-proj-${mixed(100)}`],
  [`sk-${mixed(48)}`, `api-key: sk-${mixed(48)}`],
  [`AIza${mixed(35)}`, `google-api-key: AIza${mixed(35)}`],
  [`ya29.${mixed(120)}`, `google-oauth-token: ya29.${mixed(120)}`],
  [`GOCSPX-${mixed(28)}`, `google-oauth-secret: GOCSPX-${mixed(28)}`],
  [`abc8Q~${mixed(34)}`, `azure-client-secret: abc8Q~${mixed(34)}`],
  [`npm_${mixed(36)}`, `npm-token: npm_${mixed(36)}`],
  [`pypi-AgEIcHlwaS5vcmc${mixed(60)}`, `pypi-token: pypi-AgEIcHlwaS5vcmc${mixed(60)}`],
  [`dckr_pat_${mixed(27)}`, `docker-token: dckr_pat_${mixed(27)}`],
  [`hf_${mixed(34)}`, `huggingface-token: hf_${mixed(34)}`],
  [`SG.${mixed(22)}.${mixed(43)}`, `sendgrid-key: SG.${mixed(22)}.${mixed(43)}`],
  [`SK${hex(32)}`, `twilio-key: SK${hex(32)}`],
  [`key-${hex(32)}`, `mailgun-key: key-${hex(32)}`],
  [`${hex(32)}-us12`, `mailchimp-key: ${hex(32)}-us12`],
  [`123456789:AA${mixed(33)}`, `telegram-token: 123456789:AA${mixed(33)}`],
  [`M${mixed(23)}.${mixed(6)}.${mixed(38)}`, `discord-token: M${mixed(23)}.${mixed(6)}.${mixed(38)}`],
  [`shpat_${hex(32)}`, `shopify-token: shpat_${hex(32)}`],
  [`dop_v1_${hex(64)}`, `digitalocean-token: dop_v1_${hex(64)}`],
  [`lin_api_${mixed(40)}`, `linear-key: lin_api_${mixed(40)}`],
  [`ntn_${mixed(46)}`, `notion-token: ntn_${mixed(46)}`],
  [`dapi${hex(32)}`, `databricks-token: dapi${hex(32)}`],
  [`hvs.${mixed(90)}`, `vault-token: hvs.${mixed(90)}`],
  [`${mixed(14)}.atlasv1.${mixed(67)}`, `terraform-token: ${mixed(14)}.atlasv1.${mixed(67)}`],
  [`tskey-auth-${mixed(12)}-${mixed(20)}`, `tailscale-key: tskey-auth-${mixed(12)}-${mixed(20)}`],
  [`AGE-SECRET-KEY-1${upper(58)}`, `age-key: AGE-SECRET-KEY-1${upper(58)}`],
  [jwt, `jwt: ${jwt}`],
  [`a token: ${jwe}, you see`, `jwt: ${jwe}`],
  [`ABSK${mixed(120)}=`, `aws-bedrock-key: ABSK${mixed(120)}=`],
  [
    `https://acme.webhook.office.com/webhookb2/${mixed(36)}`,
    `teams-webhook: https://acme.webhook.office.com/webhookb2/${mixed(36)}`,
  ],
  [`sk-or-v1-${hex(64)}`, `openrouter-key: sk-or-v1-${hex(64)}`],
  [`1//0${mixed(60)}`, `google-refresh-token: 1//0${mixed(60)}`],
  [`rubygems_${hex(48)}`, `rubygems-key: rubygems_${hex(48)}`],
  [`cio${mixed(32)}`, `crates-token: cio${mixed(32)}`],
  [`api_org_${mixed(34)}`, `huggingface-token: api_org_${mixed(34)}`],
  [`r8_${mixed(37)}`, `replicate-token: r8_${mixed(37)}`],
  [`gsk_${mixed(52)}`, `groq-key: gsk_${mixed(52)}`],
  [`pplx-${mixed(48)}`, `perplexity-key: pplx-${mixed(48)}`],
  [`xai-${mixed(80)}`, `xai-key: xai-${mixed(80)}`],
  [`sq0atp-${mixed(22)}`, `square-token: sq0atp-${mixed(22)}`],
  [`EAA${mixed(120)}`, `facebook-token: EAA${mixed(120)}`],
  [`HRKU-${mixed(60)}`, `heroku-key: HRKU-${mixed(60)}`],
  [`fm2_${mixed(100)}=`, `fly-token: fm2_${mixed(100)}=`],
  [`dp.st.dev.${mixed(40)}`, `doppler-token: dp.st.dev.${mixed(40)}`],
  [`secret_${mixed(43)}`, `notion-token: secret_${mixed(43)}`],
  [`pat${mixed(14)}.${hex(64)}`, `airtable-token: pat${mixed(14)}.${hex(64)}`],
  [`ATATT3${mixed(180)}=A1B2C3D4`, `atlassian-token: ATATT3${mixed(180)}=A1B2C3D4`],
  [`ATBB${mixed(32)}`, `atlassian-token: ATBB${mixed(32)}`],
  [`figd_${mixed(40)}`, `figma-token: figd_${mixed(40)}`],
  [`PMAK-${hex(24)}-${hex(34)}`, `postman-key: PMAK-${hex(24)}-${hex(34)}`],
  [`sntrys_${mixed(120)}`, `sentry-token: sntrys_${mixed(120)}`],
  [`NRAK-${upper(27)}`, `newrelic-key: NRAK-${upper(27)}`],
  [`glsa_${mixed(32)}_${hex(8)}`, `grafana-token: glsa_${mixed(32)}_${hex(8)}`],
  [`pul-${hex(40)}`, `pulumi-token: pul-${hex(40)}`],
  [`sbp_${hex(40)}`, `supabase-key: sbp_${hex(40)}`],
  [`pscale_pw_${mixed(43)}`, `planetscale-token: pscale_pw_${mixed(43)}`],
  [`v1.0-${hex(24)}-${hex(146)}`, `cloudflare-key: v1.0-${hex(24)}-${hex(146)}`],
  [`ops_eyJ${mixed(200)}`, `onepassword-token: ops_eyJ${mixed(200)}`],
  [`MY_${gh('p')}${mixed(36)}`, `github-token: ${gh('p')}${mixed(36)}`],
  [
    `${gh('p')}${mixed(36)},${gh('o')}${mixed(36)}`,
    `github-token: ${gh('p')}${mixed(36)}`,
    `github-token: ${gh('o')}${mixed(36)}`,
  ],
  // Told by what stands around them.
  [pem('PRIVATE KEY'), `private-key: ${pem('PRIVATE KEY')}`],
  [
    `cut off:\n${pem('RSA PRIVATE KEY').slice(0, 120)}`,
    `private-key: ${pem('RSA PRIVATE KEY').slice(0, 120)}`,
  ],
  [
    `${pem('OPENSSH PRIVATE KEY')}\nand\n${pem('EC PRIVATE KEY')}`,
    `private-key: ${pem('OPENSSH PRIVATE KEY')}`,
    `private-key: ${pem('EC PRIVATE KEY')}`,
  ],
  [pem('PGP PRIVATE KEY BLOCK'), `private-key: ${pem('PGP PRIVATE KEY BLOCK')}`],
  ['postgres://app:hunter2@db.example.com:5432/app', 'url-password: hunter2'],
  ['mongodb+srv://u:p%40ss@cluster0.example.net/?retryWrites=true', 'url-password: p%40ss'],
  ['redis://:s3cret@cache:6379', 'url-password: s3cret'],
  ['https://user:p@ss:word@example.com/x', 'url-password: p@ss:word'],
  [`git clone https://${mixed(30)}@git.example.com/a/b`, `url-credential: ${mixed(30)}`],
  ['amqp://a:b1@h1 and http://c:d2@[::1]:80/', 'url-password: b1', 'url-password: d2'],
  ['Server=db;Database=app;User Id=sa;Password=Pa ss w0rd!;Encrypt=true', 'password: Pa ss w0rd!'],
  ['Password=first one;Server=db', 'password: first one'],
  [
    `DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=${mixed(86)}==;EndpointSuffix=core.windows.net`,
    `key: ${mixed(86)}==`,
  ],
  [
    `Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=${mixed(43)}=`,
    `key: ${mixed(43)}=`,
  ],
  ['Authorization: Bearer abc.def-123', 'credential: Bearer abc.def-123'],
  ["curl -H 'Authorization: Basic dXNlcjpwYXNz' https://x.example", 'credential: Basic dXNlcjpwYXNz'],
  ['authorization=Token 9944b09199c62bcf', 'credential: Token 9944b09199c62bcf'],
  ['sent with bearer 4f9a2c7b81de as always', 'bearer: 4f9a2c7b81de'],
  ['using Basic dXNlcjpwYXNz there', 'basic: dXNlcjpwYXNz'],
  ['Cookie: sid=31d4d96e407aad42; theme=dark', 'cookie: sid=31d4d96e407aad42; theme=dark'],
  ['Set-Cookie: id=a3fWa; Path=/; HttpOnly\nDate: x', 'cookie: id=a3fWa; Path=/; HttpOnly'],
  ['X-Api-Key: 5f2b8c', 'key: 5f2b8c'],
  ['GET /x?api_key=abc123&page=2', 'key: abc123'],
  ['https://x.example/cb?code=4/P7q7W91&state=xyz', 'code: 4/P7q7W91'],
  [`https://acme.blob.core.windows.net/c/b?sv=2024-01-01&sp=r&sig=${mixed(30)}%3D`, `key: ${mixed(30)}%3D`],
  [`https://s3.example/o?X-Amz-Date=2026&X-Amz-Signature=${hex(64)}`, `key: ${hex(64)}`],
  ['{"user":"ann","password":"hun\\"ter2","n":1}', 'password: hun\\"ter2'],
  ['"{\\"client_secret\\":\\"q\\\\\\"8r\\",\\"n\\":1}"', 'secret: q\\\\\\"8r'],
  ["const cfg = { apiKey: 'k-12345', n: 1 }", 'key: k-12345'],
  ['DB_PASSWORD=hunter2\nDB_HOST=localhost', 'password: hunter2'],
  ['export GITHUB_TOKEN="abc def"', 'token: abc def'],
  ['password: swordfish', 'password: swordfish'],
  ['  db:\n    password: Tr0ub4dor &3\n    host: x', 'password: Tr0ub4dor &3'],
  ['The API key: 9f8e7d6c is yours', 'key: 9f8e7d6c'],
  [
    'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    'key: wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  ],
  ['tool --password hunter2 --verbose', 'password: hunter2'],
  ['tool --api-key="a b c"', 'key: a b c'],
  ['curl -s -u ann:hunter2 https://x.example', 'password: hunter2'],
  ["sshpass -p 'hunter2' ssh x", 'password: hunter2'],
  [
    '//registry.example.org/:_authToken=00000000-0000-4000-8000-000000000000',
    'token: 00000000-0000-4000-8000-000000000000',
  ],
  ['machine x login ann password hunter2-x', 'password: hunter2-x'],
  ['otpauth://totp/Acme:ann?secret=JBSWY3DPEHPK3PXP&issuer=Acme', 'secret: JBSWY3DPEHPK3PXP'],
  ['one-time code: OTP=483920', 'code: 483920'],
];

/** What must be left alone, however much it looks like a secret. */
const nearMisses: readonly string[] = [
  'f47ac10b-58cc-4372-a567-0e02b2c3d479',
  `commit ${hex(40)}`,
  `sha256:${hex(64)}`,
  `${hex(32)}  file.iso`,
  `"integrity": "sha512-${mixed(86)}=="`,
  `data:image/png;base64,iVBORw0KGgo${mixed(600)}==`,
  `/9j/4AAQSkZJRg${mixed(400)}/AKIA${upper(16)}Zz+${mixed(200)}`,
  `ETag: "${hex(32)}"`,
  'max_tokens: 4096, total_tokens=128',
  '{"nextPageToken":"CAUQAA","pageToken":"abc123"}',
  'cancellationToken: source1, progressToken=7',
  '"public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB5"',
  pem('PUBLIC KEY'),
  pem('CERTIFICATE'),
  'AKIA is how such keys begin; so does akia1234567890123456',
  'ghp_short and github_pat_ alone',
  'sk-learn, sk-estimators and scikit-learn',
  'eyJ is how they begin; eyJhbGciOiJIUzI1NiJ9 alone says nothing',
  'https://example.com:8080/path@v1.2/user:name',
  'ssh://git@github.com/acme/site.git',
  'npm:left-pad@1.3.0 and https://registry.example/@scope/pkg',
  'postgres://app:${DB_PASSWORD}@db/app',
  'postgres://user:<password>@host/db',
  'mysql://root:****@localhost',
  'PASSWORD=$DB_PASSWORD',
  'password: ${{ secrets.DB_PASSWORD }}',
  'password = os.environ["DB_PASSWORD"]',
  'const token = process.env.TOKEN',
  'const token = getToken(user)',
  'password: required',
  'Password: must have 8 characters',
  'Reset your password: click the link below',
  'The secret: practice every day',
  'Invalid token: unexpected end of input',
  '"password": null, "token": "", "secret": true',
  '"type": "string", "token_type": "Bearer", "auth": "none"',
  'token_endpoint=https://auth.example/token',
  'Bearer of bad news and basic understanding',
  'Basic authentication is off; Bearer authentication is on',
  'cookie: the browser stores it',
  'Authorization: required for all of these',
  'tool --password-stdin --token-type x --verbose',
  'author: Ann, keyboard: qwertz, monkey=1, passenger: 12',
  'pin: 7, otp: on, pass: 12, fail: 3',
  'if (a == b) { x = y }',
  'secretName: db-credentials, passwordHash=x',
  'SHA512SUMS.gpg 2026-05-01T12:00:00Z 192.168.0.1:8080',
  'curl -u $USER:$PASS https://x.example',
  'git push -u origin main:main',
  '`xoxb-` tokens, `whsec_` secrets and `npm_` variables such as npm_config_registry',
  'key: value; token: [redacted]; secret: ***',
  '[secret:github-token #0123456789abcdef]',
  'password=[secret:password #0123456789abcdef]',
];

test('secrets are found where they are, and only they', () => {
  for (const [text, ...expected] of secrets) assert.deepEqual(found(text), expected, text);
  assert.ok(secrets.length >= 60);
});

test('every known format has a sample', () => {
  const samples = secrets.map(([text]) => text);
  const unseen = secretShapes.filter(({ source }) => !samples.some((text) => new RegExp(source).test(text)));
  assert.deepEqual(unseen, []);
});

test('near misses are left alone', () => {
  for (const text of nearMisses) assert.deepEqual(found(text), [], text);
});

test('each secret is also found in the middle of other text', () => {
  for (const [text, ...expected] of secrets) {
    if (text.includes('cut off')) continue;
    assert.deepEqual(found(`Some words before.\n${text}\nSome words after.`), expected, text);
  }
});

test('hostile text does not hold up the process', async () => {
  const size = 200_000;
  const texts = [
    'a'.repeat(size),
    '=:'.repeat(size / 2),
    'password='.repeat(size / 9),
    'password="'.repeat(size / 10),
    '://a:b'.repeat(size / 6),
    '-----BEGIN RSA PRIVATE KEY-----'.repeat(size / 31),
    'eyJaaaaaaaa.'.repeat(size / 12),
    'curl '.repeat(size / 5),
    'cookie: a=b;'.repeat(size / 12),
    'authorization: '.repeat(size / 15),
    '\\'.repeat(size),
    '--a '.repeat(size / 4),
    `${'a '.repeat(size / 2)}=`,
    '0'.repeat(size),
    'key-'.repeat(size / 4),
    'a;b='.repeat(size / 4),
    'basic aaaaaa'.repeat(size / 12),
  ];
  for (const text of texts) {
    // Quadratic work on so much text would take minutes; the worker is given up long before.
    const worker = new Worker(new URL('findSecretsWorker.ts', import.meta.url), { workerData: text });
    const ended = await Promise.race([once(worker, 'exit'), setTimeout(30_000, 'stuck', { ref: false })]);
    await worker.terminate();
    assert.deepEqual(ended, [0], text.slice(0, 20));
  }
});
