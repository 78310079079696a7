import { type Answer, all, any } from './answer.ts';
import { foldCase } from './glob.ts';
import type { Reading } from './rule.ts';

/** The places that a path may stand for, absolute and without `.` or `..`. */
export interface Places {
  /** As spelled. */
  readonly lexical: readonly string[];
  /** After following links, once for each way in which a program may read the text. */
  readonly real: readonly string[];
  /** Some folder on the way to it exists, the root of the disk not counted. */
  readonly exists: boolean;
}

/** A folder that a condition names. */
export interface RootFolder {
  readonly lexical: string;
  readonly real: string;
  /** An existing folder's `real` has the spelling that the disk has. */
  readonly exists: boolean;
}

/** What the file system says of the paths in a call, gathered before deciding so that the decision stays pure. */
export interface PathFacts {
  readonly separator: '/' | '\\';
  readonly caseSensitive: boolean;
  /** By argument text. `undefined`: it cannot be told. Absent: nobody looked. */
  readonly places: ReadonlyMap<string, Places | undefined>;
  /** By the text in the rule. Several folders for `${workspaceFolder}` of a multi-root workspace. */
  readonly roots: ReadonlyMap<string, readonly RootFolder[] | undefined>;
}

/** For calls that no condition asks a path of. */
export const noPaths: PathFacts = {
  separator: '/',
  caseSensitive: true,
  places: new Map(),
  roots: new Map(),
};

/**
 * Whether a text is a path inside a folder. Strictly, every place that it may stand for must be inside; generously,
 * any place that is inside counts.
 */
export function isWithin(facts: PathFacts, text: string, root: string, reading: Reading): Answer {
  const places = facts.places.get(text);
  const folders = facts.roots.get(root);
  if (places === undefined || folders === undefined) return 'unsure';
  if (reading === 'strict') {
    return all(places.real.map((place) => any(folders.map((folder) => holds(facts, folder, place)))));
  }
  const candidates = [...places.real, ...places.lexical];
  const inside = candidates.some((place) =>
    folders.some(
      (folder) =>
        contains(facts, folder.real, place, !facts.caseSensitive) ||
        contains(facts, folder.lexical, place, !facts.caseSensitive),
    ),
  );
  return inside ? 'yes' : 'no';
}

function holds(facts: PathFacts, folder: RootFolder, place: string): Answer {
  // What the disk spells is compared exactly: a volume may tell cases apart on a system that usually does not.
  const ignoreCase = !facts.caseSensitive && !folder.exists;
  return contains(facts, folder.real, place, ignoreCase) ? 'yes' : 'no';
}

function contains(facts: PathFacts, folder: string, place: string, ignoreCase: boolean): boolean {
  const [outer, inner] = ignoreCase ? [foldCase(folder), foldCase(place)] : [folder, place];
  if (outer === inner) return true;
  return inner.startsWith(outer.endsWith(facts.separator) ? outer : outer + facts.separator);
}
