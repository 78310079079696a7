import { type JsonValue, isJsonObject } from '../../src/shared/json.ts';
import { maskRanges, pointer } from '../../src/shared/mask.ts';
import type { TextRange } from '../../src/shared/riskNote.ts';
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
  /** What to put under the value at this JSON pointer, such as notes. */
  readonly beside?: (path: string) => readonly HTMLElement[];
  /** What to put under the name of the member at this JSON pointer. */
  readonly besideKey?: (path: string) => readonly HTMLElement[];
  /** Parts of the text at this JSON pointer that are masked until the person reveals them. */
  readonly secrets?: ReadonlyMap<string, readonly TextRange[]>;
  /** Opens the text at this JSON pointer in a tab of the editor. */
  readonly open?: (path: string) => void;
}

/** Draws one value, whole: nothing is cut without a button that shows the rest. */
export function valueTree(value: JsonValue, path: string, options: TreeOptions, depth = 0): HTMLElement {
  const beside = options.beside?.(path) ?? [];
  return make('div', { class: 'value', children: [drawn(value, path, options, depth), ...beside] });
}

function drawn(value: JsonValue, path: string, options: TreeOptions, depth: number): HTMLElement {
  if (typeof value === 'string') return secretView(value, path, options);
  if (value === null || typeof value !== 'object') {
    return make('span', { class: 'scalar', text: JSON.stringify(value) });
  }
  const entries = Object.entries(value);
  if (entries.length === 0) {
    const text = Array.isArray(value) ? '[ ] empty list' : '{ } empty object';
    return make('span', { class: 'scalar', text });
  }
  if (depth >= deepest) return stringView(jsonText(value), path, options);
  const isList = !isJsonObject(value);
  const node = make(isList ? 'ol' : 'ul', { class: 'tree' });
  drawInBatches(node, entries, ([key, child]) => {
    if (child === undefined) return undefined;
    const childPath = pointer(path, key);
    const name = isList ? make('span', { class: 'key index', text: key }) : foreign(key, 'key');
    const branch = typeof child === 'object' && child !== null && Object.keys(child).length > 0;
    return make('li', {
      class: branch ? 'branch' : 'leaf',
      children: [
        name,
        ...(options.besideKey?.(childPath) ?? []),
        valueTree(child, childPath, options, depth + 1),
      ],
    });
  });
  return node;
}

/** Fills a list with what is drawn of the entries: some at once, the rest when the person asks. */
export function drawInBatches<T>(
  parent: HTMLElement,
  entries: readonly T[],
  draw: (entry: T) => HTMLElement | undefined,
  from = 0,
): void {
  for (const entry of entries.slice(from, from + batch)) {
    const element = draw(entry);
    if (element !== undefined) parent.append(element);
  }
  const rest = entries.length - from - batch;
  if (rest <= 0) return;
  const more = make(parent.tagName === 'DL' ? 'div' : 'li', { class: 'more' });
  more.append(
    button({
      label: `Show ${count(Math.min(rest, batch))} More of ${count(rest)}`,
      onClick: () => {
        more.remove();
        drawInBatches(parent, entries, draw, from + batch);
      },
    }),
  );
  parent.append(more);
}

/** JSON for reading. Too deep for that, it says so: it is never cut in silence. */
export function jsonText(value: JsonValue): string {
  try {
    return JSON.stringify(value, null, 2);
  } catch {
    return '(nested too deeply to be shown)';
  }
}

function secretView(text: string, path: string, options: TreeOptions): HTMLElement {
  const ranges = options.secrets?.get(path) ?? [];
  if (ranges.length === 0) return stringView(text, path, options);
  const masked = make('div', { class: 'masked', children: [stringView(maskRanges(text, ranges), path, {})] });
  const reveal = button({
    label: 'Reveal',
    className: 'small',
    onClick: () => masked.replaceChildren(stringView(text, path, options)),
  });
  masked.append(reveal);
  return masked;
}

function stringView(text: string, path: string, options: TreeOptions): HTMLElement {
  if (text === '') return make('span', { class: 'scalar', text: 'empty text' });
  const lines = text.split('\n').length;
  const isBlock = lines > 1 || text.length > 300;
  if (!isBlock) return isAmbiguous(text) ? markedText(text) : foreign(text, 'text');
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
  const bar = make('div', { class: 'text-bar', children: [size, make('span', { class: 'spring' })] });
  if (text.length > longestText) {
    const all = button({
      label: `Show All (First ${count(longestText)} Shown)`,
      className: 'small',
      onClick: () => {
        box.replaceChildren(foreign(text, 'text'));
        all.remove();
      },
    });
    bar.append(all);
  }
  const { open } = options;
  if (open !== undefined)
    bar.append(button({ label: 'Open in Tab', className: 'small', onClick: () => open(path) }));
  return make('div', { class: 'text-frame', children: [bar, box] });
}

/** A text that reads like a number or a literal: what is sent differs, so what is shown has to. */
function isAmbiguous(text: string): boolean {
  return /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.test(text);
}

function markedText(text: string): HTMLElement {
  const type = make('span', { class: 'type muted', text: 'text' });
  return make('span', { children: [foreign(text, 'text'), type] });
}
