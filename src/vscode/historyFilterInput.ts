import * as vscode from 'vscode';
import {
  type CallEntry,
  type DecidedByKind,
  type HistoryFilter,
  callEnds,
} from '../audit/history/callEntry.ts';
import { deciderWords, endMeanings, endWords } from '../audit/history/entryText.ts';
import { filterText, parseWhen } from '../audit/history/filterText.ts';
import { type CallerKind, callerKinds } from '../shared/caller.ts';
import { oneLine } from './treeText.ts';
import { pick, pickSome } from './pick.ts';

/** What a part of the filter is called, what it is now, and how another value is asked for. */
interface Part {
  readonly label: string;
  readonly now: string | undefined;
  /** The filter with the part changed; `undefined`: the person has left. */
  readonly ask: () => Promise<HistoryFilter | undefined>;
}

/** Asks which part of the filter to change, and to what. `undefined`: nothing changes. */
export async function askForFilter(
  filter: HistoryFilter,
  entries: readonly CallEntry[],
  servers: readonly string[],
): Promise<HistoryFilter | undefined> {
  const { server, tool, callerKind, ends, decidedBy, text, from, to, ...rest } = filter;
  const parts: readonly Part[] = [
    {
      label: 'Server',
      now: server,
      ask: async () => {
        const names = [...servers, ...entries.map((entry) => entry.serverId)];
        return withValue(filter, 'server', await askForName('server', names, server));
      },
    },
    {
      label: 'Tool',
      now: tool,
      ask: async () => {
        const names = entries.filter((entry) => server === undefined || entry.serverId === server);
        return withValue(
          filter,
          'tool',
          await askForName(
            'tool',
            names.map((entry) => entry.tool),
            tool,
          ),
        );
      },
    },
    {
      label: 'Outcome',
      now: filterText({ ...(ends && { ends }) }),
      ask: async () => {
        const items = callEnds.map((end) => ({
          label: endWords[end],
          detail: endMeanings[end],
          picked: ends?.includes(end) ?? false,
          value: end,
        }));
        return withList(filter, 'ends', await askForSome(items, 'Which outcomes?'));
      },
    },
    {
      label: 'Decision',
      now: filterText({ ...(decidedBy && { decidedBy }) }),
      ask: async () => {
        const items = deciders().map((kind) => ({
          label: `Decided by ${deciderWords[kind]}`,
          picked: decidedBy?.includes(kind) ?? false,
          value: kind,
        }));
        return withList(filter, 'decidedBy', await askForSome(items, 'Decided by what?'));
      },
    },
    {
      label: 'Asked by',
      now: callerKind,
      ask: async () => {
        const items = [anything, ...callerKinds.map((kind) => ({ label: kind, value: kind }))];
        const picked = await pick<{ label: string; value: CallerKind | undefined }>(items, {
          title: 'Calls that who asked for?',
        });
        return picked === undefined ? undefined : withValue(filter, 'callerKind', { value: picked.value });
      },
    },
    {
      label: 'Text',
      now: text,
      ask: async () => {
        const given = await vscode.window.showInputBox({
          title: 'Text in names, reasons, arguments and results',
          prompt: 'Upper and lower case are the same. Nothing: any text.',
          value: text ?? '',
        });
        return given === undefined
          ? undefined
          : withValue(filter, 'text', { value: given === '' ? undefined : given });
      },
    },
    {
      label: 'Time',
      now: filterText({ ...(from !== undefined && { from }), ...(to !== undefined && { to }) }),
      ask: async () => {
        const range = await askForTime();
        return (
          range && { ...rest, ...present({ server, tool, callerKind, ends, decidedBy, text }), ...range }
        );
      },
    },
  ];
  const clear: Part = { label: 'Show all calls', now: undefined, ask: () => Promise.resolve({}) };
  const items = (filterText(filter) === undefined ? parts : [...parts, clear]).map((part) => ({
    label: part.label,
    ...(part.now === undefined ? {} : { description: oneLine(part.now) }),
    part,
  }));
  const picked = await pick(items, {
    title: 'Show which calls?',
    placeHolder: 'Filter by',
  });
  return picked?.part.ask();
}

const anything = { label: 'Any', value: undefined };

function deciders(): readonly DecidedByKind[] {
  return ['person', 'rule', 'grant', 'limit', 'suspendedGrant', 'default', 'noAnswer'];
}

type Asked<T> = { readonly value: T | undefined } | undefined;

/** Names that are known are offered; any other can be typed. */
async function askForName(
  what: string,
  names: readonly string[],
  now: string | undefined,
): Promise<Asked<string>> {
  const other = { label: 'Another name…', value: undefined, other: true };
  const known = [...new Set(names)].filter((name) => name !== '').sort();
  const items = [
    { ...anything, other: false },
    ...known.map((name) => ({ label: oneLine(name), value: name, other: false })),
    other,
  ];
  const picked = await pick<{
    label: string;
    value: string | undefined;
    other: boolean;
  }>(items, { title: `Calls of which ${what}?`, placeHolder: now ?? 'Any' });
  if (picked === undefined || !picked.other) return picked;
  const name = await vscode.window.showInputBox({ title: `The whole name of the ${what}`, value: now ?? '' });
  return name === undefined ? undefined : { value: name === '' ? undefined : name };
}

/** Several of a list; none stands for all. */
async function askForSome<T>(
  items: readonly (vscode.QuickPickItem & { readonly value: T })[],
  title: string,
): Promise<readonly T[] | undefined> {
  const picked = await pickSome(items, { title, placeHolder: 'None: any' });
  return picked?.map(({ value }) => value);
}

type Range = Pick<HistoryFilter, 'from' | 'to'>;

async function askForTime(): Promise<Range | undefined> {
  const now = Date.now();
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const day = 86_400_000;
  const choices: readonly { readonly label: string; readonly range: Range | undefined }[] = [
    { label: 'Any time', range: {} },
    { label: 'The last hour', range: { from: now - day / 24 } },
    { label: 'Today', range: { from: midnight } },
    { label: 'The last 7 days', range: { from: now - 7 * day } },
    { label: 'The last 30 days', range: { from: now - 30 * day } },
    { label: 'From … to …', range: undefined },
  ];
  const picked = await pick(choices, { title: 'Calls from when?' });
  if (picked === undefined) return undefined;
  if (picked.range !== undefined) return picked.range;
  const from = await askForWhen('From when?', false);
  if (from === undefined) return undefined;
  const to = await askForWhen('To when?', true);
  return to === undefined ? undefined : present({ from: from.value, to: to.value });
}

async function askForWhen(title: string, atEnd: boolean): Promise<Asked<number>> {
  const given = await vscode.window.showInputBox({
    title,
    prompt: 'A day or a time, such as 2026-12-01 or 2026-12-01 14:30. Nothing: no limit.',
    validateInput: (value) =>
      value.trim() === '' || parseWhen(value, atEnd) !== undefined
        ? undefined
        : 'This is no day and no time.',
  });
  return given === undefined ? undefined : { value: parseWhen(given, atEnd) };
}

function withValue<K extends keyof HistoryFilter>(
  filter: HistoryFilter,
  key: K,
  asked: Asked<HistoryFilter[K]>,
): HistoryFilter | undefined {
  return asked === undefined ? undefined : present({ ...filter, [key]: asked.value });
}

function withList<K extends 'ends' | 'decidedBy'>(
  filter: HistoryFilter,
  key: K,
  list: HistoryFilter[K],
): HistoryFilter | undefined {
  if (list === undefined) return undefined;
  return present({ ...filter, [key]: list.length === 0 ? undefined : list });
}

type Loose<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** Without the members that are `undefined`. */
function present(filter: Loose<HistoryFilter>): HistoryFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}
