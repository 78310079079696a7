import type { LinkState, ResultAction, ResultPart, ResultView } from '../../src/shared/resultView.ts';
import { make } from '../common/dom.ts';
import { post } from '../common/host.ts';
import { drawInBatches } from '../cards/valueTree.ts';
import { leadsView } from './leads.ts';
import { LinkView } from './linkView.ts';
import { partView } from './partView.ts';

/** What a part may ask for, and what it must be told of. */
export interface PartContext {
  /** Does something with this part. */
  readonly use: (action: ResultAction) => void;
  /** Runs when the part is taken off the page. */
  readonly onDispose: (run: () => void) => void;
  /** "2" of several parts of its kind, empty for the only one; to tell them apart by ear. */
  readonly number: string;
}

/** A checked result, part by part. Everything in it is a server's data: it becomes text, never markup. */
export class ResultPanel {
  readonly element: HTMLElement;
  readonly #links = new Map<number, LinkView>();
  readonly #states = new Map<number, LinkState>();
  readonly #id: string;
  readonly #disposals: (() => void)[] = [];

  constructor(id: string, view: ResultView) {
    this.#id = id;
    const list = make('div', { class: 'result-parts' });
    const totals = new Map<string, number>();
    for (const part of view.parts) totals.set(sortOf(part), (totals.get(sortOf(part)) ?? 0) + 1);
    const seen = new Map<string, number>();
    const numbered = view.parts.map((part, index) => {
      const sort = sortOf(part);
      const count = (seen.get(sort) ?? 0) + 1;
      seen.set(sort, count);
      return { part, index, number: totals.get(sort) === 1 ? '' : ` ${count}` };
    });
    drawInBatches(list, numbered, ({ part, index, number }) => this.#part(part, index, number));
    const nothing =
      view.parts.length === 0 &&
      make('p', {
        class: 'muted',
        text: view.subject === 'result' ? 'The tool returned nothing.' : 'There are no contents.',
      });
    this.element = make('div', { class: 'result', children: [leadsView(view.leads), nothing, list] });
  }

  /** How far the reading of a link has come. */
  setLink(part: number, state: LinkState): void {
    this.#states.set(part, state);
    this.#links.get(part)?.setState(state);
  }

  dispose(): void {
    for (const run of this.#disposals.splice(0)) run();
  }

  #part(part: ResultPart, index: number, number: string): HTMLElement {
    const context: PartContext = {
      use: (action) =>
        // The structured content is no part of the server's list.
        post({
          kind: 'useResult',
          id: this.#id,
          action,
          ...(part.kind === 'structured' ? {} : { part: index }),
        }),
      onDispose: (run) => this.#disposals.push(run),
      number,
    };
    if (part.kind !== 'link') return partView(part, context);
    const link = new LinkView(part, context);
    this.#links.set(index, link);
    const state = this.#states.get(index);
    if (state !== undefined) link.setState(state);
    return link.element;
  }
}

/** Parts of one sort share a title. */
function sortOf(part: ResultPart): string {
  if (part.kind === 'media') return part.media;
  return part.kind === 'resourceBlob' ? 'resourceText' : part.kind;
}
