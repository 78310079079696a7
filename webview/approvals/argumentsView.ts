import type { JsonObject } from '../../src/base/json.ts';
import { foreign, make } from '../common/dom.ts';
import { counted } from '../common/format.ts';
import { segmented } from '../common/segmented.ts';
import { type TreeOptions, valueTree } from './valueTree.ts';

/** The arguments of a call: one row each, or the JSON that will be sent. */
export function argumentsView(
  value: JsonObject,
  options: TreeOptions & {
    readonly buttons?: readonly HTMLElement[];
    readonly besideKey?: (path: string) => readonly HTMLElement[];
  },
): HTMLElement {
  const entries = Object.entries(value);
  const title = make('h3', { class: 'section-title', text: 'Arguments' });
  const body = make('div', { class: 'arguments-body' });
  if (entries.length === 0) {
    body.append(make('p', { class: 'muted none', text: 'This call has no arguments.' }));
    return make('section', {
      class: 'arguments',
      children: [make('div', { class: 'section-bar', children: [title, ...(options.buttons ?? [])] }), body],
    });
  }
  let table: HTMLElement | undefined;
  let json: HTMLElement | undefined;
  const views = {
    table: () => (table ??= argumentTable(entries, options)),
    json: () => (json ??= jsonText(value)),
  };
  const choice = segmented({
    label: 'Show arguments as',
    choices: [
      { value: 'table', label: 'Table' },
      { value: 'json', label: 'JSON' },
    ],
    value: 'table',
    onChange: (view) => body.replaceChildren(views[view]()),
  });
  body.append(views.table());
  const total = make('span', { class: 'muted', text: counted(entries.length, 'value') });
  total.className = 'total muted';
  const bar = make('div', {
    class: 'section-bar',
    children: [title, total, choice, ...(options.buttons ?? [])],
  });
  return make('section', { class: 'arguments', children: [bar, body] });
}

function argumentTable(
  entries: readonly (readonly [string, JsonObject[string]])[],
  options: TreeOptions & { readonly besideKey?: (path: string) => readonly HTMLElement[] },
): HTMLElement {
  const rows = entries.map(([key, value]) => {
    const path = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return make('div', {
      class: 'row',
      children: [
        make('dt', { children: [foreign(key, 'key'), ...(options.besideKey?.(path) ?? [])] }),
        make('dd', { children: value === undefined ? [] : [valueTree(value, path, options)] }),
      ],
    });
  });
  return make('dl', { class: 'table', children: rows });
}

function jsonText(value: JsonObject): HTMLElement {
  const pre = make('pre', {
    class: 'json',
    attributes: { tabindex: '0', role: 'group', 'aria-label': 'Arguments as JSON' },
  });
  pre.append(foreign(JSON.stringify(value, null, 2)));
  return pre;
}
