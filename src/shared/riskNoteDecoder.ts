import { type Decoder, list, literal, number, object, oneOf, optional, text, union } from './decode.ts';
import type { RiskNote, RiskNoteKind, RiskSeverity, RiskSubject } from './riskNote.ts';

export const riskSeverities = ['info', 'caution'] as const satisfies readonly RiskSeverity[];

// A record and not a list, so that a kind which is added without being read here does not compile.
const kinds: Readonly<Record<RiskNoteKind, true>> = {
  hiddenCharacters: true,
  lookAlikeName: true,
  mixedScript: true,
  outsideWorkspace: true,
  unresolvedPath: true,
  urlHost: true,
  privateAddress: true,
  urlCredentials: true,
  secret: true,
  longArgument: true,
  deepArgument: true,
  definitionNew: true,
  definitionChanged: true,
  launchChanged: true,
  neverCalled: true,
  workspaceServer: true,
  descriptionBeyondTitle: true,
  notesCut: true,
};

const pointer = text(100_000);

const subject: Decoder<RiskSubject> = union<RiskSubject>({
  server: object({ kind: literal('server') }),
  toolName: object({ kind: literal('toolName') }),
  toolTitle: object({ kind: literal('toolTitle') }),
  toolDescription: object({ kind: literal('toolDescription') }),
  definition: object({ kind: literal('definition'), path: pointer }),
  argument: object({ kind: literal('argument'), path: pointer, part: oneOf(['key', 'value']) }),
});

/** A note beside an approval. */
export const riskNote: Decoder<RiskNote> = object({
  kind: oneOf(Object.keys(kinds) as RiskNoteKind[]),
  severity: oneOf(riskSeverities),
  subject,
  message: text(100_000),
  detail: optional(text(1_000_000)),
  ranges: optional(list(object({ start: number(0), end: number(0) }), 10_000)),
});
