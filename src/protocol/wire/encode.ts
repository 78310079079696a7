import type { JsonObject } from '../../base/json.ts';
import type { ClientCapabilities, Era, Implementation } from '../model.ts';
import { present } from './present.ts';

/** Our own name and version as they go over the wire. */
export function encodeImplementation(info: Implementation): JsonObject {
  const { name, version, title, description, websiteUrl } = info;
  return present({ name, version, title, description, websiteUrl });
}

/** What we can do, in an era's own form: `roots.listChanged` and `extensions` differ. */
export function encodeClientCapabilities(era: Era, capabilities: ClientCapabilities): JsonObject {
  const { elicitation, sampling, roots, extensions } = capabilities;
  const modern = era === 'modern';
  return present({
    elicitation: elicitation === undefined ? undefined : { ...elicitation },
    sampling: sampling === undefined ? undefined : { ...sampling },
    // Modern servers ask for roots when they need them; there is no notice of changes any more.
    roots: roots === undefined ? undefined : modern ? {} : { ...roots },
    extensions: modern ? extensions : undefined,
  });
}
