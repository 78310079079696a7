import type { TimeSlice } from '../base/timeSlice.ts';
import { visibleText } from '../shared/visibleText.ts';

/** Characters that are looked at in one go. */
const usualPiece = 128 * 1024;

/** As `visibleText`, with pauses. `piece`: characters at a stretch. */
export async function visibleLargeText(
  text: string,
  slice: TimeSlice,
  piece: number = usualPiece,
): Promise<string> {
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    const to = border(text, from, Math.min(from + piece, text.length));
    pieces.push(visibleText(text.slice(from, to)));
    from = to;
    if (slice.isUsedUp) await slice.pause();
  }
  return pieces.join('');
}

/**
 * Whether a character counts as hidden may depend on its neighbours. Behind one that has no part in that a text can be
 * parted: nothing looks over it.
 */
function border(text: string, from: number, to: number): number {
  if (to === text.length) return to;
  for (let at = to; at > from; at -= 1) if (isPlain(text.charCodeAt(at - 1))) return at;
  for (let at = to; at < text.length; at += 1) if (isPlain(text.charCodeAt(at - 1))) return at;
  return text.length;
}

/** A line break, a space, letters and most signs of ASCII, the Latin letters, ideographs. */
function isPlain(code: number): boolean {
  if (code === 0x0a || (code >= 0x3a && code <= 0x7e) || (code >= 0x4e00 && code <= 0x9fff)) return true;
  return code === 0x20 || (code >= 0x2b && code <= 0x2f) || (code >= 0xc0 && code <= 0x24f);
}
