import type { RiskNote, RiskSubject } from '../shared/riskNote.ts';
import {
  type HiddenCharacter,
  type HiddenKind,
  hiddenCharacters,
  tagMessage,
  visibleLine,
} from '../shared/visibleText.ts';
import { mixedScripts } from './scripts.ts';

const kindWords: Readonly<Record<HiddenKind, readonly [one: string, many: string]>> = {
  control: ['control character', 'control characters'],
  bidirectional: [
    'character that changes the direction of text',
    'characters that change the direction of text',
  ],
  tag: ['Unicode tag character', 'Unicode tag characters'],
  invisible: ['invisible character', 'invisible characters'],
  space: ['unusual space', 'unusual spaces'],
  private: ['character without a common meaning', 'characters without a common meaning'],
  unassigned: ['character that is not one', 'characters that are none'],
};

const maxRanges = 1000;

/** Notes about characters that hide or mislead in a text. */
export function textNotes(text: string, subject: RiskSubject): readonly RiskNote[] {
  const hidden = hiddenCharacters(text, maxRanges);
  return hidden.length === 0 ? [] : [hiddenNote(text, hidden, subject)];
}

/** Notes about a name, where letters of several scripts are rarely meant. */
export function nameNotes(name: string, subject: RiskSubject): readonly RiskNote[] {
  const scripts = mixedScripts(name);
  if (scripts.length === 0) return textNotes(name, subject);
  const mixed: RiskNote = {
    kind: 'mixedScript',
    severity: 'caution',
    subject,
    message: `“${visibleLine(name)}” mixes letters of ${scripts.join(' and ')} that look alike.`,
  };
  return [...textNotes(name, subject), mixed];
}

function hiddenNote(text: string, hidden: readonly HiddenCharacter[], subject: RiskSubject): RiskNote {
  const counts = new Map<HiddenKind, number>();
  for (const { hidden: kind } of hidden) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const parts = Array.from(counts, ([kind, count]) => `${count} ${kindWords[kind][count === 1 ? 0 : 1]}`);
  const more = hidden.length === maxRanges ? 'at least ' : '';
  const spelled = counts.has('tag') ? tagMessage(text) : '';
  // Spaces of other widths are everywhere in prose; the rest has no business in a tool call.
  const grave = Array.from(counts.keys()).some((kind) => kind !== 'space');
  return {
    kind: 'hiddenCharacters',
    severity: grave ? 'caution' : 'info',
    subject,
    message:
      spelled === ''
        ? `${holder(subject)} ${more}${parts.join(', ')}.`
        : `${holder(subject)} ${more}${parts.join(', ')}, which spell “${visibleLine(spelled)}”.`,
    ranges: hidden.map(({ index, codePoint }) => ({
      start: index,
      end: index + (codePoint > 0xffff ? 2 : 1),
    })),
  };
}

/** A note about an argument stands under it; all others stand together, so they say what they are about. */
function holder(subject: RiskSubject): string {
  switch (subject.kind) {
    case 'server':
      return "The server's id contains";
    case 'toolName':
      return "The tool's name contains";
    case 'toolTitle':
      return "The tool's title contains";
    case 'toolDescription':
      return "The tool's description contains";
    case 'definition':
      return `The tool's definition, at “${visibleLine(subject.path)}”, contains`;
    case 'argument':
      return 'Contains';
  }
}
