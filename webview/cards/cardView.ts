import type { HostMessage } from '../../src/shared/hostMessage.ts';

/** What the extension says that concerns a card. */
export type CardMessage = Extract<
  HostMessage,
  { readonly kind: 'armed' | 'checked' | 'opened' | 'refused' | 'visibility' }
>;

/** What the extension says of results. */
export type ResultMessage = Extract<HostMessage, { readonly kind: 'result' | 'link' }>;

/** What stands at the top of the page: a prompt, several of them, or the call that one has become. */
export interface CardView {
  readonly element: HTMLElement;
  /** Takes the keyboard when a person moves on to this card; never a button that allows. */
  readonly heading: HTMLElement;
  /** Messages that name this card, or all of the page. */
  receive(message: CardMessage): void;
  /** A result that was asked for, or what becomes of its links. */
  receiveResult?(message: ResultMessage): void;
  /** How many others of the same server wait beside this one. */
  setOthers?(sameServer: number): void;
  /** What has come in the way of what it asks for; undefined: nothing. */
  setObstacle?(text: string | undefined): void;
  /** A person has typed something here that must not get lost while they look at another card. */
  holdsWork?(): boolean;
  dispose(): void;
}

/** What a card may ask of the page around it. */
export interface CardContext {
  /** The person has just answered this card: what follows may take its place. */
  readonly onAnswer: () => void;
}
