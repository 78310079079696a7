/**
 * The secrets that the user has configured: environment values, headers, tokens, stored inputs. They are replaced
 * wherever they appear, whatever the storage setting, also inside longer text and in the usual encodings.
 */
export interface KnownSecrets {
  /** Matches any of them, with the `g` flag; `undefined` while there are none. */
  readonly anywhere: RegExp | undefined;
  /** Too short to be looked for inside text; replaced where a whole value equals one. */
  readonly whole: ReadonlySet<string>;
}

export const noKnownSecrets: KnownSecrets = { anywhere: undefined, whole: new Set() };

/** Shorter secrets would eat ordinary words. */
const minimumLength = 6;

export function knownSecrets(values: Iterable<string>): KnownSecrets {
  const whole = new Set<string>();
  const anywhere = new Set<string>();
  for (const value of values) {
    for (const part of [value, value.trim(), ...longLines(value)]) {
      if (part === '') continue;
      if (part.length < minimumLength) whole.add(part);
      else for (const spelling of spellings(part)) anywhere.add(spelling);
    }
  }
  if (anywhere.size === 0) return { anywhere: undefined, whole };
  // The longest first, so that a secret that contains another one is replaced as a whole.
  const sorted = [...anywhere].sort((a, b) => b.length - a.length);
  return { anywhere: new RegExp(sorted.map(escapePattern).join('|'), 'g'), whole };
}

/** A key of several lines is also secret when it is wrapped in another way. */
function longLines(value: string): string[] {
  const lines = value.split(/\r?\n/);
  return lines.length < 2 ? [] : lines.filter((line) => line.length >= 20 && !line.startsWith('-----'));
}

/** The ways in which a value turns up in URLs, JSON text, basic credentials and dumps. */
function* spellings(value: string): Generator<string> {
  yield value;
  yield JSON.stringify(value).slice(1, -1);
  const percent = percentEncoded(value);
  yield percent;
  yield percent.replaceAll('%20', '+');
  const bytes = Buffer.from(value, 'utf8');
  yield bytes.toString('hex');
  yield bytes.toString('hex').toUpperCase();
  for (const core of base64Cores(bytes)) {
    yield core;
    yield core.replaceAll('+', '-').replaceAll('/', '_');
  }
}

function percentEncoded(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    // A lone surrogate has no percent encoding.
    return value;
  }
}

/** What base64 always shows of these bytes, whichever of the three places they start at within the encoded text. */
function* base64Cores(bytes: Buffer): Generator<string> {
  for (const before of [0, 1, 2]) {
    const padded = Buffer.concat([Buffer.alloc(before), bytes]);
    const firstOwn = Math.ceil((before * 8) / 6);
    const endOwn = Math.floor((padded.length * 8) / 6);
    const core = padded.toString('base64').slice(firstOwn, endOwn);
    if (core.length >= 8) yield core;
  }
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
