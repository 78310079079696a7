import { visibleText } from '../shared/visibleText.ts';
import type { CheckedBlock } from '../tools/checkResult.ts';
import { fileExtension } from '../tools/mediaType.ts';
import { fileStem, textEnding, textOfFile } from '../tools/textEnding.ts';
import type { KeptResult } from './resultShelf.ts';

/** A text for an editor tab. Hidden characters have been made visible. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** The whole result as one text: the texts alone if there is nothing else, otherwise everything as JSON. */
export function resultText({ title, checked, raw }: KeptResult): NamedText {
  const { blocks, structured } = checked;
  const texts = blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : []));
  if (texts.length === blocks.length && structured.kind === 'absent') {
    return { name: `${fileStem(title)}.txt`, text: visibleText(texts.join('\n\n')) };
  }
  return { name: `${fileStem(title)}.json`, text: visibleText(jsonText(raw)) };
}

/** One part as a text; without a part, the structured content. */
export function partText({ title, checked }: KeptResult, part: number | undefined): NamedText | undefined {
  const { blocks, structured } = checked;
  if (part === undefined) {
    if (!('value' in structured)) return undefined;
    return { name: `${fileStem(title)}.json`, text: visibleText(jsonText(structured.value)) };
  }
  const block = blocks[part];
  const number = `${fileStem(title)}-${part + 1}`;
  switch (block?.kind) {
    case 'text':
      return { name: `${number}.txt`, text: visibleText(block.text) };
    case 'resourceText': {
      const ending = textEnding(block.mimeType, block.uri);
      return { name: `${fileStem(block.uri)}.${ending}`, text: visibleText(block.text) };
    }
    case 'media':
    case 'resourceBlob': {
      const uri = block.kind === 'resourceBlob' ? block.uri : undefined;
      const text = textOfFile(block.mimeType, block.data);
      if (text === undefined) return undefined;
      const stem = uri === undefined ? number : fileStem(uri);
      return { name: `${stem}.${textEnding(block.mimeType, uri)}`, text: visibleText(text) };
    }
    case 'unknown':
      return { name: `${number}.json`, text: visibleText(jsonText(block.raw)) };
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

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value, undefined, 2);
  } catch {
    return '(nested too deeply to be written out)';
  }
}
