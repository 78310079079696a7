/** A secret that can be told by its own spelling, wherever it stands. */
export interface SecretShape {
  readonly type: string;
  /** Pattern source without flags. Bounded, and beginning with fixed characters. */
  readonly source: string;
}

/*
 * Published token formats. Every one starts at the beginning of a word. Identifiers that are public by design
 * (account ids, publishable keys, public keys) are left out on purpose.
 */
export const secretShapes: readonly SecretShape[] = [
  { type: 'aws-access-key', source: '(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])' },
  { type: 'aws-bedrock-key', source: 'ABSK[A-Za-z0-9+/]{100,300}={0,2}' },
  { type: 'github-token', source: 'gh[pousr]_[A-Za-z0-9]{36,255}' },
  { type: 'github-token', source: 'github_pat_[A-Za-z0-9_]{40,255}' },
  {
    type: 'gitlab-token',
    source: 'gl(?:pat|oas|dt|rt|cbt|ptt|ft|imt|agent|soat|ffct)-[A-Za-z0-9_.-]{20,300}',
  },
  { type: 'slack-token', source: 'xox[abeoprs](?:\\.xox[a-z])?-[A-Za-z0-9-]{10,300}' },
  { type: 'slack-token', source: 'xapp-\\d-[A-Za-z0-9-]{10,300}' },
  {
    type: 'slack-webhook',
    source: 'https://hooks\\.slack\\.com/(?:services|workflows)/[A-Za-z0-9/_-]{20,200}',
  },
  {
    type: 'discord-webhook',
    source: 'https://(?:\\w{1,20}\\.)?discord(?:app)?\\.com/api/webhooks/\\d{10,25}/[A-Za-z0-9_-]{30,120}',
  },
  { type: 'teams-webhook', source: 'https://[\\w-]{1,80}\\.webhook\\.office\\.com/[A-Za-z0-9@/_-]{30,300}' },
  { type: 'stripe-key', source: '(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,250}' },
  { type: 'stripe-webhook-secret', source: 'whsec_[A-Za-z0-9+/=]{24,100}' },
  { type: 'anthropic-key', source: 'sk-ant-[A-Za-z0-9_-]{20,200}' },
  { type: 'openai-key', source: 'sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,250}' },
  { type: 'openrouter-key', source: 'sk-or-v1-[0-9a-f]{40,80}' },
  { type: 'api-key', source: 'sk-[A-Za-z0-9]{32,80}(?![A-Za-z0-9-])' },
  { type: 'google-api-key', source: 'AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])' },
  { type: 'google-oauth-token', source: 'ya29\\.[A-Za-z0-9_-]{20,500}' },
  { type: 'google-oauth-secret', source: 'GOCSPX-[A-Za-z0-9_-]{20,60}' },
  { type: 'google-refresh-token', source: '1//0[A-Za-z0-9_-]{30,200}' },
  { type: 'azure-client-secret', source: '[A-Za-z0-9_~.]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])' },
  { type: 'npm-token', source: 'npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])' },
  { type: 'pypi-token', source: 'pypi-AgE[A-Za-z0-9_-]{40,300}' },
  { type: 'rubygems-key', source: 'rubygems_[0-9a-f]{48}(?![0-9a-f])' },
  { type: 'crates-token', source: 'cio[A-Za-z0-9]{32}(?![A-Za-z0-9])' },
  { type: 'docker-token', source: 'dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,100}' },
  { type: 'huggingface-token', source: '(?:hf|api_org)_[A-Za-z0-9]{30,60}(?![A-Za-z0-9])' },
  { type: 'replicate-token', source: 'r8_[A-Za-z0-9]{37}(?![A-Za-z0-9])' },
  { type: 'groq-key', source: 'gsk_[A-Za-z0-9]{40,80}(?![A-Za-z0-9])' },
  { type: 'perplexity-key', source: 'pplx-[A-Za-z0-9]{40,80}(?![A-Za-z0-9])' },
  { type: 'xai-key', source: 'xai-[A-Za-z0-9]{60,100}(?![A-Za-z0-9])' },
  { type: 'sendgrid-key', source: 'SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{30,64}' },
  { type: 'twilio-key', source: 'SK[0-9a-f]{32}(?![A-Za-z0-9])' },
  { type: 'mailgun-key', source: 'key-[0-9a-f]{32}(?![A-Za-z0-9])' },
  { type: 'mailchimp-key', source: '[0-9a-f]{32}-us\\d{1,2}(?![A-Za-z0-9])' },
  { type: 'telegram-token', source: '\\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])' },
  { type: 'discord-token', source: '[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}' },
  { type: 'shopify-token', source: 'shp(?:at|ca|pa|ss|tka|ua)_[0-9a-fA-F]{32}' },
  { type: 'square-token', source: 'sq0(?:atp|csp)-[A-Za-z0-9_-]{22,60}' },
  { type: 'facebook-token', source: 'EAA[A-Za-z0-9]{90,300}(?![A-Za-z0-9+/=])' },
  { type: 'digitalocean-token', source: 'do[oprt]_v1_[0-9a-f]{64}' },
  { type: 'heroku-key', source: 'HRKU-[A-Za-z0-9_-]{30,70}' },
  { type: 'fly-token', source: 'fm[12][ar]?_[A-Za-z0-9+/=_-]{40,1000}' },
  { type: 'doppler-token', source: 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9_.-]{30,80}' },
  { type: 'linear-key', source: 'lin_(?:api|oauth)_[A-Za-z0-9]{30,80}' },
  { type: 'notion-token', source: '(?:secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{40,50})(?![A-Za-z0-9])' },
  { type: 'airtable-token', source: 'pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}' },
  { type: 'atlassian-token', source: 'AT(?:ATT|CTT|BB)3?[A-Za-z0-9_=-]{32,250}' },
  { type: 'figma-token', source: 'figd_[A-Za-z0-9_-]{30,80}' },
  { type: 'postman-key', source: 'PMAK-[0-9a-f]{24}-[0-9a-f]{34}' },
  { type: 'sentry-token', source: 'sntr[yu]s?_[A-Za-z0-9+/=_-]{40,500}' },
  { type: 'newrelic-key', source: 'NR(?:AK|JS|RA|II)-[A-Za-z0-9]{20,50}' },
  { type: 'grafana-token', source: 'gl(?:sa|c)_[A-Za-z0-9+/=_]{32,400}' },
  { type: 'databricks-token', source: 'dapi[0-9a-f]{32}(?:-\\d)?(?![A-Za-z0-9])' },
  { type: 'vault-token', source: 'hv[sbr]\\.[A-Za-z0-9_-]{24,300}' },
  { type: 'terraform-token', source: '[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_-]{60,80}' },
  { type: 'pulumi-token', source: 'pul-[0-9a-f]{40}(?![0-9a-f])' },
  { type: 'supabase-key', source: 'sb(?:p|_secret)_[A-Za-z0-9_]{20,80}' },
  { type: 'planetscale-token', source: 'pscale_(?:pw|tkn|oauth)_[A-Za-z0-9_.-]{30,70}' },
  { type: 'cloudflare-key', source: 'v1\\.0-[0-9a-f]{24}-[0-9a-f]{146}' },
  { type: 'tailscale-key', source: 'tskey-[a-z]{3,10}-[A-Za-z0-9-]{10,80}' },
  { type: 'onepassword-token', source: 'ops_eyJ[A-Za-z0-9_+/=-]{100,2000}' },
  { type: 'age-key', source: 'AGE-SECRET-KEY-1[0-9A-Z]{58}' },
  {
    type: 'jwt',
    source:
      'eyJ[A-Za-z0-9_-]{8,8000}\\.[A-Za-z0-9_-]{8,12000}\\.[A-Za-z0-9_-]{0,4000}(?:\\.[A-Za-z0-9_-]{1,12000}){0,2}',
  },
];

const wordStart = '(?<![A-Za-z0-9])';

/** One pattern for all of them: most texts hold none, and one pass says so. */
const anyShape = new RegExp(`${wordStart}(?:${secretShapes.map((shape) => shape.source).join('|')})`, 'g');

/** Characters; below this no pattern can match. */
const shortestShape = 15;

const single = secretShapes.map((shape) => ({ type: shape.type, pattern: new RegExp(shape.source, 'y') }));

/** Calls back for each secret told by its spelling. */
export function eachShape(text: string, found: (start: number, end: number, type: string) => void): void {
  if (text.length < shortestShape) return;
  anyShape.lastIndex = 0;
  // By hand, because `matchAll` copies the pattern each time, which costs more than most texts are long.
  for (let match = anyShape.exec(text); match !== null; match = anyShape.exec(text)) {
    const start = match.index;
    if (isInsideBase64(text, start)) continue;
    const shape = single.find(({ pattern }) => {
      pattern.lastIndex = start;
      return pattern.test(text);
    });
    found(start, start + match[0].length, shape?.type ?? 'token');
  }
}

/** In a picture's base64 every short beginning turns up sooner or later. */
function isInsideBase64(text: string, start: number): boolean {
  const before = text.charAt(start - 1);
  if (before !== '+' && before !== '/') return false;
  return /[A-Za-z0-9+/]{60}$/.test(text.slice(Math.max(0, start - 60), start));
}
