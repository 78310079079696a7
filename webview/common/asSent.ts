import { hasHidden } from '../../src/shared/visibleText.ts';
import { fill, foreign, make } from './dom.ts';
import { icon } from './icons.ts';

/** A line below a box of text. */
export interface AsSent {
  readonly element: HTMLElement;
  /** `isSecret`: only that something is hidden in the text is said. */
  show(text: string, isSecret?: boolean): void;
}

/** A box shows hidden characters as nothing, and obeys those that turn the text around: what it hides, this line spells. */
export function asSent(): AsSent {
  const element = make('p', { class: 'hint as-sent', attributes: { hidden: '' } });
  return {
    element,
    show(text, isSecret = false) {
      element.hidden = !hasHidden(text);
      if (element.hidden) return;
      const words = isSecret ? ['There are hidden characters in it.'] : ['As it is sent: ', foreign(text)];
      fill(element, icon('warning'), make('span', { children: words }));
    },
  };
}
