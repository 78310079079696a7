import { number, optional, text } from './decode.ts';

/** What every prompt shows, whatever it asks for. */
export interface CardBase {
  readonly id: string;
  /** Of everything else on the card; an answer must name it. */
  readonly digest: string;
  readonly serverId: string;
  /** Wall clock, milliseconds since 1970. */
  readonly askedAt: number;
  /** Wall clock, milliseconds since 1970. */
  readonly expiresAt?: number;
}

export const identifier = text(1_000);
/** Text of a server is bounded where it comes in; this only keeps the page from being flooded. */
export const prose = text(4_000_000);

/** Members of a decoder for a card. */
export const cardBase = {
  id: identifier,
  digest: identifier,
  serverId: prose,
  askedAt: number(),
  expiresAt: optional(number()),
};
