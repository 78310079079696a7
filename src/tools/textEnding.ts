import { isUtf8 } from 'node:buffer';
import { essence } from './mediaType.ts';

/** Endings by which an editor knows the language; texts of other types are plain. */
const byType: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/ld+json': 'json',
  'application/xml': 'xml',
  'text/xml': 'xml',
  'text/markdown': 'md',
  'text/x-markdown': 'md',
  'text/html': 'html',
  'text/css': 'css',
  'text/csv': 'csv',
  'text/javascript': 'js',
  'application/javascript': 'js',
  'text/typescript': 'ts',
  'application/typescript': 'ts',
  'text/x-python': 'py',
  'text/x-java-source': 'java',
  'text/x-c': 'c',
  'text/x-rust': 'rs',
  'text/x-go': 'go',
  'text/x-sh': 'sh',
  'application/x-sh': 'sh',
  'application/sql': 'sql',
  'application/yaml': 'yaml',
  'application/x-yaml': 'yaml',
  'text/yaml': 'yaml',
  'text/x-yaml': 'yaml',
  'application/toml': 'toml',
  'text/x-diff': 'diff',
  'image/svg+xml': 'svg',
};

/** Endings that name a language of texts. A URI may also end in one that does not, such as `exe`. */
const known: ReadonlySet<string> = new Set([
  ...Object.values(byType),
  ...'bat c cc cpp cs dart dockerfile env erl ex fs go h hpp hs htm ini jsonc jsx kt less lua log m mjs mts patch php pl ps1 r rb rst scala scss sql swift tex text ts tsx txt vue xhtml yml zig'.split(
    ' ',
  ),
]);

/** The ending under which a text should be opened: by its type, else by its address, else plain text. */
export function textEnding(mimeType: string | undefined, uri: string | undefined): string {
  const type = mimeType === undefined ? '' : essence(mimeType);
  if (Object.hasOwn(byType, type)) return byType[type] ?? 'txt';
  if (type.endsWith('+json')) return 'json';
  if (type.endsWith('+xml')) return 'xml';
  const ending = /\.([a-z0-9]{1,10})$/i.exec(nameOf(uri ?? ''))?.[1]?.toLowerCase() ?? '';
  return known.has(ending) ? ending : 'txt';
}

/** The text of a file that says it is one, if its bytes are text; some servers send all of theirs as data. */
export function textOfFile(mimeType: string, bytes: Uint8Array): string | undefined {
  const isText = essence(mimeType).startsWith('text/') || textEnding(mimeType, undefined) !== 'txt';
  return isText && isUtf8(bytes) ? Buffer.from(bytes).toString('utf8') : undefined;
}

/** The last step of an address, without its ending, as far as it makes a file name. */
export function fileStem(uri: string): string {
  const stem = nameOf(uri)
    .replace(/\.[a-z0-9]{1,10}$/i, '')
    .replaceAll(/[^\p{L}\p{N}_-]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '');
  return stem.slice(0, 60) || 'resource';
}

function nameOf(uri: string): string {
  const path = uri.slice(0, 2_000).replace(/[?#].*$/s, '');
  const name = path.slice(path.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
