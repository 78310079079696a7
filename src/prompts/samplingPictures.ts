import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import { decodeBase64 } from '../tools/base64.ts';
import { checkMediaType, essence } from '../tools/mediaType.ts';
import { judgePicture } from '../tools/pictureBounds.ts';

/** Bounds on all pictures of one question together: each is drawn for the person, and sent to the model. */
const mostPictures = 100;
const mostCharacters = 20_000_000;
const mostPixels = 100_000_000;

/** Types that the editor hands to a model. Others would have to be decoded to know how large they are. */
const taken: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/bmp',
]);

/** A picture in a message for a model, or in what a tool gave. */
export interface Picture {
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}

/** The picture that a block of content holds; undefined if it holds none. */
export function pictureIn(block: JsonValue | undefined): Picture | undefined {
  if (!isJsonObject(block) || block['type'] !== 'image') return undefined;
  const { data, mimeType } = block;
  return {
    mimeType: typeof mimeType === 'string' ? essence(mimeType) : '',
    data: typeof data === 'string' ? data : '',
  };
}

/**
 * Why pictures cannot be shown to a person, from their bytes alone: nothing is decoded that could fill all memory. What
 * a person cannot see is not sent. Undefined: all can be shown.
 */
export function pictureFault(pictures: readonly Picture[]): string | undefined {
  if (pictures.length > mostPictures) return `It has ${pictures.length} pictures, too many to be shown.`;
  const characters = pictures.reduce((sum, { data }) => sum + data.length, 0);
  if (characters > mostCharacters) return 'Its pictures are too large to be shown.';
  let pixels = 0;
  for (const { mimeType, data } of pictures) {
    if (!taken.has(mimeType))
      return `Models take no pictures of the type ${JSON.stringify(mimeType.slice(0, 100))}.`;
    const read = decodeBase64(data);
    if (read.kind === 'wrong') return `The data of a picture cannot be read. ${read.reason}`;
    const media = checkMediaType(mimeType, read.bytes);
    if (media.kind === 'wrong') return `A picture is not what it says. ${media.reason}`;
    const verdict = judgePicture(mimeType, read.bytes);
    if (verdict.kind === 'refused') return `A picture cannot be shown. ${verdict.reason}`;
    pixels += (verdict.width ?? 0) * (verdict.height ?? 0);
  }
  return pixels > mostPixels ? 'Its pictures have too many pixels together to be shown.' : undefined;
}

/** A block as JSON for a person, its picture described instead of spelled out. */
export function withoutData(block: JsonObject): JsonObject {
  const { data } = block;
  return typeof data === 'string' && typeof block['type'] === 'string' && block['type'] !== 'text'
    ? { ...block, data: `[${data.length} characters]` }
    : block;
}
