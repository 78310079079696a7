import type { JsonObject, JsonValue } from '../../src/shared/json.ts';
import { maskedArguments, pointer, secretRanges } from '../../src/shared/mask.ts';
import type { RiskNote } from '../../src/shared/riskNote.ts';
import { button } from '../common/controls.ts';
import { foreign, make } from '../common/dom.ts';
import { counted } from '../common/format.ts';
import { segmented } from '../common/segmented.ts';
import { noteLine, sortNotes } from './notes.ts';
import { type TreeOptions, drawInBatches, jsonText, valueTree } from './valueTree.ts';

export interface ArgumentsOptions {
  readonly notes: readonly RiskNote[];
  /** Opens the text at this JSON pointer in a tab of the editor. */
  readonly open?: (path: string) => void;
  readonly buttons?: readonly HTMLElement[];
}

/** The arguments of a call: one row each, or the JSON that will be sent. */
export function argumentsView(value: JsonObject, options: ArgumentsOptions): HTMLElement {
  const { buttons = [] } = options;
  const title = make('h3', { class: 'section-title', text: 'Arguments' });
  const spring = make('span', { class: 'spring' });
  const entries = Object.entries(value);
  if (entries.length === 0) {
    const bar = make('div', { class: 'section-bar', children: [title, spring, ...buttons] });
    const none = make('p', { class: 'muted', text: 'This call has no arguments.' });
    return make('section', { class: 'arguments', children: [bar, none] });
  }
  const drawn: { table?: HTMLElement; json?: HTMLElement } = {};
  const views = {
    table: () => (drawn.table ??= argumentTable(value, options)),
    json: () => (drawn.json ??= jsonView(value, options.notes)),
  };
  const body = make('div', { class: 'arguments-body', children: [views.table()] });
  const choice = segmented({
    label: 'Show arguments as',
    choices: [
      { value: 'table', label: 'Table' },
      { value: 'json', label: 'JSON' },
    ],
    value: 'table',
    onChange: (view) => body.replaceChildren(views[view]()),
  });
  const total = make('span', { class: 'total muted', text: String(entries.length) });
  total.title = counted(entries.length, 'argument');
  const bar = make('div', { class: 'section-bar', children: [title, total, spring, choice, ...buttons] });
  return make('section', { class: 'arguments', children: [bar, body] });
}

/** The arguments as rows alone, without a choice of how to see them. */
export function argumentTable(value: JsonObject, options: ArgumentsOptions): HTMLElement {
  const notes = sortNotes(options.notes);
  const tree: TreeOptions = {
    secrets: secretRanges(options.notes),
    beside: (path) => notes.at(path, 'value').map(noteLine),
    besideKey: (path) => notes.at(path, 'key').map(noteLine),
    ...(options.open === undefined ? {} : { open: options.open }),
  };
  const table = make('dl', { class: 'table' });
  drawInBatches(table, Object.entries(value), ([key, member]) => {
    if (member === undefined) return undefined;
    return argumentRow(key, member, pointer('', key), tree);
  });
  return table;
}

function argumentRow(key: string, value: JsonValue, path: string, tree: TreeOptions): HTMLElement {
  return make('div', {
    class: 'row',
    children: [
      make('dt', { children: [foreign(key, 'key'), ...(tree.besideKey?.(path) ?? [])] }),
      make('dd', { children: [valueTree(value, path, tree)] }),
    ],
  });
}

function jsonView(value: JsonObject, notes: readonly RiskNote[]): HTMLElement {
  const pre = make('pre', {
    class: 'json',
    attributes: { tabindex: '0', role: 'group', 'aria-label': 'Arguments as JSON' },
  });
  const masked = maskedArguments(value, notes);
  pre.append(foreign(jsonText(masked)));
  if (masked === value) return pre;
  const view = make('div', { class: 'masked', children: [pre] });
  const reveal = button({
    label: 'Reveal Secrets',
    className: 'small',
    onClick: () => {
      pre.replaceChildren(foreign(jsonText(value)));
      reveal.remove();
    },
  });
  view.append(reveal);
  return view;
}
