import type { JsonObject } from '../../base/json.ts';
import { method } from '../methods.ts';
import type { ClientCapabilities, InputRequest, InputResponse } from '../model.ts';
import { present } from './present.ts';
import { readObject, readText } from './read.ts';
import { repairTexts } from './wellFormed.ts';

/** What came of reading a request of the server for input. */
export type InputRequestReading =
  | { readonly kind: 'request'; readonly request: InputRequest }
  /** A method that does not exist or that we did not declare. */
  | { readonly kind: 'unsupported'; readonly reason: string }
  /** A known method in a shape that we cannot read, or in a mode that we did not declare. */
  | { readonly kind: 'invalid'; readonly reason: string };

/** Reads one request for input and holds it against what we declared. */
export function readInputRequest(
  name: string,
  params: JsonObject | undefined,
  declared: ClientCapabilities,
): InputRequestReading {
  switch (name) {
    case method.elicit:
      if (declared.elicitation === undefined) return undeclared(name);
      return readElicitation(repairTexts(params ?? {}), declared);
    case method.sample:
      if (declared.sampling === undefined) return undeclared(name);
      return readSampling(repairTexts(params ?? {}), declared);
    case method.listRoots:
      return declared.roots === undefined
        ? undeclared(name)
        : { kind: 'request', request: { kind: 'roots' } };
    default:
      return { kind: 'unsupported', reason: `The server asked for "${name}", which we do not know.` };
  }
}

function readElicitation(params: JsonObject, declared: ClientCapabilities): InputRequestReading {
  const mode = params['mode'] ?? 'form';
  const message = readText(params, 'message') ?? '';
  const _meta = readObject(params, '_meta');
  const { form, url } = declared.elicitation ?? {};
  // An empty declaration means "form" (specification: elicitation, "Capabilities").
  const supported = { form: form !== undefined || url === undefined, url: url !== undefined };
  if (mode === 'form' && supported.form) {
    const requestedSchema = readObject(params, 'requestedSchema');
    if (requestedSchema === undefined) return malformed('a form without a schema');
    return {
      kind: 'request',
      request: present({ kind: 'elicitationForm' as const, message, requestedSchema, _meta }),
    };
  }
  if (mode === 'url' && supported.url) {
    const target = readText(params, 'url');
    if (target === undefined || !URL.canParse(target)) return malformed('a URL that is none');
    const elicitationId = readText(params, 'elicitationId');
    return {
      kind: 'request',
      request: present({ kind: 'elicitationUrl' as const, message, url: target, elicitationId, _meta }),
    };
  }
  return malformed('an elicitation mode that we did not declare');
}

function readSampling(params: JsonObject, declared: ClientCapabilities): InputRequestReading {
  if (!Array.isArray(params['messages'])) return malformed('sampling without messages');
  const usesTools = params['tools'] !== undefined || params['toolChoice'] !== undefined;
  if (usesTools && declared.sampling?.tools === undefined)
    return malformed('sampling with tools, which we did not declare');
  return { kind: 'request', request: { kind: 'sampling', params } };
}

/** An answer as it goes over the wire. A refusal has no such form: it is an error in either era. */
export function encodeInputResponse(
  response: Exclude<InputResponse, { readonly kind: 'refused' }>,
): JsonObject {
  switch (response.kind) {
    case 'elicitation':
      return response.action === 'accept'
        ? present({ action: response.action, content: response.content })
        : { action: response.action };
    case 'sampling':
      return response.result;
    case 'roots':
      return { roots: response.roots.map((root) => ({ ...root })) };
  }
}

function undeclared(name: string): InputRequestReading {
  return { kind: 'unsupported', reason: `The server asked for "${name}", which we did not declare.` };
}

function malformed(what: string): InputRequestReading {
  return { kind: 'invalid', reason: `The server asked for ${what}.` };
}
