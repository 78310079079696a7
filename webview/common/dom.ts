import { visibleSegments } from '../../src/shared/visibleText.ts';

type Child = Node | string | undefined | false;

export interface MakeOptions {
  readonly class?: string;
  readonly text?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly children?: readonly Child[];
}

/** Builds an element. Text only ever becomes text: there is no way to pass markup. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  options: MakeOptions = {},
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (options.class !== undefined) element.className = options.class;
  if (options.text !== undefined) element.textContent = options.text;
  for (const [name, value] of Object.entries(options.attributes ?? {})) element.setAttribute(name, value);
  for (const child of options.children ?? [])
    if (child !== undefined && child !== false) element.append(child);
  return element;
}

/**
 * Text of a server, a model or a workspace: isolated from the text around it,
 * with every character that hides or reorders shown as an escape.
 */
export function foreign(text: string, className?: string): HTMLElement {
  const element = make('bdi', { class: className === undefined ? 'foreign' : `foreign ${className}` });
  element.dir = 'auto';
  for (const segment of visibleSegments(text)) {
    if (segment.kind === 'plain') element.append(segment.text);
    else element.append(make('span', { class: 'escape', text: segment.escape }));
  }
  return element;
}

/** Removes all children and puts others in their place. */
export function fill(element: HTMLElement, ...children: readonly Child[]): void {
  element.replaceChildren(...children.filter((child) => child !== undefined && child !== false));
}
