/**
 * The secrets that the user has configured: environment values, headers, tokens, stored inputs. They are replaced
 * wherever they appear, whatever the storage setting, also inside longer text and in the usual encodings.
 */
export interface KnownSecrets {
  /** Matches any of them, with the `g` flag; `undefined` while there are none. */
  readonly anywhere: RegExp | undefined;
  /** What each spelling that `anywhere` matches stands for, so that equal secrets get equal digests. */
  readonly originals: ReadonlyMap<string, string>;
  /** Too short to be looked for inside text; replaced where a whole value equals one. */
  readonly whole: ReadonlySet<string>;
  /** Lengths of spellings, in characters. */
  readonly shortest: number;
  readonly longest: number;
}

export const noKnownSecrets: KnownSecrets = {
  anywhere: undefined,
  originals: new Map(),
  whole: new Set(),
  shortest: 0,
  longest: 0,
};

/** Shorter ones are looked for only as whole words, still shorter ones only as whole values. */
const insideLength = 6;
const wordLength = 4;

/** Settings that are on or off are no secrets, even where secrets usually stand. */
const never = new Set(['true', 'false', 'yes', 'no', 'on', 'off', 'null', 'none', '0', '1']);

export function knownSecrets(values: Iterable<string>): KnownSecrets {
  const whole = new Set<string>();
  const originals = new Map<string, string>();
  for (const value of values) {
    for (const part of new Set([value, value.trim(), ...longLines(value)])) {
      if (part === '' || never.has(part.toLowerCase())) continue;
      if (part.length < wordLength) whole.add(part);
      else if (part.length < insideLength) originals.set(part, part);
      else
        for (const spelling of spellings(part)) if (!originals.has(spelling)) originals.set(spelling, part);
    }
  }
  if (originals.size === 0) return { ...noKnownSecrets, whole };
  // The longest first, so that a secret that contains another one is replaced as a whole.
  const sorted = [...originals.keys()].sort((a, b) => b.length - a.length);
  return {
    anywhere: new RegExp(sorted.map(spellingPattern).join('|'), 'g'),
    originals,
    whole,
    shortest: sorted.at(-1)?.length ?? 0,
    longest: sorted[0]?.length ?? 0,
  };
}

/** A key of several lines is also secret when it is wrapped in another way. */
function longLines(value: string): string[] {
  const lines = value.split(/\r?\n/);
  return lines.length < 2 ? [] : lines.filter((line) => line.length >= 20 && !line.startsWith('-----'));
}

/** The ways in which a value turns up in URLs, JSON text, basic credentials and dumps. */
function* spellings(value: string): Generator<string> {
  yield value;
  // Within JSON text, and within JSON text that is a string of JSON text.
  const escaped = JSON.stringify(value).slice(1, -1);
  yield escaped;
  yield JSON.stringify(escaped).slice(1, -1);
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

function spellingPattern(text: string): string {
  const pattern = escapePattern(text);
  return text.length < insideLength ? `(?<![A-Za-z0-9])${pattern}(?![A-Za-z0-9])` : pattern;
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
