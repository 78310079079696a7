import type { JsonObject } from '../base/json.ts';
import { walkJson } from '../policy/walkJson.ts';
import type { RiskNote } from '../shared/riskNote.ts';
import { visibleLine, visibleText } from '../shared/visibleText.ts';
import type { LookAlike } from './lookAlike.ts';
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
): readonly RiskNote[] {
  const { name, title, description, definition } = tool;
  return [
    ...nameNotes(serverId, { kind: 'server' }),
    ...nameNotes(name, { kind: 'toolName' }),
    ...(title === undefined ? [] : textNotes(title, { kind: 'toolTitle' })),
    ...(description === undefined ? [] : textNotes(description, { kind: 'toolDescription' })),
    ...definitionNotes(definition),
    ...lookAlikes.map(lookAlikeNote),
    ...beyondTitle(tool),
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

/** What the model is told and a person who reads only the title is not. Shown as it is, never judged. */
function beyondTitle({ name, title, description }: DescribedTool): readonly RiskNote[] {
  const text = (description ?? '').trim();
  const shown = (title ?? name).trim();
  if (text === '' || plain(text) === plain(shown) || plain(text) === plain(name)) return [];
  return [
    {
      kind: 'descriptionBeyondTitle',
      severity: 'info',
      subject: { kind: 'toolDescription' },
      message: `The description tells the model more than the title does (${text.length} characters).`,
      detail: text.length > maxDetail ? `${visibleText(text.slice(0, maxDetail))}…` : visibleText(text),
    },
  ];
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
