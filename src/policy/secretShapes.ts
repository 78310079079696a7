/** A secret that can be told by its own spelling, wherever it stands. */
export type SecretShape = {
  readonly type: string;
  /** Pattern source without flags. Bounded. */
  readonly source: string;
} & (
  | {
      /** The first two characters of what it can match, in all variants; `*` for any second one. */
      readonly starts: string;
    }
  | {
      readonly starts?: undefined;
      /** A text within it, for formats that begin with anything. */
      readonly mark: string;
      /** How many characters may stand before the mark. */
      readonly before: readonly number[];
    }
);

/*
 * Published token formats. Every one starts at the beginning of a word. Identifiers that are public by design
 * (account ids, publishable keys, public keys) are left out on purpose.
 */
export const secretShapes: readonly SecretShape[] = [
  {
    type: 'aws-access-key',
    source: '(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])',
    starts: 'AK AS AB AC',
  },
  { type: 'aws-bedrock-key', source: 'ABSK[A-Za-z0-9+/]{100,300}={0,2}', starts: 'AB' },
  { type: 'github-token', source: 'gh[pousr]_[A-Za-z0-9]{36,255}', starts: 'gh' },
  { type: 'github-token', source: 'github_pat_[A-Za-z0-9_]{40,255}', starts: 'gi' },
  {
    type: 'gitlab-token',
    source: 'gl(?:pat|oas|dt|rt|cbt|ptt|ft|imt|agent|soat|ffct)-[A-Za-z0-9_.-]{20,300}',
    starts: 'gl',
  },
  { type: 'slack-token', source: 'xox[abeoprs](?:\\.xox[a-z])?-[A-Za-z0-9-]{10,300}', starts: 'xo' },
  { type: 'slack-token', source: 'xapp-\\d-[A-Za-z0-9-]{10,300}', starts: 'xa' },
  {
    type: 'slack-webhook',
    source: 'https://hooks\\.slack\\.com/(?:services|workflows)/[A-Za-z0-9/_-]{20,200}',
    starts: 'ht',
  },
  {
    type: 'discord-webhook',
    source: 'https://(?:\\w{1,20}\\.)?discord(?:app)?\\.com/api/webhooks/\\d{10,25}/[A-Za-z0-9_-]{30,120}',
    starts: 'ht',
  },
  {
    type: 'teams-webhook',
    source: 'https://[\\w-]{1,80}\\.webhook\\.office\\.com/[A-Za-z0-9@/_-]{30,300}',
    starts: 'ht',
  },
  { type: 'stripe-key', source: '(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,250}', starts: 'sk rk' },
  { type: 'stripe-webhook-secret', source: 'whsec_[A-Za-z0-9+/=]{24,100}', starts: 'wh' },
  { type: 'anthropic-key', source: 'sk-ant-[A-Za-z0-9_-]{20,200}', starts: 'sk' },
  { type: 'openai-key', source: 'sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,250}', starts: 'sk' },
  { type: 'openrouter-key', source: 'sk-or-v1-[0-9a-f]{40,80}', starts: 'sk' },
  { type: 'api-key', source: 'sk-[A-Za-z0-9]{32,80}(?![A-Za-z0-9-])', starts: 'sk' },
  { type: 'google-api-key', source: 'AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])', starts: 'AI' },
  { type: 'google-oauth-token', source: 'ya29\\.[A-Za-z0-9_-]{20,500}', starts: 'ya' },
  { type: 'google-oauth-secret', source: 'GOCSPX-[A-Za-z0-9_-]{20,60}', starts: 'GO' },
  { type: 'google-refresh-token', source: '1//0[A-Za-z0-9_-]{30,200}', starts: '1/' },
  {
    type: 'azure-client-secret',
    source: '[A-Za-z0-9_~.]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])',
    mark: 'Q~',
    before: [4],
  },
  { type: 'npm-token', source: 'npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])', starts: 'np' },
  { type: 'pypi-token', source: 'pypi-AgE[A-Za-z0-9_-]{40,300}', starts: 'py' },
  { type: 'rubygems-key', source: 'rubygems_[0-9a-f]{48}(?![0-9a-f])', starts: 'ru' },
  { type: 'crates-token', source: 'cio[A-Za-z0-9]{32}(?![A-Za-z0-9])', starts: 'ci' },
  { type: 'docker-token', source: 'dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,100}', starts: 'dc' },
  { type: 'huggingface-token', source: '(?:hf|api_org)_[A-Za-z0-9]{30,60}(?![A-Za-z0-9])', starts: 'hf ap' },
  { type: 'replicate-token', source: 'r8_[A-Za-z0-9]{37}(?![A-Za-z0-9])', starts: 'r8' },
  { type: 'groq-key', source: 'gsk_[A-Za-z0-9]{40,80}(?![A-Za-z0-9])', starts: 'gs' },
  { type: 'perplexity-key', source: 'pplx-[A-Za-z0-9]{40,80}(?![A-Za-z0-9])', starts: 'pp' },
  { type: 'xai-key', source: 'xai-[A-Za-z0-9]{60,100}(?![A-Za-z0-9])', starts: 'xa' },
  { type: 'sendgrid-key', source: 'SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{30,64}', starts: 'SG' },
  { type: 'twilio-key', source: 'SK[0-9a-f]{32}(?![A-Za-z0-9])', starts: 'SK' },
  { type: 'mailgun-key', source: 'key-[0-9a-f]{32}(?![A-Za-z0-9])', starts: 'ke' },
  { type: 'mailchimp-key', source: '[0-9a-f]{32}-us\\d{1,2}(?![A-Za-z0-9])', mark: '-us', before: [32] },
  {
    type: 'telegram-token',
    source: '\\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])',
    mark: ':AA',
    before: [8, 9, 10],
  },
  {
    type: 'discord-token',
    source: '[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}',
    starts: 'M* N* O*',
  },
  { type: 'shopify-token', source: 'shp(?:at|ca|pa|ss|tka|ua)_[0-9a-fA-F]{32}', starts: 'sh' },
  { type: 'square-token', source: 'sq0(?:atp|csp)-[A-Za-z0-9_-]{22,60}', starts: 'sq' },
  { type: 'facebook-token', source: 'EAA[A-Za-z0-9]{90,300}(?![A-Za-z0-9+/=])', starts: 'EA' },
  { type: 'digitalocean-token', source: 'do[oprt]_v1_[0-9a-f]{64}', starts: 'do' },
  { type: 'heroku-key', source: 'HRKU-[A-Za-z0-9_-]{30,70}', starts: 'HR' },
  { type: 'fly-token', source: 'fm[12][ar]?_[A-Za-z0-9+/=_-]{40,1000}', starts: 'fm' },
  { type: 'doppler-token', source: 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9_.-]{30,80}', starts: 'dp' },
  { type: 'linear-key', source: 'lin_(?:api|oauth)_[A-Za-z0-9]{30,80}', starts: 'li' },
  {
    type: 'notion-token',
    source: '(?:secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{40,50})(?![A-Za-z0-9])',
    starts: 'se nt',
  },
  { type: 'airtable-token', source: 'pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}', starts: 'pa' },
  { type: 'atlassian-token', source: 'AT(?:ATT|CTT|BB)3?[A-Za-z0-9_=-]{32,250}', starts: 'AT' },
  { type: 'figma-token', source: 'figd_[A-Za-z0-9_-]{30,80}', starts: 'fi' },
  { type: 'postman-key', source: 'PMAK-[0-9a-f]{24}-[0-9a-f]{34}', starts: 'PM' },
  { type: 'sentry-token', source: 'sntr[yu]s?_[A-Za-z0-9+/=_-]{40,500}', starts: 'sn' },
  { type: 'newrelic-key', source: 'NR(?:AK|JS|RA|II)-[A-Za-z0-9]{20,50}', starts: 'NR' },
  { type: 'grafana-token', source: 'gl(?:sa|c)_[A-Za-z0-9+/=_]{32,400}', starts: 'gl' },
  { type: 'databricks-token', source: 'dapi[0-9a-f]{32}(?:-\\d)?(?![A-Za-z0-9])', starts: 'da' },
  { type: 'vault-token', source: 'hv[sbr]\\.[A-Za-z0-9_-]{24,300}', starts: 'hv' },
  {
    type: 'terraform-token',
    source: '[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_-]{60,80}',
    mark: '.atlasv1.',
    before: [14],
  },
  { type: 'pulumi-token', source: 'pul-[0-9a-f]{40}(?![0-9a-f])', starts: 'pu' },
  { type: 'supabase-key', source: 'sb(?:p|_secret)_[A-Za-z0-9_]{20,80}', starts: 'sb' },
  { type: 'planetscale-token', source: 'pscale_(?:pw|tkn|oauth)_[A-Za-z0-9_.-]{30,70}', starts: 'ps' },
  { type: 'cloudflare-key', source: 'v1\\.0-[0-9a-f]{24}-[0-9a-f]{146}', starts: 'v1' },
  { type: 'tailscale-key', source: 'tskey-[a-z]{3,10}-[A-Za-z0-9-]{10,80}', starts: 'ts' },
  { type: 'onepassword-token', source: 'ops_eyJ[A-Za-z0-9_+/=-]{100,2000}', starts: 'op' },
  { type: 'age-key', source: 'AGE-SECRET-KEY-1[0-9A-Z]{58}', starts: 'AG' },
  {
    type: 'jwt',
    source:
      'eyJ[A-Za-z0-9_-]{8,8000}\\.[A-Za-z0-9_-]{8,12000}\\.[A-Za-z0-9_-]{0,4000}(?:\\.[A-Za-z0-9_-]{1,12000}){0,2}',
    starts: 'ey',
  },
];

interface Candidate {
  readonly type: string;
  /** Sticky: matches at `lastIndex` or not at all. */
  readonly pattern: RegExp;
}

const ascii = 128;
const none: Candidate[] = [];

/** Patterns by the first two characters of what they match: nearly all words begin no secret. */
const byStart: Candidate[][] = Array.from({ length: ascii * ascii }, () => none);
const byMark: (Candidate & { readonly mark: string; readonly before: readonly number[] })[] = [];

for (const shape of secretShapes) {
  const candidate = { type: shape.type, pattern: new RegExp(shape.source, 'y') };
  if (shape.starts === undefined) byMark.push({ ...candidate, mark: shape.mark, before: shape.before });
  else {
    for (const key of startKeys(shape.starts)) byStart[key] = [...(byStart[key] ?? none), candidate];
  }
}

function* startKeys(starts: string): Generator<number> {
  for (const start of starts.split(' ')) {
    const first = start.charCodeAt(0) * ascii;
    if (!start.endsWith('*')) yield first + start.charCodeAt(1);
    else for (let second = 0; second < ascii; second++) yield first + second;
  }
}

/** Characters; below this no pattern can match. */
const shortestShape = 15;

/** Calls back for each secret told by its spelling. */
export function eachShape(text: string, found: (start: number, end: number, type: string) => void): void {
  if (text.length < shortestShape) return;
  let inWord = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isWord = isWordCharacter(code);
    if (isWord && !inWord) {
      const match = matchAt(text, at, code);
      if (match !== undefined) {
        found(at, match.end, match.type);
        at = match.end - 1;
        inWord = isWordCharacter(text.charCodeAt(at));
        continue;
      }
    }
    inWord = isWord;
  }
  for (const candidate of byMark) eachMark(text, candidate, found);
}

function matchAt(
  text: string,
  at: number,
  code: number,
): { readonly end: number; readonly type: string } | undefined {
  const second = text.charCodeAt(at + 1);
  if (!(second < ascii)) return undefined;
  const candidates = byStart[code * ascii + second] ?? none;
  for (const { type, pattern } of candidates) {
    pattern.lastIndex = at;
    if (pattern.test(text) && !isInsideBase64(text, at)) return { end: pattern.lastIndex, type };
  }
  return undefined;
}

function eachMark(
  text: string,
  { type, pattern, mark, before }: (typeof byMark)[number],
  found: (start: number, end: number, type: string) => void,
): void {
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) {
    for (const length of before) {
      const start = at - length;
      pattern.lastIndex = Math.max(0, start);
      if (start < 0 || isWordCharacter(text.charCodeAt(start - 1)) || !pattern.test(text)) continue;
      found(start, pattern.lastIndex, type);
    }
  }
}

function isWordCharacter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39);
}

/** In a picture's base64 every short beginning turns up sooner or later. */
function isInsideBase64(text: string, start: number): boolean {
  const before = text.charAt(start - 1);
  if (before !== '+' && before !== '/') return false;
  return /[A-Za-z0-9+/]{60}$/.test(text.slice(Math.max(0, start - 60), start));
}
