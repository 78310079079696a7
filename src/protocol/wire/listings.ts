import { isJsonObject, type JsonValue } from '../../base/json.ts';
import type { Prompt, Resource } from '../model.ts';
import { present } from './present.ts';
import { readFlag, readNumber, readText } from './read.ts';
import { repairTexts } from './wellFormed.ts';

/** Reads one entry of `resources/list`; `undefined` without a URI. */
export function readResource(received: JsonValue): Resource | undefined {
  if (!isJsonObject(received)) return undefined;
  const raw = repairTexts(received);
  const uri = readText(raw, 'uri');
  if (uri === undefined) return undefined;
  return present({
    uri,
    name: readText(raw, 'name') ?? uri,
    title: readText(raw, 'title'),
    description: readText(raw, 'description'),
    mimeType: readText(raw, 'mimeType'),
    size: readNumber(raw, 'size'),
  });
}

/** Reads one entry of `prompts/list`; `undefined` without a name. */
export function readPrompt(received: JsonValue): Prompt | undefined {
  if (!isJsonObject(received)) return undefined;
  const raw = repairTexts(received);
  const name = readText(raw, 'name');
  if (name === undefined) return undefined;
  const list = raw['arguments'];
  return present({
    name,
    title: readText(raw, 'title'),
    description: readText(raw, 'description'),
    arguments: (Array.isArray(list) ? list : []).flatMap((item: JsonValue) => {
      if (!isJsonObject(item)) return [];
      const argument = readText(item, 'name');
      if (argument === undefined) return [];
      const required = readFlag(item, 'required') ?? false;
      return [present({ name: argument, description: readText(item, 'description'), required })];
    }),
  });
}
