import type { JsonObject } from '../base/json.ts';
import { type PathFacts, isWithin } from '../policy/pathFacts.ts';
import { looksLikePath, workspaceRoot } from '../policy/pathTexts.ts';
import { type JsonPlace, walkJson } from '../policy/walkJson.ts';
import type { RiskNote, RiskSubject } from '../shared/riskNote.ts';
import { visibleLine } from '../shared/visibleText.ts';
import { secretsOf } from '../policy/secrets.ts';
import { textNotes } from './textNotes.ts';
import { urlNotes } from './urlNotes.ts';

const longText = 10_000;
const deep = 8;
const maxValues = 20_000;
const wholeArguments: RiskSubject = { kind: 'argument', path: '', part: 'value' };

/** Notes about the arguments of a call. `paths` holds what `gatherPaths` found about them. */
export function argumentNotes(args: JsonObject, paths: PathFacts): readonly RiskNote[] {
  const notes: RiskNote[] = [];
  let depth = 0;
  let seen = 0;
  for (const place of walkJson(args, maxValues)) {
    seen += 1;
    depth = Math.max(depth, place.depth);
    notes.push(...placeNotes(place, paths));
  }
  if (depth > deep) {
    notes.push({
      kind: 'deepArgument',
      severity: 'info',
      subject: wholeArguments,
      message: `The arguments are nested ${depth} levels deep.`,
    });
  }
  if (seen === maxValues) {
    notes.push({
      kind: 'longArgument',
      severity: 'caution',
      subject: wholeArguments,
      message: `There are more than ${maxValues} values; only the first have been looked at.`,
    });
  }
  return notes;
}

function placeNotes({ path, key, name, value }: JsonPlace, paths: PathFacts): readonly RiskNote[] {
  const notes: RiskNote[] = [];
  if (key !== undefined) notes.push(...textNotes(key, { kind: 'argument', path, part: 'key' }));
  if (typeof value !== 'string') return notes;
  const subject: RiskSubject = { kind: 'argument', path, part: 'value' };
  notes.push(...textNotes(value, subject), ...secretNotes(key, value, subject));
  notes.push(...urlNotes(value, subject), ...pathNotes(name, value, paths, subject));
  if (value.length > longText) {
    notes.push({
      kind: 'longArgument',
      severity: 'info',
      subject,
      message: `Has ${value.length} characters in ${value.split('\n').length} lines.`,
    });
  }
  return notes;
}

function secretNotes(key: string | undefined, value: string, subject: RiskSubject): readonly RiskNote[] {
  const found = secretsOf(key, value);
  if (found.length === 0) return [];
  const labels = Array.from(new Set(found.map(({ label }) => withArticle(label))));
  return [
    {
      kind: 'secret',
      severity: 'caution',
      subject,
      message: `Looks like it holds ${labels.join(', ')}.`,
      ranges: found.map(({ start, end }) => ({ start, end })),
    },
  ];
}

/** "an API key", "a JSON Web Token": as the label's first letter is spoken. */
function withArticle(label: string): string {
  return `${/^(?:[aeio]|npm|xAI)/i.test(label) ? 'an' : 'a'} ${label}`;
}

function pathNotes(
  name: string | undefined,
  value: string,
  paths: PathFacts,
  subject: RiskSubject,
): readonly RiskNote[] {
  const likeness = looksLikePath(name, value);
  if (likeness === 'no') return [];
  const places = paths.places.get(value);
  if (places === undefined) {
    if (!paths.places.has(value)) return [];
    const message = `It cannot be told where the path “${visibleLine(value)}” leads.`;
    return [{ kind: 'unresolvedPath', severity: 'caution', subject, message }];
  }
  // A text that only begins like a path, such as `/help`, is one if there is something on the disk.
  if (likeness === 'maybe' && !places.exists) return [];
  if (isWithin(paths, value, workspaceRoot, 'strict') === 'yes') return [];
  const target = places.real.find((place) => place !== value) ?? value;
  const message = `Leads out of the workspace, to “${visibleLine(target)}”.`;
  return [{ kind: 'outsideWorkspace', severity: 'caution', subject, message }];
}
