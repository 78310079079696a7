import { foreign, make } from './dom.ts';

/** Text of our own with foreign parts between back-ticks, which such a part cannot hold itself. */
export function codeText(text: string, className?: string): HTMLElement {
  const element = make('span', className === undefined ? {} : { class: className });
  for (const [index, part] of text.split('`').entries()) {
    if (part === '') continue;
    if (index % 2 === 0) element.append(part);
    else element.append(make('code', { children: [foreign(part)] }));
  }
  return element;
}
