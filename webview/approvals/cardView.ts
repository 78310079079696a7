import type { HostMessage } from '../../src/shared/hostMessage.ts';

/** What stands at the top of the page: a prompt, or the call that it has become. */
export interface CardView {
  readonly element: HTMLElement;
  /** Takes the keyboard when a person moves on to this card; never a button that allows. */
  readonly heading: HTMLElement;
  /** Messages that name this card, or all of the page. */
  receive(message: HostMessage): void;
  dispose(): void;
}
