import type { ShownMedia } from '../../src/shared/resultView.ts';
import { button } from '../common/controls.ts';
import { make } from '../common/dom.ts';
import { noteLine } from '../cards/notes.ts';
import { blobAddress } from './blobs.ts';
import type { PartContext } from './resultPanel.ts';

/** A picture, made to fit; the button shows it in its own size if that is another. */
export function pictureView(
  shown: ShownMedia & { readonly kind: 'data' },
  mimeType: string,
  name: string,
  context: PartContext,
): { readonly element: HTMLElement; readonly zoom: HTMLElement } {
  const image = make('img', { attributes: { alt: name, decoding: 'async' } });
  const frame = make('div', { class: 'picture', children: [image] });
  let fits = true;
  const zoom = button({
    label: 'Actual Size',
    className: 'small',
    onClick: () => {
      fits = !fits;
      frame.classList.toggle('actual-size', !fits);
      zoom.textContent = fits ? 'Actual Size' : 'Fit';
      // A box that scrolls has to be reachable by keyboard.
      if (fits) frame.removeAttribute('tabindex');
      else frame.tabIndex = 0;
    },
  });
  zoom.hidden = true;
  image.addEventListener('load', () => {
    const isSmaller = image.clientWidth < image.naturalWidth || image.clientHeight < image.naturalHeight;
    zoom.hidden = fits && !isSmaller;
  });
  image.addEventListener('error', () => {
    zoom.hidden = true;
    frame.replaceChildren(noteLine({ severity: 'caution', message: 'This picture cannot be drawn.' }));
  });
  // Known before it is decoded, so that nothing moves when it is.
  if (shown.width !== undefined && shown.height !== undefined) {
    image.width = shown.width;
    image.height = shown.height;
  }
  image.src = blobAddress(shown.base64, mimeType, context.onDispose);
  return { element: frame, zoom };
}
