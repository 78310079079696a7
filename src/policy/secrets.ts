import type { TextRange } from '../shared/riskNote.ts';

/** A part of a text that has the form of a secret. */
export interface SecretMatch extends TextRange {
  /** What it looks like: `GitHub token`, `private key` … */
  readonly label: string;
}

/*
 * Forms that issuers document. Each begins with a fixed text and has bounded repeats, so that looking costs time in
 * proportion to the text.
 */
const forms: readonly (readonly [label: string, form: RegExp])[] = [
  ['private key', /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]{0,8000}?(?:-----END [A-Z ]{0,30}-----|$)/g],
  ['GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{30,255})\b/g],
  ['GitLab token', /\bgl(?:pat|ptt|dt|rt|oas)-[A-Za-z0-9_-]{20,100}/g],
  ['AWS access key', /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/g],
  ['Anthropic key', /\bsk-ant-[A-Za-z0-9_-]{20,200}/g],
  ['OpenAI key', /\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,200}/g],
  ['Google API key', /\bAIza[A-Za-z0-9_-]{35}/g],
  ['Google OAuth token', /\bya29\.[A-Za-z0-9_-]{20,500}/g],
  ['Slack token', /\bxox[abeoprs]-[A-Za-z0-9-]{10,200}/g],
  ['Slack webhook', /\bhttps:\/\/hooks\.slack\.com\/services\/[A-Za-z0-9/_-]{20,200}/g],
  ['Stripe key', /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,200}/g],
  ['npm token', /\bnpm_[A-Za-z0-9]{36}\b/g],
  ['PyPI token', /\bpypi-[A-Za-z0-9_-]{50,300}/g],
  ['Hugging Face token', /\bhf_[A-Za-z0-9]{30,100}\b/g],
  ['SendGrid key', /\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}/g],
  ['Telegram bot token', /\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b/g],
  ['Azure key', /\b(?:AccountKey|SharedAccessKey|sig)=[A-Za-z0-9+/%]{40,200}={0,2}/g],
  ['JSON Web Token', /\beyJ[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{0,2000}/g],
  ['authorization header', /\b(?:Bearer|Basic|token)\s{1,4}[A-Za-z0-9._~+/=-]{16,4000}/gi],
  ['password in a URL', /(?<=:\/\/[^\s/:@]{0,200}:)[^\s/@]{1,200}(?=@)/g],
  [
    'assigned secret',
    /(?<=\b(?:password|passwd|pwd|secret|api[_-]?key|access[_-]?token|auth[_-]?token)["']?\s{0,4}[:=]\s{0,4}["']?)[^\s"',;&]{6,500}/gi,
  ],
];

const secretName =
  /^(?:.*[_.-])?(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key|apikey|private[_-]?key|access[_-]?key|client[_-]?secret|authorization|credentials?|cookie)$/i;
/** Names that hold one of the words but count or point: `max_tokens`, `page_token`, `next_token`. */
const harmlessName =
  /(?:^|[_-])(?:max|min|num|total|page|next|prev|previous|continuation|cursor|sync)[_-]?tokens?$/i;

const maxLooked = 200_000;

/** Parts of a text that look like secrets, in order and apart from each other. */
export function findSecrets(text: string): readonly SecretMatch[] {
  const looked = text.length > maxLooked ? text.slice(0, maxLooked) : text;
  const matches = forms.flatMap(([label, form]) =>
    Array.from(looked.matchAll(form), (match): SecretMatch => {
      return { label, start: match.index, end: match.index + match[0].length };
    }),
  );
  const found: SecretMatch[] = [];
  for (const match of matches.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = found.at(-1);
    if (last === undefined || match.start >= last.end) found.push(match);
    // Overlapping ones become one, so that nothing of either stays readable.
    else if (match.end > last.end) found[found.length - 1] = { ...last, end: match.end };
  }
  return found;
}

/** Whether a member's name says that its value is a secret. */
export function isSecretName(name: string): boolean {
  const separated = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2');
  return secretName.test(separated) && !harmlessName.test(separated);
}
