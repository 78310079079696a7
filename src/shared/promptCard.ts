import { type ApprovalCard, approvalCard } from './approvalCard.ts';
import { identifier, prose } from './cardBase.ts';
import { type Decoder, number, object, oneOf, optional, text, union } from './decode.ts';
import {
  type FormCard,
  type LaunchCard,
  type ReviewCard,
  type SamplingCard,
  type UrlCard,
  formCard,
  launchCard,
  reviewCard,
  samplingCard,
  urlCard,
} from './inputCards.ts';
import type { RiskSeverity } from './riskNote.ts';
import { riskSeverities } from './riskNoteDecoder.ts';

/** How long a card must have been in view before it can allow anything, in milliseconds. */
export const armingMs = 500;

/** Everything that a person can be asked. */
export type PromptCard = ApprovalCard | FormCard | UrlCard | SamplingCard | ReviewCard | LaunchCard;
export type PromptKind = PromptCard['kind'];

const cards: { readonly [K in PromptKind]: Decoder<Extract<PromptCard, { kind: K }>> } = {
  approval: approvalCard,
  form: formCard,
  url: urlCard,
  sampling: samplingCard,
  review: reviewCard,
  launch: launchCard,
};

export const promptCard: Decoder<PromptCard> = union<PromptCard>(cards);

/** One line of the list of what waits. */
export interface PromptSummary {
  readonly id: string;
  readonly digest: string;
  readonly kind: PromptKind;
  readonly serverId: string;
  /** The tool, or what the server asks for. */
  readonly title: string;
  readonly caller: string;
  /** The arguments in one short line. Cut and masked; never what an answer is based on. */
  readonly preview: string;
  readonly askedAt: number;
  /** Equal for calls of the same tool in the same definition: they can be reviewed together. */
  readonly group?: string;
  /** The running call in whose middle it is asked. */
  readonly callId?: string;
  /** The gravest of its notes. */
  readonly severity?: RiskSeverity;
  /** What has come in its way since it was asked, in our words; as it is now, so not part of the card. */
  readonly obstacle?: string;
}

export const promptSummary: Decoder<PromptSummary> = object({
  id: identifier,
  digest: identifier,
  kind: oneOf(Object.keys(cards) as PromptKind[]),
  serverId: prose,
  title: prose,
  caller: prose,
  preview: text(1_000),
  askedAt: number(),
  group: optional(identifier),
  callId: optional(identifier),
  severity: optional(oneOf(riskSeverities)),
  obstacle: optional(prose),
});
