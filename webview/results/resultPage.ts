import type { HostMessage } from '../../src/shared/hostMessage.ts';
import type { ResultView } from '../../src/shared/resultView.ts';
import { visibleLine } from '../../src/shared/visibleText.ts';
import { button } from '../common/controls.ts';
import { fill, make } from '../common/dom.ts';
import { post } from '../common/host.ts';
import { callTitle } from '../cards/cardHead.ts';
import { ResultPanel } from './resultPanel.ts';

/** A tab with one result, or the contents of one resource. */
export class ResultPage {
  readonly #main = make('main', { class: 'result-page' });
  #panel: ResultPanel | undefined;

  constructor(root: HTMLElement) {
    root.append(this.#main);
  }

  receive(message: HostMessage): void {
    if (message.kind === 'link') this.#panel?.setLink(message.part, message.state);
    if (message.kind !== 'result') return;
    this.#panel?.dispose();
    const { id, result } = message;
    if (result === undefined) return fill(this.#main, this.#gone());
    this.#panel = new ResultPanel(id, result);
    const name = result.subject === 'result' ? 'Result' : 'Resource';
    const heading = make('h1', { class: 'visually-hidden', text: name });
    fill(this.#main, heading, this.#head(id, result), this.#panel.element);
    document.title = `${name}: ${visibleLine(result.title)}`;
  }

  #head(id: string, { serverId, title }: ResultView): HTMLElement {
    const all = button({
      label: 'Open All as Text',
      onClick: () => post({ kind: 'useResult', id, action: 'openText' }),
    });
    return make('header', {
      class: 'result-head',
      children: [callTitle(serverId, title), make('span', { class: 'spring' }), all],
    });
  }

  #gone(): HTMLElement {
    return make('p', { class: 'muted', text: 'This result is no longer kept.' });
  }
}
