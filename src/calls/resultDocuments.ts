import { TimeSlice } from '../base/timeSlice.ts';
import { writeJson } from '../base/writeJson.ts';
import type { CheckedBlock } from '../tools/checkResult.ts';
import { fileExtension } from '../tools/mediaType.ts';
import { visibleLargeText } from '../tools/visibleLargeText.ts';
import { fileStem, textEnding, textOfFile } from '../tools/textEnding.ts';
import type { KeptResult } from './resultShelf.ts';

/** A text for an editor tab. Hidden characters have been made visible. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** The whole result as one text, made with pauses: the texts alone if there is nothing else, otherwise everything as JSON. */
export async function resultText({ title, checked, raw }: KeptResult): Promise<NamedText> {
  const { blocks, structured } = checked;
  const texts = blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : []));
  if (texts.length === blocks.length && structured.kind === 'absent') {
    return { name: `${fileStem(title)}.txt`, text: await visible(texts.join('\n\n')) };
  }
  return { name: `${fileStem(title)}.json`, text: await visible(await jsonText(raw)) };
}

/** One part as a text; without a part, the structured content. */
export async function partText(
  { title, checked }: KeptResult,
  part: number | undefined,
): Promise<NamedText | undefined> {
  const { blocks, structured } = checked;
  if (part === undefined) {
    if (!('value' in structured)) return undefined;
    return { name: `${fileStem(title)}.json`, text: await visible(await jsonText(structured.value)) };
  }
  const block = blocks[part];
  const number = `${fileStem(title)}-${part + 1}`;
  switch (block?.kind) {
    case 'text':
      return { name: `${number}.txt`, text: await visible(block.text) };
    case 'resourceText': {
      const ending = textEnding(block.mimeType, block.uri);
      return { name: `${fileStem(block.uri)}.${ending}`, text: await visible(block.text) };
    }
    case 'media':
    case 'resourceBlob': {
      const uri = block.kind === 'resourceBlob' ? block.uri : undefined;
      const text = textOfFile(block.mimeType, block.data);
      if (text === undefined) return undefined;
      const stem = uri === undefined ? number : fileStem(uri);
      return { name: `${stem}.${textEnding(block.mimeType, uri)}`, text: await visible(text) };
    }
    case 'unknown':
      return { name: `${number}.json`, text: await visible(await jsonText(block.raw)) };
    case 'link':
    case 'broken':
    case undefined:
      return undefined;
  }
}

/** An attachment as a file, its ending chosen by its bytes. */
export function fileOf(
  { title }: KeptResult,
  block: CheckedBlock,
  part: number,
): { readonly name: string; readonly bytes: Uint8Array } | undefined {
  if (block.kind !== 'media' && block.kind !== 'resourceBlob') return undefined;
  const stem = block.kind === 'media' ? `${fileStem(title)}-${part + 1}` : fileStem(block.uri);
  return { name: `${stem}.${fileExtension(block.data)}`, bytes: block.data };
}

/** A longer text is written without indentation, which can make any number of times as much of deep nesting. Characters. */
const mostIndented = 32 * 1024 * 1024;

async function jsonText(value: unknown): Promise<string> {
  const slice = new TimeSlice();
  const indented = await writeJson(value, { indent: 2, most: mostIndented }, slice);
  const { pieces } = indented.isWhole ? indented : await writeJson(value, {}, slice);
  return pieces.join('');
}

function visible(text: string): Promise<string> {
  return visibleLargeText(text, new TimeSlice());
}
