import { make } from '../common/dom.ts';
import { noteLine } from '../cards/notes.ts';
import { blobAddress } from './blobs.ts';
import type { PartContext } from './resultPanel.ts';

/** A sound with the browser's own player. Nothing plays by itself. */
export function soundView(base64: string, mimeType: string, name: string, context: PartContext): HTMLElement {
  const player = make('audio', { attributes: { controls: '', preload: 'metadata', 'aria-label': name } });
  const frame = make('div', { class: 'sound', children: [player] });
  player.addEventListener('error', () => {
    const message = 'This editor cannot play sounds of this type. Save it to play it elsewhere.';
    frame.replaceChildren(noteLine({ severity: 'caution', message }));
  });
  player.src = blobAddress(base64, mimeType, context.onDispose);
  context.onDispose(() => player.pause());
  return frame;
}
