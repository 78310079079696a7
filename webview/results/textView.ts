import type { JsonValue } from '../../src/shared/json.ts';
import type { ShownText } from '../../src/shared/resultView.ts';
import { button } from '../common/controls.ts';
import { foreign, make } from '../common/dom.ts';
import { count, counted } from '../common/format.ts';
import { segmented } from '../common/segmented.ts';
import { jsonTree } from './jsonTree.ts';

/** Characters that are drawn at once; the rest is one press away. */
const drawnAtOnce = 100_000;

/** How long a text is. */
export function textFacts({ text, total, isMore }: ShownText): readonly string[] {
  if (total !== undefined) return [`${isMore === true ? 'more than ' : ''}${counted(total, 'character')}`];
  const lines = text.split('\n').length;
  return [lines > 1 ? counted(lines, 'line') : '', counted(text.length, 'character')].filter(Boolean);
}

/** A text in a box of bounded height, its lines wrapped; JSON can be folded as a tree instead. */
export function textView(shown: ShownText, label: string): HTMLElement {
  const { text, total, isJson } = shown;
  if (text === '' && total === undefined) return make('p', { class: 'muted', text: '(empty)' });
  const tree = isJson === true ? parsed(text) : undefined;
  if (tree === undefined) return plainView(shown, label);
  const drawn: { json?: HTMLElement; text?: HTMLElement } = {};
  const views = {
    json: () => (drawn.json ??= jsonTree(tree, label)),
    text: () => (drawn.text ??= plainView(shown, label)),
  };
  const body = make('div', { children: [views.json()] });
  const choice = segmented({
    label: `Show ${label.toLowerCase()} as`,
    choices: [
      { value: 'json', label: 'JSON' },
      { value: 'text', label: 'Text' },
    ],
    value: 'json',
    onChange: (view) => body.replaceChildren(views[view]()),
  });
  return make('div', { class: 'text-or-tree', children: [choice, body] });
}

function plainView({ text, total, isMore }: ShownText, label: string): HTMLElement {
  const box = make('div', {
    class: 'text-block framed',
    // A box that scrolls has to be reachable by keyboard.
    attributes: { tabindex: '0', role: 'group', 'aria-label': label },
    children: [foreign(text.slice(0, drawnAtOnce), 'text')],
  });
  const view = make('div', { class: 'text-view', children: [box] });
  if (text.length > drawnAtOnce) {
    const all = button({
      label: `Show ${count(text.length - drawnAtOnce)} More Characters`,
      className: 'small',
      onClick: () => {
        box.replaceChildren(foreign(text, 'text'));
        all.remove();
      },
    });
    view.append(all);
  }
  if (total !== undefined) {
    const shown = `The first ${count(text.length)} of ${isMore === true ? 'more than ' : ''}${count(total)} characters. “Open as Text” shows all of them.`;
    view.append(make('p', { class: 'muted', text: shown }));
  }
  return view;
}

function parsed(text: string): JsonValue | undefined {
  try {
    // The extension has checked that this text is JSON; what it is read as is data all the same.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
