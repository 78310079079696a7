import type { JsonObject } from '../base/json.ts';
import { callerKinds, type Caller } from './caller.ts';
import { type CardBase, cardBase, identifier, prose } from './cardBase.ts';
import { type Decoder, boolean, list, literal, object, oneOf, optional } from './decode.ts';
import type { ChangeNotice } from './definitionDiff.ts';
import { changeNotice } from './definitionDiffDecoder.ts';
import { type FormModel, formModel } from './formModel.ts';
import { jsonObject, shownJsonLimits } from './jsonDecoder.ts';
import type { RiskNote } from './riskNote.ts';
import { riskNote } from './riskNoteDecoder.ts';

/** A tool as its server describes it. Everything but the name is a claim. */
export interface ToolView {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly annotations?: {
    readonly readOnlyHint?: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint?: boolean;
  };
}

/** How far a remembered "allow" reaches. */
export const grantScopes = ['session', 'workspace', 'everywhere'] as const;
export type GrantScope = (typeof grantScopes)[number];

/** Conditions that a remembered "allow" may carry, proposed from the arguments of the call. */
export interface GrantProposalView {
  readonly id: string;
  /** For a choice: "any arguments", "when `repo` is `acme/site`". */
  readonly label: string;
  /** The whole rule in plain words; foreign parts stand between back-ticks. */
  readonly previews: Readonly<Record<GrantScope, string>>;
}

/** A tool call that waits for a person. */
export interface ApprovalCard extends CardBase {
  readonly kind: 'approval';
  readonly tool: ToolView;
  readonly toolFingerprint: string;
  readonly caller: Caller;
  readonly arguments: JsonObject;
  /** A person runs the tool by hand: the arguments are theirs to fill in. */
  readonly isDraft?: boolean;
  readonly notes: readonly RiskNote[];
  /** What changed since the person last allowed this tool on this server. */
  readonly change?: ChangeNotice;
  /** Why the person is asked: the rule, the limit or the missing grant that decided. */
  readonly reason?: string;
  /** Empty: this answer cannot be remembered. */
  readonly proposals: readonly GrantProposalView[];
  /** Scopes that can be chosen, the narrowest first. */
  readonly scopes: readonly GrantScope[];
  /** How the arguments can be edited; absent: they cannot. */
  readonly form?: FormModel;
}

export const caller: Decoder<Caller> = object({
  kind: oneOf(callerKinds),
  label: prose,
  turn: optional(identifier),
});

const tool: Decoder<ToolView> = object({
  name: prose,
  title: optional(prose),
  description: optional(prose),
  annotations: optional(
    object({
      readOnlyHint: optional(boolean),
      destructiveHint: optional(boolean),
      idempotentHint: optional(boolean),
      openWorldHint: optional(boolean),
    }),
  ),
});

export const approvalCard: Decoder<ApprovalCard> = object({
  ...cardBase,
  kind: literal('approval'),
  tool,
  toolFingerprint: identifier,
  caller,
  arguments: jsonObject(shownJsonLimits),
  isDraft: optional(boolean),
  notes: list(riskNote, 10_000),
  change: optional(changeNotice),
  reason: optional(prose),
  proposals: list(
    object({
      id: identifier,
      label: prose,
      previews: object({ session: prose, workspace: prose, everywhere: prose }),
    }),
    100,
  ),
  scopes: list(oneOf(grantScopes), grantScopes.length),
  form: optional(formModel),
});
