import { type JsonObject, isJsonObject } from '../../base/json.ts';
import type { ReplayCall } from '../export/replay.ts';
import type { CallDetail } from './readCall.ts';

/**
 * Whether a call of the record can be made again. `exact`: with the very arguments. `inexact`: they are on record,
 * but not whole, so they can be shown and not sent. `none`: there are none.
 */
export type Replay =
  | { readonly kind: 'exact'; readonly call: ReplayCall }
  | { readonly kind: 'inexact'; readonly call: ReplayCall; readonly why: string }
  | { readonly kind: 'none'; readonly why: string };

/** Says what can be done with a call's stored arguments. */
export function replayOf(detail: CallDetail): Replay {
  const { arguments: args, argumentsExact, entry } = detail;
  if (detail.records.some(({ kind, fields }) => kind === 'intent' && fields['method'] !== undefined)) {
    return { kind: 'none', why: 'It was no tool call: you opened a resource.' };
  }
  if (args === undefined) return { kind: 'none', why: 'The arguments of this call are not on record.' };
  if (!isJsonObject(args)) {
    return {
      kind: 'none',
      why: 'Only a digest of the arguments is on record, because of the setting "countersign.audit.storage".',
    };
  }
  const call = { tool: entry.tool, arguments: args, ...protocolOf(detail) };
  return argumentsExact ? { kind: 'exact', call } : { kind: 'inexact', call, why: whyInexact(args) };
}

function protocolOf({ records }: CallDetail): Pick<ReplayCall, 'era' | 'protocolVersion'> {
  const intent = records.findLast((record) => record.kind === 'intent')?.fields;
  const era = intent?.['era'];
  const version = intent?.['protocolVersion'];
  return {
    ...(era === 'modern' || era === 'legacy' ? { era } : {}),
    ...(typeof version === 'string' ? { protocolVersion: version } : {}),
  };
}

/** A server may send text that looks like a placeholder; then the reason is wrong, and the answer is still right. */
function whyInexact(args: JsonObject): string {
  const text = JSON.stringify(args);
  const hidden = /\[secret:[^\]"]{1,60} #[0-9a-f]{16}\]/.test(text);
  const cut = /\[cut:[^\]"]{1,60}\]/.test(text);
  if (hidden && cut) return 'Secrets in the arguments are not on record, and long texts in them are cut.';
  if (hidden) return 'Secrets in the arguments are not on record.';
  if (cut) return 'Long texts in the arguments are cut in the record.';
  return 'The arguments on record are not, or not provably, the ones that were sent.';
}
