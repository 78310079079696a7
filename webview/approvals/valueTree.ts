import { type JsonValue, isJsonObject } from '../../src/base/json.ts';
import { button } from '../common/controls.ts';
import { foreign, make } from '../common/dom.ts';
import { count, counted } from '../common/format.ts';

/** Entries of one list or object that are drawn at once; the rest is one press away. */
const batch = 200;
/** Deeper than this a value is shown as JSON: an indented tree has no room left. */
const deepest = 8;
/** Characters of one string that are drawn at once; the rest is one press away. */
const longestText = 100_000;

export interface TreeOptions {
  /** What to put beside the value at this JSON pointer: notes, or masked parts. */
  readonly beside?: (path: string) => readonly HTMLElement[];
  /** Opens the text at this JSON pointer in a tab of the editor. */
  readonly open?: (path: string) => void;
}

/** Draws one argument, whole: nothing is cut without a button that shows the rest. */
export function valueTree(value: JsonValue, path: string, options: TreeOptions, depth = 0): HTMLElement {
  const beside = options.beside?.(path) ?? [];
  return make('div', { class: 'value', children: [drawn(value, path, options, depth), ...beside] });
}

function drawn(value: JsonValue, path: string, options: TreeOptions, depth: number): HTMLElement {
  if (typeof value === 'string') return stringView(value, path, options);
  if (value === null || typeof value !== 'object') {
    return make('span', { class: `scalar scalar-${typeof value}`, text: JSON.stringify(value) });
  }
  const entries = Object.entries(value);
  if (entries.length === 0)
    return make('span', {
      class: 'scalar',
      text: Array.isArray(value) ? '[ ] empty list' : '{ } empty object',
    });
  if (depth >= deepest) return stringView(JSON.stringify(value, null, 2), path, options);
  const isList = !isJsonObject(value);
  const node = make(isList ? 'ol' : 'ul', { class: 'tree' });
  const add = (from: number): void => {
    for (const [key, child] of entries.slice(from, from + batch)) {
      if (child === undefined) continue;
      const name = isList ? make('span', { class: 'key index', text: key }) : foreign(key, 'key');
      const childPath = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const branch = typeof child === 'object' && child !== null && Object.keys(child).length > 0;
      node.append(
        make('li', {
          class: branch ? 'branch' : 'leaf',
          children: [name, valueTree(child, childPath, options, depth + 1)],
        }),
      );
    }
    const rest = entries.length - from - batch;
    if (rest <= 0) return;
    const more = make('li', { class: 'more' });
    more.append(
      button({
        label: `Show ${count(Math.min(rest, batch))} more of ${count(rest)}`,
        onClick: () => {
          more.remove();
          add(from + batch);
        },
      }),
    );
    node.append(more);
  };
  add(0);
  return node;
}

function stringView(text: string, path: string, options: TreeOptions): HTMLElement {
  if (text === '') return make('span', { class: 'scalar', text: 'empty text' });
  const lines = text.split('\n').length;
  const isBlock = lines > 1 || text.length > 200;
  if (!isBlock) return foreign(text, 'text');
  const box = make('div', {
    class: 'text-block',
    // A box that scrolls has to be reachable by keyboard.
    attributes: { tabindex: '0', role: 'group', 'aria-label': `Text of ${counted(lines, 'line')}` },
  });
  box.append(foreign(text.slice(0, longestText), 'text'));
  const size = make('span', {
    class: 'muted',
    text: `${counted(lines, 'line')}, ${counted(text.length, 'character')}`,
  });
  const bar = make('div', { class: 'text-bar', children: [size] });
  if (text.length > longestText) {
    const all = button({
      label: `Show all (first ${count(longestText)} shown)`,
      onClick: () => {
        box.replaceChildren(foreign(text, 'text'));
        all.remove();
      },
    });
    bar.append(all);
  }
  const { open } = options;
  if (open !== undefined) {
    bar.append(
      button({
        label: 'Open in Tab',
        appearance: 'secondary',
        className: 'small',
        onClick: () => open(path),
      }),
    );
  }
  return make('div', { class: 'text-frame', children: [bar, box] });
}
