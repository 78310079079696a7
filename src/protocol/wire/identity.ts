import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { Icon, Implementation, ServerCapabilities } from '../model.ts';
import { present } from './present.ts';
import { readFlag, readObject, readText, readTexts } from './read.ts';

const maxIcons = 32;

/** Reads an `icons` member; entries without a `src` are left out. */
export function readIcons(value: JsonValue | undefined): readonly Icon[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.slice(0, maxIcons).flatMap((icon: JsonValue) => {
    if (!isJsonObject(icon)) return [];
    const src = readText(icon, 'src');
    if (src === undefined) return [];
    const theme = readTheme(icon['theme']);
    return [present({ src, mimeType: readText(icon, 'mimeType'), sizes: readTexts(icon, 'sizes'), theme })];
  });
}

function readTheme(value: JsonValue | undefined): Icon['theme'] {
  return value === 'light' || value === 'dark' ? value : undefined;
}

/** Reads a self-reported name and version; `undefined` without a name. */
export function readImplementation(value: JsonValue | undefined): Implementation | undefined {
  if (!isJsonObject(value)) return undefined;
  const name = readText(value, 'name');
  if (name === undefined) return undefined;
  return present({
    name,
    version: readText(value, 'version') ?? '',
    title: readText(value, 'title'),
    description: readText(value, 'description'),
    websiteUrl: readText(value, 'websiteUrl'),
    icons: readIcons(value['icons']),
  });
}

/** Reads what a server says it can do; unknown members are dropped. */
export function readServerCapabilities(value: JsonValue | undefined): ServerCapabilities {
  if (!isJsonObject(value)) return {};
  const resources = readFeature(value, 'resources');
  return present({
    tools: readListChanged(readFeature(value, 'tools')),
    resources:
      resources === undefined
        ? undefined
        : present({ ...readListChanged(resources), subscribe: readFlag(resources, 'subscribe') }),
    prompts: readListChanged(readFeature(value, 'prompts')),
    logging: readFeature(value, 'logging'),
    completions: readObject(value, 'completions'),
    extensions: readObject(value, 'extensions'),
    toolTasks: readsToolTasks(value),
  });
}

/** `tasks.requests.tools.call` in the announcement. */
function readsToolTasks(capabilities: JsonObject): true | undefined {
  const requests = readObject(readFeature(capabilities, 'tasks') ?? {}, 'requests');
  return requests !== undefined && readFeature(readObject(requests, 'tools') ?? {}, 'call') !== undefined
    ? true
    : undefined;
}

/** A feature is announced by an object; some servers write `true`, which can mean nothing else. */
function readFeature(capabilities: JsonObject, name: string): JsonObject | undefined {
  return capabilities[name] === true ? {} : readObject(capabilities, name);
}

function readListChanged(feature: JsonObject | undefined): { readonly listChanged?: boolean } | undefined {
  return feature === undefined ? undefined : present({ listChanged: readFlag(feature, 'listChanged') });
}
