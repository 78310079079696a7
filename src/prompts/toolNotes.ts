import type { JsonObject } from '../base/json.ts';
import { walkJson } from '../policy/walkJson.ts';
import type { RiskNote } from '../shared/riskNote.ts';
import { visibleLine, visibleText } from '../shared/visibleText.ts';
import type { LookAlike, NamedTool } from './lookAlike.ts';
import { type SpeechFact, isLongDescription, modelSpeech } from './modelSpeech.ts';
import { nameNotes, textNotes } from './textNotes.ts';

/** What a tool says of itself, all of it the server's own words. */
export interface DescribedTool {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** The whole definition as it came. */
  readonly definition: JsonObject;
}

const maxDetail = 20_000;

/** Notes about a server's and a tool's names and words. The same for every call of the tool. */
export function toolNotes(
  serverId: string,
  tool: DescribedTool,
  lookAlikes: readonly LookAlike[],
  mentions: readonly NamedTool[] = [],
): readonly RiskNote[] {
  const { name, title, description, definition } = tool;
  return [
    ...nameNotes(serverId, { kind: 'server' }),
    ...nameNotes(name, { kind: 'toolName' }),
    ...(title === undefined ? [] : textNotes(title, { kind: 'toolTitle' })),
    ...(description === undefined ? [] : textNotes(description, { kind: 'toolDescription' })),
    ...definitionNotes(definition),
    ...lookAlikes.map(lookAlikeNote),
    ...speechNotes(tool, mentions),
  ];
}

/** The model reads the schema as well: descriptions of arguments, names, allowed values. */
function definitionNotes(definition: JsonObject): readonly RiskNote[] {
  const notes: RiskNote[] = [];
  for (const { path, key, value } of walkJson(definition)) {
    // These have their own subject, where the person sees the text itself.
    if (path === '/name' || path === '/title' || path === '/description') continue;
    const subject = { kind: 'definition', path } as const;
    if (key !== undefined) notes.push(...textNotes(key, subject));
    if (typeof value === 'string') notes.push(...textNotes(value, subject));
  }
  return notes;
}

function lookAlikeNote(other: LookAlike): RiskNote {
  const server = visibleLine(other.serverId);
  if (other.kind === 'server') {
    return {
      kind: 'lookAlikeName',
      severity: 'caution',
      subject: { kind: 'server' },
      message: `There is another server with a similar name: “${server}”.`,
    };
  }
  const tool = visibleLine(other.toolName);
  const same = other.kind === 'sameTool';
  return {
    kind: 'lookAlikeName',
    severity: same ? 'info' : 'caution',
    subject: { kind: 'toolName' },
    message: same
      ? `The server “${server}” has a tool with this name too.`
      : `The server “${server}” has a tool with a name that looks alike: “${tool}”.`,
  };
}

/** What a description does beyond describing its tool. Said as it is, never judged. */
function speechNotes(
  { description, definition }: DescribedTool,
  mentions: readonly NamedTool[],
): readonly RiskNote[] {
  const text = (description ?? '').trim();
  const named = mentions.map(({ serverId, toolName }): SpeechFact => ({
    words: `names “${visibleLine(toolName)}”, a tool of the server “${visibleLine(serverId)}”`,
    grave: true,
  }));
  const long = isLongDescription(text) ? [{ words: `is ${text.length} characters long`, grave: false }] : [];
  const notes = speechNote('The description', text, [...modelSpeech(text), ...named, ...long], {
    kind: 'toolDescription',
  });
  const inSchema: RiskNote[] = [];
  for (const { path, value } of walkJson(definition, 20_000)) {
    if (typeof value !== 'string' || value.length < 20 || path === '/description') continue;
    inSchema.push(
      ...speechNote('A text of the definition', value, modelSpeech(value), { kind: 'definition', path }),
    );
    // The first ones tell enough.
    if (inSchema.length >= 5) break;
  }
  return [...notes, ...inSchema];
}

function speechNote(
  what: string,
  text: string,
  facts: readonly SpeechFact[],
  subject: RiskNote['subject'],
): readonly RiskNote[] {
  if (facts.length === 0) return [];
  const words = facts.map((fact) => fact.words);
  return [
    {
      kind: 'descriptionBeyondTitle',
      severity: facts.some(({ grave }) => grave) ? 'caution' : 'info',
      subject,
      message: `${what} says more to the model than what the tool does: it ${listed(words)}.`,
      detail: text.length > maxDetail ? `${visibleText(text.slice(0, maxDetail))}…` : visibleText(text),
    },
  ];
}

function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}
