import type { PartAnnotations } from '../../src/shared/resultView.ts';
import { foreign, make } from '../common/dom.ts';

/** What stands around every part: what it is, facts about it, what the server says of it, what can be done. */
export function partFrame(options: {
  readonly title: string;
  readonly annotations: PartAnnotations | undefined;
  /** Foreign and own words, shown one after the other. */
  readonly facts: readonly (string | HTMLElement)[];
  readonly buttons: readonly HTMLElement[];
  readonly body: readonly (HTMLElement | undefined)[];
}): HTMLElement {
  const { title, annotations, facts, buttons, body } = options;
  const words = [...facts, ...annotationWords(annotations)];
  const factLine = make('p', { class: 'facts muted' });
  for (const [index, word] of words.entries()) factLine.append(...(index === 0 ? [word] : [' · ', word]));
  const bar = make('div', {
    class: 'section-bar part-bar',
    children: [
      make('h3', { class: 'section-title', text: title }),
      make('span', { class: 'spring' }),
      ...buttons,
    ],
  });
  return make('section', {
    class: 'part',
    attributes: { 'aria-label': title },
    children: [bar, words.length > 0 && factLine, ...body],
  });
}

function annotationWords(annotations: PartAnnotations | undefined): readonly (string | HTMLElement)[] {
  const { audience, priority, lastModified } = annotations ?? {};
  const forWhom =
    audience === undefined
      ? []
      : audience.length > 1
        ? ['for you and the model']
        : [audience[0] === 'user' ? 'for you only' : 'for the model only'];
  return [
    ...forWhom,
    ...(priority === undefined ? [] : [`priority ${priority}`]),
    ...(lastModified === undefined
      ? []
      : [make('span', { children: ['last changed ', foreign(lastModified)] })]),
  ];
}
