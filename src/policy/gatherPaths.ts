import path from 'node:path';
import { type PathSurroundings, pathCandidates } from './pathCandidates.ts';
import type { PathFacts, Places, RootFolder } from './pathFacts.ts';
import { type PathRoot, parseRoot } from './pathRoot.ts';

/** The file system as far as paths need it. */
export interface PathPort {
  readonly style: 'posix' | 'win32';
  /** Whether the system's usual file systems tell `a` from `A`. */
  readonly caseSensitive: boolean;
  readonly home: string;
  /** Follows all links and gives the disk's own spelling. Rejects with a `code`, `ENOENT` if nothing is there. */
  realpath(path: string): Promise<string>;
  /** Whether the path itself is a link, be it to something that does not exist. Never rejects. */
  isLink(path: string): Promise<boolean>;
}

/** What to find out. */
export interface PathQuery {
  /** Argument texts. */
  readonly texts: readonly string[];
  /** Folders as rules name them. */
  readonly roots: readonly string[];
  /** Folder in which the server runs; `undefined` if that is not on this machine. */
  readonly cwd: string | undefined;
  readonly workspaceFolders: readonly WorkspaceFolder[];
}

export interface WorkspaceFolder {
  readonly name: string;
  readonly path: string;
}

const maxTexts = 500;
const maxParts = 200;

/**
 * Looks up where the paths of a call lead. What cannot be told is left open, and whoever asks is then unsure.
 * Between this look and the call a link may change: no host can prevent that, only the server can.
 */
export async function gatherPaths(port: PathPort, query: PathQuery): Promise<PathFacts> {
  const look = new Look(port, query);
  const places = new Map<string, Places | undefined>();
  for (const text of query.texts.slice(0, maxTexts)) places.set(text, await look.places(text));
  const roots = new Map<string, readonly RootFolder[] | undefined>();
  for (const root of query.roots) roots.set(root, await look.root(root));
  const separator = port.style === 'win32' ? '\\' : '/';
  return { separator, caseSensitive: port.caseSensitive, places, roots };
}

class Look {
  readonly #port: PathPort;
  readonly #query: PathQuery;
  readonly #around: PathSurroundings;
  readonly #path: path.PlatformPath;
  readonly #knownHosts: ReadonlySet<string>;

  constructor(port: PathPort, query: PathQuery) {
    this.#port = port;
    this.#query = query;
    this.#around = { style: port.style, home: port.home, cwd: query.cwd };
    this.#path = port.style === 'win32' ? path.win32 : path.posix;
    const known = [port.home, query.cwd ?? '', ...query.workspaceFolders.map((folder) => folder.path)];
    this.#knownHosts = new Set(known.flatMap((place) => networkHost(place) ?? []));
  }

  async places(text: string): Promise<Places | undefined> {
    const candidates = pathCandidates(text, this.#around);
    if (candidates === undefined) return undefined;
    const lexical = new Set<string>();
    const real = new Set<string>();
    let exists = false;
    for (const candidate of candidates) {
      const normal = this.#normalize(candidate);
      // Programs either take `..` away from the text or let the system follow it through links.
      const followed = [await this.#follow(normal)];
      if (/(?:^|[/\\])\.\.(?:[/\\]|$)/.test(candidate)) followed.push(await this.#followParts(candidate));
      for (const found of followed) {
        if (found === undefined) return undefined;
        real.add(found.place);
        exists ||= found.exists;
      }
      lexical.add(normal);
    }
    return { lexical: Array.from(lexical), real: Array.from(real), exists };
  }

  async root(text: string): Promise<readonly RootFolder[] | undefined> {
    const root = parseRoot(text);
    const folders = root === undefined ? undefined : this.#rootPaths(root);
    if (folders === undefined) return undefined;
    const found: RootFolder[] = [];
    for (const folder of folders) {
      const lexical = this.#normalize(folder);
      const followed = await this.#follow(lexical);
      if (followed === undefined) return undefined;
      found.push({ lexical, real: followed.place, exists: followed.whole });
    }
    return found;
  }

  #rootPaths(root: PathRoot): readonly string[] | undefined {
    if (root.kind === 'home') return [this.#path.join(this.#port.home, root.rest)];
    if (root.kind === 'workspace') {
      const { name, rest } = root;
      const folders = this.#query.workspaceFolders.filter(
        (folder) => name === undefined || folder.name === name,
      );
      return folders.map((folder) => this.#path.join(folder.path, rest));
    }
    // A folder of another system, from settings that are used on several.
    const absolute = this.#port.style === 'win32' ? /^(?:[a-z]:[/\\]|[/\\]{2}[^/\\])/i : /^\//;
    return absolute.test(root.path) ? [root.path] : undefined;
  }

  #normalize(place: string): string {
    const normal = this.#path.normalize(place);
    const { root } = this.#path.parse(normal);
    return normal.length > root.length ? normal.replace(/[/\\]+$/, '') || root : normal;
  }

  /** Follows links as far as the path exists; the rest is kept as spelled. */
  async #follow(place: string): Promise<Followed | undefined> {
    // Looking at a foreign network path would send the person's credentials to that host.
    const host = networkHost(place);
    if (this.#port.style === 'win32' && host !== undefined && !this.#knownHosts.has(host)) {
      return { place, exists: false, whole: false };
    }
    let head = place;
    const tail: string[] = [];
    for (;;) {
      const real = await this.#real(head);
      if (real === 'unknown') return undefined;
      if (real !== 'missing') {
        const { root } = this.#path.parse(head);
        return {
          place: this.#path.join(real.place, ...tail),
          exists: head !== root,
          whole: tail.length === 0,
        };
      }
      const parent = this.#path.dirname(head);
      if (parent === head || tail.length > maxParts) return undefined;
      tail.unshift(this.#path.basename(head));
      head = parent;
    }
  }

  /** Follows links part by part, as the system does with `..` behind a link. */
  async #followParts(place: string): Promise<Followed | undefined> {
    const { root } = this.#path.parse(place);
    const parts = place.slice(root.length).split(this.#port.style === 'win32' ? /[/\\]+/ : /\/+/);
    if (parts.length > maxParts) return undefined;
    let at: Followed | undefined = await this.#follow(root);
    for (const part of parts) {
      if (at === undefined) return undefined;
      if (part === '' || part === '.') continue;
      const next = part === '..' ? this.#path.dirname(at.place) : this.#path.join(at.place, part);
      at = await this.#follow(next);
    }
    return at;
  }

  async #real(place: string): Promise<{ readonly place: string } | 'missing' | 'unknown'> {
    try {
      return { place: await this.#port.realpath(place) };
    } catch (error) {
      const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
      if (code !== 'ENOENT' && code !== 'ENOTDIR') return 'unknown';
      // A link to nothing: writing through it makes a file wherever it points.
      return (await this.#port.isLink(place)) ? 'unknown' : 'missing';
    }
  }
}

interface Followed {
  readonly place: string;
  /** Something on the way exists. */
  readonly exists: boolean;
  /** All of it exists. */
  readonly whole: boolean;
}

function networkHost(place: string): string | undefined {
  return /^[/\\]{2}([^/\\?.][^/\\]*)/.exec(place)?.[1]?.toLowerCase();
}
