import type { JsonObject } from '../../base/json.ts';
import { metaKey, readMeta } from '../meta.ts';
import { readImplementation, readServerCapabilities } from './identity.ts';
import type { ServerIdentity } from './legacy.ts';
import { readText, readTexts } from './read.ts';

/** Revisions that a server says it speaks, in an answer of ours to choose from. */
export interface DiscoverResult extends ServerIdentity {
  readonly supportedVersions: readonly string[];
}

/** Reads the result of `server/discover`; `undefined` for a result that is none, as old servers send. */
export function readDiscoverResult(result: JsonObject): DiscoverResult | undefined {
  const supportedVersions = readTexts(result, 'supportedVersions');
  if (supportedVersions === undefined) return undefined;
  return {
    supportedVersions,
    serverInfo: readImplementation(readMeta(result)?.[metaKey.serverInfo]),
    capabilities: readServerCapabilities(result['capabilities']),
    instructions: readText(result, 'instructions'),
  };
}
