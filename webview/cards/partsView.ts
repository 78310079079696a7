import type { SamplingPart } from '../../src/shared/inputCards.ts';
import { foreign, make } from '../common/dom.ts';
import { counted } from '../common/format.ts';

/** Parts of a message or a result, as a person reads them. */
export function partsView(parts: readonly SamplingPart[], label: string): HTMLElement {
  return make('div', { class: 'parts', children: parts.map((part) => partView(part, label)) });
}

export function partView(part: SamplingPart, label: string): HTMLElement {
  switch (part.kind) {
    case 'text':
      return textBlock(part.text, label);
    case 'image':
      return pictureView(part.data, part.mimeType);
    case 'other':
      return make('div', {
        children: [
          make('p', { class: 'muted', children: [foreign(part.label)] }),
          part.text !== undefined && textBlock(part.text, part.label),
          ...(part.pictures ?? []).map(({ data, mimeType }) => pictureView(data, mimeType)),
        ],
      });
  }
}

function textBlock(text: string, label: string): HTMLElement {
  if (text === '') return make('p', { class: 'muted', text: '(empty)' });
  return make('div', {
    class: 'text-block framed',
    attributes: { tabindex: '0', role: 'group', 'aria-label': label },
    children: [foreign(text, 'text')],
  });
}

/**
 * A picture, drawn from its bytes. The page's policy lets no picture in by address, and none is needed:
 * the bytes are here. How many pixels they hold was judged before they came here.
 */
function pictureView(data: string, mimeType: string): HTMLElement {
  const size = counted(Math.floor((data.length * 3) / 4), 'byte');
  const caption = make('figcaption', { class: 'muted', children: [foreign(mimeType), `, ${size}`] });
  const figure = make('figure', { children: [caption] });
  const failed = (): void => caption.append(', cannot be shown');
  // One after the other: each takes up its memory whole while it is drawn.
  drawing = drawing
    .then(() => draw(data, mimeType))
    .then((canvas) => figure.prepend(canvas))
    .catch(failed);
  return figure;
}

let drawing: Promise<void> = Promise.resolve();

async function draw(data: string, mimeType: string): Promise<HTMLCanvasElement> {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: mimeType }));
  const scale = Math.min(1, 640 / bitmap.width, 480 / bitmap.height);
  const canvas = make('canvas', { attributes: { role: 'img', 'aria-label': 'Picture' } });
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas;
}
