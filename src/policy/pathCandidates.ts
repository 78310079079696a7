import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { maxPathLength } from './pathTexts.ts';

/** What the reading of a path depends on besides its text. */
export interface PathSurroundings {
  readonly style: 'posix' | 'win32';
  /** Home folder of the person. */
  readonly home: string;
  /** Folder in which the server runs; `undefined` if that is not on this machine. */
  readonly cwd: string | undefined;
}

/**
 * All absolute paths that a program may mean by a text, `.` and `..` still in them; `undefined` if that cannot be
 * told. Programs differ in whether they expand `~`, decode `%2e` and take `\` for `/`.
 */
export function pathCandidates(text: string, around: PathSurroundings): readonly string[] | undefined {
  if (text === '' || text.length > maxPathLength || text.includes('\0')) return undefined;
  if (/^file:/i.test(text)) return fileUri(text, around);
  // Other schemes, and variables that a shell would replace.
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text) || /^\$[\w{(]|^%(?![0-9a-f]{2}%)\w+%/i.test(text))
    return undefined;
  const spellings = [text];
  if (around.style === 'posix' && text.includes('\\')) spellings.push(text.replaceAll('\\', '/'));
  if (/%[0-9a-f]{2}/i.test(text)) {
    const decoded = decode(text);
    if (decoded === undefined || decoded.includes('\0')) return undefined;
    spellings.push(decoded);
  }
  const found: string[] = [];
  for (const spelling of spellings) {
    const absolute = around.style === 'win32' ? windowsPaths(spelling, around) : posixPaths(spelling, around);
    if (absolute === undefined) return undefined;
    found.push(...absolute);
  }
  return found;
}

function fileUri(text: string, { style }: PathSurroundings): readonly string[] | undefined {
  // `file:a` and `file:/a` are read differently by different programs.
  if (!/^file:\/\//i.test(text) || /[\\\s]/.test(text)) return undefined;
  try {
    const windows = style === 'win32';
    const file = fileURLToPath(text, { windows });
    return file.includes('\0') || (windows && oddWindows(file)) ? undefined : [file];
  } catch {
    return undefined;
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function posixPaths(text: string, around: PathSurroundings): readonly string[] | undefined {
  if (text.startsWith('/')) return [text];
  const literal = around.cwd === undefined ? undefined : `${around.cwd}/${text}`;
  if (!text.startsWith('~')) return literal === undefined ? undefined : [literal];
  if (text !== '~' && !text.startsWith('~/')) return undefined;
  return withClimbing(text, around.home + text.slice(1), literal);
}

function windowsPaths(text: string, around: PathSurroundings): readonly string[] | undefined {
  const plain = text.replaceAll('/', '\\');
  const long = /^\\\\\?\\(UNC\\)?(.*)$/is.exec(plain);
  if (long !== null) {
    const inner = long[1] === undefined ? (long[2] ?? '') : `\\\\${long[2] ?? ''}`;
    return /^[a-z]:\\|^\\\\[^\\]/i.test(inner) && !oddWindows(inner) ? [inner] : undefined;
  }
  if (oddWindows(plain)) return undefined;
  if (/^[a-z]:\\/i.test(plain) || /^\\\\[^\\.?]/.test(plain)) return [plain];
  // `C:file` depends on a folder that each drive remembers; `\\.\` names devices.
  if (/^[a-z]:/i.test(plain) || plain.startsWith('\\\\')) return undefined;
  if (plain === '~' || plain.startsWith('~\\')) {
    const literal = around.cwd === undefined ? undefined : `${around.cwd}\\${plain}`;
    return withClimbing(plain, around.home + plain.slice(1), literal);
  }
  if (around.cwd === undefined || plain.startsWith('~')) return undefined;
  const root = path.win32.parse(around.cwd).root;
  return [plain.startsWith('\\') ? root + plain.slice(1) : `${around.cwd}\\${plain}`];
}

/** A program that does not know `~` takes it for a folder's name; that matters once `..` leaves it. */
function withClimbing(text: string, expanded: string, literal: string | undefined): readonly string[] {
  const climbs = text.split(/[/\\]/).includes('..');
  return climbs && literal !== undefined ? [expanded, literal] : [expanded];
}

/** Spellings behind which Windows finds another file: streams, devices, and ends that it cuts off. */
function oddWindows(text: string): boolean {
  const parts = text.replace(/^[a-z]:/i, '').split(/[/\\]/);
  return parts.some(
    (part) =>
      part.includes(':') ||
      (/[. ]$/.test(part) && part !== '.' && part !== '..') ||
      /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\..*)?$/i.test(part),
  );
}
