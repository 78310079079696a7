import type { TextRange } from '../shared/riskNote.ts';
import { eachShape } from './secretShapes.ts';

/** A part of a text that has the form of a secret. */
export interface SecretMatch extends TextRange {
  /** What it looks like: `GitHub token`, `private key` … */
  readonly label: string;
}

/*
 * Secrets that are told by what stands around them; those told by their own spelling are in `secretShapes`. Each form
 * begins with a fixed text and has bounded repeats, so that looking costs time in proportion to the text.
 */
const forms: readonly (readonly [label: string, form: RegExp])[] = [
  ['private key', /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]{0,8000}?(?:-----END [A-Z ]{0,30}-----|$)/g],
  ['Azure key', /\b(?:AccountKey|SharedAccessKey|sig)=[A-Za-z0-9+/%]{40,200}={0,2}/g],
  ['authorization header', /\b(?:Bearer|Basic|token)\s{1,4}[A-Za-z0-9._~+/=-]{16,4000}/gi],
  ['password in a URL', /(?<=:\/\/[^\s/:@]{0,200}:)[^\s/@]{1,200}(?=@)/g],
  [
    'assigned secret',
    /(?<=\b(?:password|passwd|pwd|secret|api[_-]?key|access[_-]?token|auth[_-]?token)["']?\s{0,4}[:=]\s{0,4}["']?)[^\s"',;&]{6,500}/gi,
  ],
];

/** Names that are not written as other words are. */
const spelled: Readonly<Record<string, string>> = {
  api: 'API',
  aws: 'AWS',
  digitalocean: 'DigitalOcean',
  github: 'GitHub',
  gitlab: 'GitLab',
  huggingface: 'Hugging Face',
  jwt: 'JSON Web Token',
  newrelic: 'New Relic',
  npm: 'npm',
  oauth: 'OAuth',
  onepassword: '1Password',
  openai: 'OpenAI',
  openrouter: 'OpenRouter',
  planetscale: 'PlanetScale',
  pypi: 'PyPI',
  rubygems: 'RubyGems',
  sendgrid: 'SendGrid',
  xai: 'xAI',
};

/** `github-token` as people read it. */
function labelOf(type: string): string {
  const [first = '', ...rest] = type.split('-');
  const capital = first.charAt(0).toUpperCase() + first.slice(1);
  return [spelled[first] ?? capital, ...rest.map((word) => spelled[word] ?? word)].join(' ');
}

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
  eachShape(looked, (start, end, type) => matches.push({ label: labelOf(type), start, end }));
  const found: SecretMatch[] = [];
  for (const match of matches.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = found.at(-1);
    if (last === undefined || match.start >= last.end) found.push(match);
    // Overlapping ones become one, so that nothing of either stays readable.
    else if (match.end > last.end) found[found.length - 1] = { ...last, end: match.end };
  }
  return found;
}

/** The secrets in a member's value: all of it if its name says so, else what looks like one. */
export function secretsOf(name: string | undefined, value: string): readonly SecretMatch[] {
  if (name === undefined || value.length < 4 || !isSecretName(name)) return findSecrets(value);
  return [{ label: 'secret, by its name', start: 0, end: value.length }];
}

/** Whether a member's name says that its value is a secret. */
export function isSecretName(name: string): boolean {
  const separated = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2');
  return secretName.test(separated) && !harmlessName.test(separated);
}
