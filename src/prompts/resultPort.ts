import type { Event } from '../base/event.ts';
import type { HostMessage } from '../shared/hostMessage.ts';
import type { LinkState, ResultAction, ResultView } from '../shared/resultView.ts';

/** How far the reading of a link has come; `part` is its place in the result. */
export interface LinkChange {
  readonly id: string;
  readonly part: number;
  readonly state: LinkState;
}

/** What a page needs of the results that are kept. */
export interface ResultPort {
  /** `undefined`: it is no longer kept. */
  view(id: string, place: 'card' | 'tab'): Promise<ResultView> | undefined;
  /** Of the links that have been opened so far. */
  links(id: string): readonly LinkChange[];
  /** Does what a person has asked for. Never throws. */
  use(id: string, action: ResultAction, part: number | undefined): void;
  readonly onLink: Event<LinkChange>;
}

/** Gives a page a result, and what became of its links. */
export async function postResult(
  results: ResultPort,
  id: string,
  place: 'card' | 'tab',
  post: (message: HostMessage) => void,
): Promise<void> {
  const result = await results.view(id, place);
  post({ kind: 'result', id, ...(result === undefined ? {} : { result }) });
  for (const change of results.links(id)) post({ kind: 'link', ...change });
}
