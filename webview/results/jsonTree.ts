import { type JsonValue, isJsonObject } from '../../src/shared/json.ts';
import { button } from '../common/controls.ts';
import { foreign, make } from '../common/dom.ts';
import { count, counted } from '../common/format.ts';
import { icon } from '../common/icons.ts';
import { moveInTree } from './treeKeys.ts';
import { childrenOf, groupOf, itemsIn, rowOf } from './treeRows.ts';

/** Members that are drawn at once; the rest is one press away. */
const batch = 100;
/** Rows that are unfolded without being asked for, and at most when all are. */
const firstRows = 40;
const mostRows = 1_000;
/** A text longer than this is folded as well. */
const longestInline = 160;

type Item = HTMLLIElement;

/** Draws what is folded in an item, once it is first unfolded. */
const fillers = new WeakMap<Item, () => void>();

/** A JSON value as a tree that can be folded, by pointer and by keyboard. What is folded is not drawn yet. */
export function jsonTree(value: JsonValue, label: string): HTMLElement {
  const tree = make('ul', { class: 'json-tree', attributes: { role: 'tree', 'aria-label': label } });
  const root = itemOf(undefined, value, 1);
  tree.append(root);
  holdFocus(tree, root);
  unfoldAll(tree, firstRows);
  tree.addEventListener('keydown', (event) => onKey(tree, event));
  tree.addEventListener('click', (event) => onClick(tree, event));
  const isNested = root.querySelector(':scope > ul [aria-expanded]') !== null;
  const view = make('div', { class: 'tree-view', children: [tree] });
  if (!isNested) return view;
  const bar = make('div', {
    class: 'tree-bar',
    children: [
      button({ label: 'Unfold All', className: 'small', onClick: () => unfoldAll(tree, mostRows) }),
      button({ label: 'Fold All', className: 'small', onClick: () => foldAll(tree) }),
    ],
  });
  view.prepend(bar);
  return view;
}

function itemOf(key: string | undefined, value: JsonValue, level: number): Item {
  const entries = entriesOf(value);
  const isLongText = typeof value === 'string' && (value.length > longestInline || value.includes('\n'));
  const summary = summaryOf(value, entries?.length ?? 0);
  const isFoldable = isLongText || (entries !== undefined && entries.length > 0);
  const row = make('div', {
    class: 'tree-row',
    attributes: rowAttributes(level),
    children: [
      isFoldable ? twisty() : make('span', { class: 'twisty' }),
      key !== undefined && foreign(key === '' ? '""' : key, 'key'),
      key !== undefined && make('span', { class: 'muted', text: ':' }),
      valueWords(value, summary),
    ],
  });
  const item = make('li', { attributes: { role: 'none' }, children: [row] });
  if (!isFoldable) return item;
  row.setAttribute('aria-expanded', 'false');
  const group = make('ul', { attributes: { role: 'none', hidden: '' } });
  item.append(group);
  fillers.set(item, () => {
    if (typeof value === 'string') group.append(textItem(value, level + 1));
    else appendBatch(group, entries ?? [], level + 1, 0);
  });
  return item;
}

function entriesOf(value: JsonValue): readonly (readonly [string, JsonValue])[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).flatMap(([key, child]) =>
    child === undefined ? [] : [[key, child] as const],
  );
}

function summaryOf(value: JsonValue, size: number): string {
  if (typeof value === 'string') {
    const line = value.split('\n', 1)[0] ?? '';
    const isCut = line.length < value.length || line.length > longestInline;
    return isCut
      ? `"${line.slice(0, longestInline)}…" (${counted(value.length, 'character')})`
      : JSON.stringify(value);
  }
  if (typeof value !== 'object' || value === null) return String(value);
  return isJsonObject(value) ? `{ } ${counted(size, 'member')}` : `[ ] ${counted(size, 'entry', 'entries')}`;
}

function valueWords(value: JsonValue, summary: string): HTMLElement {
  const isBranch = typeof value === 'object' && value !== null;
  if (isBranch) return make('span', { class: 'muted', text: summary });
  return foreign(summary, 'scalar');
}

/** A long text, whole, under its first words. */
function textItem(text: string, level: number): Item {
  const row = make('div', {
    class: 'tree-text',
    attributes: rowAttributes(level),
    children: [foreign(text, 'text')],
  });
  return make('li', { attributes: { role: 'none' }, children: [row] });
}

/** The rows are one flat list for screen readers, each with its level: a row is named by what it says. */
function rowAttributes(level: number): Readonly<Record<string, string>> {
  return { role: 'treeitem', 'aria-level': String(level), tabindex: '-1' };
}

function appendBatch(
  group: HTMLElement,
  entries: readonly (readonly [string, JsonValue])[],
  level: number,
  from: number,
): void {
  group.append(...entries.slice(from, from + batch).map(([key, value]) => itemOf(key, value, level)));
  const rest = entries.length - from - batch;
  if (rest > 0) {
    const label = `Show ${count(Math.min(rest, batch))} more of ${count(rest)}`;
    const row = make('div', {
      class: 'tree-row',
      attributes: rowAttributes(level),
      children: [make('span', { class: 'twisty' }), label],
    });
    const more = make('li', { class: 'tree-more', attributes: { role: 'none' }, children: [row] });
    fillers.set(more, () => {
      more.remove();
      appendBatch(group, entries, level, from + batch);
    });
    group.append(more);
  }
}

function twisty(): HTMLElement {
  return make('span', { class: 'twisty', children: [icon('chevronRight')] });
}

function setFolded(item: Item, folded: boolean): void {
  const group = groupOf(item);
  if (group === undefined) return;
  if (!folded && group.childElementCount === 0) fillers.get(item)?.();
  rowOf(item).setAttribute('aria-expanded', String(!folded));
  group.hidden = folded;
}

/** Level by level, so that a large value shows its outline first. */
function unfoldAll(tree: HTMLElement, rows: number): void {
  let level = itemsIn(tree);
  let drawn = level.length;
  while (level.length > 0) {
    const next: Item[] = [];
    for (const item of level) {
      if (drawn >= rows) return;
      // Long texts unfold only one at a time.
      if (rowOf(item).querySelector('.scalar') !== null) continue;
      setFolded(item, false);
      const children = childrenOf(item);
      drawn += children.length;
      next.push(...children);
    }
    level = next;
  }
}

function foldAll(tree: HTMLElement): void {
  for (const row of Array.from(tree.querySelectorAll('[aria-expanded="true"]'))) {
    const item = row.closest('li');
    if (item !== null) setFolded(item, true);
  }
  const [root] = itemsIn(tree);
  if (root === undefined) return;
  setFolded(root, false);
  // The one stop for Tab must not be folded away.
  holdFocus(tree, root);
}

/** One row at a time can be reached with Tab. */
function holdFocus(tree: HTMLElement, item: Item): void {
  for (const other of Array.from(tree.querySelectorAll<HTMLElement>('[tabindex="0"]'))) other.tabIndex = -1;
  rowOf(item).tabIndex = 0;
}

function focusItem(tree: HTMLElement, item: Item): void {
  holdFocus(tree, item);
  rowOf(item).focus();
}

function onKey(tree: HTMLElement, event: KeyboardEvent): void {
  const item = event.target instanceof Element ? event.target.closest('li') : null;
  if (item === null || event.altKey || event.ctrlKey || event.metaKey) return;
  const step = moveInTree(tree, item, event.key);
  if (step.kind === 'none') return;
  event.preventDefault();
  event.stopPropagation();
  if (step.kind === 'go') focusItem(tree, step.item);
  else if (step.kind === 'fold') setFolded(item, true);
  else if (step.kind === 'unfold') setFolded(item, false);
  else press(tree, item);
}

function onClick(tree: HTMLElement, event: MouseEvent): void {
  // A text that is being marked must stay where it is.
  if (!(event.target instanceof Element) || document.getSelection()?.isCollapsed === false) return;
  const item = event.target.closest('.tree-row')?.closest('li') ?? undefined;
  if (item === undefined) return;
  focusItem(tree, item);
  press(tree, item);
}

function press(tree: HTMLElement, item: Item): void {
  const group = groupOf(item);
  if (group !== undefined) return setFolded(item, !group.hidden);
  if (!item.classList.contains('tree-more')) return;
  // In its place comes what it stood for.
  const before = item.previousElementSibling;
  fillers.get(item)?.();
  if (before?.nextElementSibling instanceof HTMLLIElement) focusItem(tree, before.nextElementSibling);
}
