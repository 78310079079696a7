import type { JsonObject } from '../base/json.ts';
import { callerKinds, type Caller } from './caller.ts';
import {
  type Decoder,
  boolean,
  list,
  literal,
  number,
  object,
  oneOf,
  optional,
  text,
  union,
} from './decode.ts';
import type { ChangeNotice } from './definitionDiff.ts';
import { changeNotice } from './definitionDiffDecoder.ts';
import { jsonObject, shownJsonLimits } from './jsonDecoder.ts';
import type { RiskNote, RiskSeverity } from './riskNote.ts';
import { riskNote, riskSeverities } from './riskNoteDecoder.ts';

/** How long a card must have been in view before it can allow anything, in milliseconds. */
export const armingMs = 500;

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
  /** The whole rule in plain words. */
  readonly preview: string;
}

/** What every prompt shows, whatever it asks for. */
interface CardBase {
  readonly id: string;
  /** Of everything else on the card; an answer must name it. */
  readonly digest: string;
  readonly serverId: string;
  /** Wall clock, milliseconds since 1970. */
  readonly askedAt: number;
  readonly expiresAt?: number;
}

/** A tool call that waits for a person. */
export interface ApprovalCard extends CardBase {
  readonly kind: 'approval';
  readonly tool: ToolView;
  readonly toolFingerprint: string;
  readonly caller: Caller;
  readonly arguments: JsonObject;
  readonly notes: readonly RiskNote[];
  /** What changed since the person last allowed this tool on this server. */
  readonly change?: ChangeNotice;
  /** Why the person is asked: the rule, the limit or the missing grant that decided. */
  readonly reason?: string;
  readonly proposals: readonly GrantProposalView[];
  readonly inputSchema?: JsonObject;
}

export type PromptCard = ApprovalCard;
export type PromptKind = PromptCard['kind'];
export const promptKinds = ['approval'] as const satisfies readonly PromptKind[];

/** One line of the list of what waits. */
export interface PromptSummary {
  readonly id: string;
  readonly digest: string;
  readonly kind: PromptKind;
  readonly serverId: string;
  readonly title: string;
  readonly caller: string;
  /** The arguments in one short line. Cut; never what an answer is based on. */
  readonly preview: string;
  readonly askedAt: number;
  /** The gravest of its notes. */
  readonly severity?: RiskSeverity;
}

const identifier = text(1_000);
/** Server text is bounded where it comes in; this only keeps the page from being flooded. */
const prose = text(4_000_000);

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

const approvalCard: Decoder<ApprovalCard> = object({
  kind: literal('approval'),
  id: identifier,
  digest: identifier,
  serverId: prose,
  askedAt: number(),
  expiresAt: optional(number()),
  tool,
  toolFingerprint: identifier,
  caller,
  arguments: jsonObject(shownJsonLimits),
  notes: list(riskNote, 10_000),
  change: optional(changeNotice),
  reason: optional(prose),
  proposals: list(object({ id: identifier, label: prose, preview: prose }), 100),
  inputSchema: optional(jsonObject(shownJsonLimits)),
});

export const promptCard: Decoder<PromptCard> = union<PromptCard>({ approval: approvalCard });

export const promptSummary: Decoder<PromptSummary> = object({
  id: identifier,
  digest: identifier,
  kind: oneOf(promptKinds),
  serverId: prose,
  title: prose,
  caller: prose,
  preview: text(1_000),
  askedAt: number(),
  severity: optional(oneOf(riskSeverities)),
});
