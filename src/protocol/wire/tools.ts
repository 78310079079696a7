import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { RejectedTool, Tool, ToolAnnotations } from '../model.ts';
import { lostNumbersIn } from '../lostNumbers.ts';
import { notedFlaw } from '../salvageTools.ts';
import { readIcons } from './identity.ts';
import { present } from './present.ts';
import { readFlag, readObject, readText } from './read.ts';
import { isWellFormed } from './wellFormed.ts';

/** Longer names are refused: nobody could read them where they decide. Characters. */
const maxNameLength = 1_024;

export type ToolEntry =
  | { readonly kind: 'tool'; readonly tool: Tool }
  | { readonly kind: 'rejected'; readonly rejected: RejectedTool };

/**
 * Reads one entry of a tool list; `place` counts from 1. One bad entry never spoils the list.
 * `wellFormed`: the texts are known to be valid Unicode.
 */
export function readTool(raw: JsonValue, place: number, wellFormed: boolean = false): ToolEntry {
  const reject = (name: string, reason: string): ToolEntry => ({
    kind: 'rejected',
    rejected: { name: name.slice(0, maxNameLength).toWellFormed(), reason },
  });
  if (!isJsonObject(raw)) return reject(`#${place}`, 'The entry is not an object.');
  const name = readText(raw, 'name');
  const flaw = notedFlaw(raw);
  if (flaw !== undefined) return reject(name || `#${place}`, `The entry is ${flaw}.`);
  if (name === undefined || name === '') return reject(`#${place}`, 'The tool has no name.');
  if (name.length > maxNameLength)
    return reject(name, `The name is longer than ${maxNameLength} characters.`);
  // A digest of the definition could not be taken, so a change of it could not be seen.
  if (!wellFormed && !isWellFormed(raw))
    return reject(name, 'A text in the definition is not valid Unicode.');
  const inputSchema = raw['inputSchema'];
  if (!isJsonObject(inputSchema)) return reject(name, 'The input schema is not an object.');
  const outputSchema = raw['outputSchema'];
  if (outputSchema !== undefined && outputSchema !== null && !isJsonObject(outputSchema))
    return reject(name, 'The output schema is not an object.');
  const tool = present({
    name,
    title: readText(raw, 'title'),
    description: readText(raw, 'description'),
    inputSchema,
    outputSchema: readObject(raw, 'outputSchema'),
    annotations: readToolAnnotations(readObject(raw, 'annotations')),
    icons: readIcons(raw['icons']),
    _meta: readObject(raw, '_meta'),
    definition: raw,
    lostNumbers: lostNumbersIn(raw),
  });
  return { kind: 'tool', tool };
}

function readToolAnnotations(raw: JsonObject | undefined): ToolAnnotations | undefined {
  if (raw === undefined) return undefined;
  return present({
    title: readText(raw, 'title'),
    readOnlyHint: readFlag(raw, 'readOnlyHint'),
    destructiveHint: readFlag(raw, 'destructiveHint'),
    idempotentHint: readFlag(raw, 'idempotentHint'),
    openWorldHint: readFlag(raw, 'openWorldHint'),
  });
}
