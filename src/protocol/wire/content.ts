import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { ContentAnnotations, ContentBlock, ResourceContents } from '../model.ts';
import { readIcons } from './identity.ts';
import { present } from './present.ts';
import { readNumber, readObject, readText, readTexts } from './read.ts';

/** Reads one content block. What cannot be read becomes `unknown` and keeps its raw form. */
export function readContentBlock(raw: JsonValue): ContentBlock {
  const block = isJsonObject(raw) ? readKnownBlock(raw) : undefined;
  if (block !== undefined) return block;
  const claimedType = isJsonObject(raw) ? (readText(raw, 'type') ?? '') : '';
  return { type: 'unknown', claimedType, raw };
}

function readKnownBlock(raw: JsonObject): ContentBlock | undefined {
  const base = readBase(raw);
  const type = readText(raw, 'type') ?? '';
  switch (type) {
    case 'text': {
      const text = readText(raw, 'text');
      return text === undefined ? undefined : { type, text: text, ...base };
    }
    case 'image':
    case 'audio': {
      const data = readText(raw, 'data');
      const mimeType = readText(raw, 'mimeType');
      return data === undefined || mimeType === undefined ? undefined : { type, data, mimeType, ...base };
    }
    case 'resource_link':
      return readLink(raw, base);
    case 'resource': {
      const resource = readResourceContents(raw['resource']);
      return resource === undefined ? undefined : { type, resource, ...base };
    }
    default:
      return undefined;
  }
}

const noBase: Pick<ContentBlock, 'annotations' | '_meta'> = {};

function readBase(raw: JsonObject): Pick<ContentBlock, 'annotations' | '_meta'> {
  const { annotations, _meta } = raw;
  if (annotations === undefined && _meta === undefined) return noBase;
  return present({
    annotations: readAnnotations(readObject(raw, 'annotations')),
    _meta: readObject(raw, '_meta'),
  });
}

function readLink(raw: JsonObject, base: object): ContentBlock | undefined {
  const uri = readText(raw, 'uri');
  if (uri === undefined) return undefined;
  return present({
    type: 'resource_link' as const,
    uri,
    name: readText(raw, 'name') ?? uri,
    title: readText(raw, 'title'),
    description: readText(raw, 'description'),
    mimeType: readText(raw, 'mimeType'),
    size: readNumber(raw, 'size'),
    icons: readIcons(raw['icons']),
    ...base,
  });
}

/** Reads the contents of a resource; `undefined` unless it has a URI and exactly one of text and blob. */
export function readResourceContents(raw: JsonValue | undefined): ResourceContents | undefined {
  if (!isJsonObject(raw)) return undefined;
  const uri = readText(raw, 'uri');
  const text = readText(raw, 'text');
  const blob = readText(raw, 'blob');
  if (uri === undefined || (text === undefined) === (blob === undefined)) return undefined;
  return present({ uri, mimeType: readText(raw, 'mimeType'), text, blob, _meta: readObject(raw, '_meta') });
}

function readAnnotations(raw: JsonObject | undefined): ContentAnnotations | undefined {
  if (raw === undefined) return undefined;
  const audience = readTexts(raw, 'audience')?.filter((item) => item === 'user' || item === 'assistant');
  return present({
    audience,
    priority: readNumber(raw, 'priority'),
    lastModified: readText(raw, 'lastModified'),
  });
}
