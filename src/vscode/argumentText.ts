import { isJsonObject, type JsonValue } from '../base/json.ts';
import type { PromptCard } from '../shared/promptCard.ts';
import { visibleText } from '../shared/visibleText.ts';

/** Title and text of one argument of a waiting call for an editor tab; `path` is a JSON Pointer (RFC 6901). */
export function argumentText(card: PromptCard, path: string): [title: string, text: string] {
  if (card.kind !== 'approval') return ['text.txt', ''];
  const value = valueAt(card.arguments, path);
  const name = path === '' ? 'arguments' : path.slice(path.lastIndexOf('/') + 1);
  if (typeof value === 'string') return [`${name}.txt`, visibleText(value)];
  return [`${name}.json`, visibleText(JSON.stringify(value ?? null, undefined, 2))];
}

function valueAt(root: JsonValue, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const part of path.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) value = (value as readonly JsonValue[])[Number(key)];
    else if (isJsonObject(value)) value = Object.hasOwn(value, key) ? value[key] : undefined;
    else return undefined;
  }
  return value;
}
