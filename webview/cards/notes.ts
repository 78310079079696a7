import type { RiskNote } from '../../src/shared/riskNote.ts';
import { foreign, make } from '../common/dom.ts';
import { icon } from '../common/icons.ts';

/** One fact beside a call. Grave ones carry a sign and a word, not only a colour. */
export function noteLine(note: Pick<RiskNote, 'severity' | 'message' | 'detail'>): HTMLElement {
  const caution = note.severity === 'caution';
  const line = make('div', {
    class: `note note-${note.severity}`,
    children: [
      icon(caution ? 'warning' : 'info'),
      make('span', {
        class: 'note-text',
        children: [
          caution && make('span', { class: 'visually-hidden', text: 'Caution: ' }),
          foreign(note.message),
        ],
      }),
    ],
  });
  if (note.detail === undefined) return line;
  const details = make('details', { class: 'note-detail' });
  details.append(make('summary', { text: 'More' }), foreign(note.detail, 'text'));
  return make('div', { children: [line, details] });
}

/** The notes about a call as a whole: each grave one on its own, plain facts run together in one paragraph. */
export function generalNotes(notes: readonly RiskNote[]): HTMLElement | undefined {
  if (notes.length === 0) return undefined;
  const plain = notes.filter(({ severity, detail }) => severity === 'info' && detail === undefined);
  const others = notes.filter((note) => !plain.includes(note));
  const facts = make('div', {
    class: 'note note-info',
    children: [
      icon('info'),
      make('span', { children: plain.flatMap(({ message }) => [foreign(message), ' ']) }),
    ],
  });
  const cautions = others.filter(({ severity }) => severity === 'caution').map(noteLine);
  const details = others.filter(({ severity }) => severity === 'info').map(noteLine);
  return make('div', { class: 'notes', children: [...cautions, plain.length > 0 && facts, ...details] });
}

/** The notes of a card, sorted to where they belong. */
export interface SortedNotes {
  /** About the server and the tool, or the arguments as a whole; the grave ones first. */
  readonly general: readonly RiskNote[];
  at(path: string, part: 'key' | 'value'): readonly RiskNote[];
  /** How many grave ones stand at single arguments. */
  readonly cautionsInArguments: number;
}

export function sortNotes(notes: readonly RiskNote[]): SortedNotes {
  const general: RiskNote[] = [];
  const byPlace = new Map<string, RiskNote[]>();
  let cautionsInArguments = 0;
  for (const note of notes) {
    const { subject } = note;
    if (subject.kind !== 'argument' || subject.path === '') {
      general.push(note);
      continue;
    }
    const key = `${subject.part} ${subject.path}`;
    const place = byPlace.get(key);
    if (place === undefined) byPlace.set(key, [note]);
    else place.push(note);
    if (note.severity === 'caution') cautionsInArguments += 1;
  }
  const rank = ({ severity }: RiskNote): number => (severity === 'caution' ? 0 : 1);
  return {
    general: general.toSorted((one, other) => rank(one) - rank(other)),
    at: (path, part) => byPlace.get(`${part} ${path}`) ?? [],
    cautionsInArguments,
  };
}
