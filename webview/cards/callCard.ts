import type { CallOutcome, CallView } from '../../src/shared/callView.ts';
import { button } from '../common/controls.ts';
import { fill, foreign, make } from '../common/dom.ts';
import { count, duration, elapsed } from '../common/format.ts';
import { post } from '../common/host.ts';
import { type IconName, icon } from '../common/icons.ts';
import { callTitle, callerLine } from './cardHead.ts';
import { ResultPanel } from '../results/resultPanel.ts';
import type { CardView, ResultMessage } from './cardView.ts';

export const outcomeText: Readonly<Record<CallOutcome, string>> = {
  ok: 'Done',
  doubtful: 'Done, with a caution',
  toolError: 'The tool reports an error',
  failed: 'Failed',
  denied: 'Denied',
  cancelled: 'Cancelled',
  withdrawn: 'Withdrawn before an answer',
};

export const outcomeIcons: Readonly<Record<CallOutcome, IconName>> = {
  ok: 'check',
  doubtful: 'warning',
  toolError: 'warning',
  failed: 'warning',
  denied: 'close',
  cancelled: 'stop',
  withdrawn: 'withdrawn',
};

/** What the text under an ended call is, for screen readers. */
const summaryLabels: Readonly<Record<CallOutcome, string>> = {
  ok: 'Result',
  doubtful: 'Result',
  toolError: 'Result',
  failed: 'Error',
  denied: 'Reason that you gave',
  cancelled: 'Reason',
  withdrawn: 'Reason',
};

/** A call that runs or has ended, in the place of the prompt that it came from. */
export class CallCardView implements CardView {
  readonly element: HTMLElement;
  readonly heading: HTMLElement;
  readonly #state = make('div', { class: 'call-state' });
  readonly #result = make('div', { class: 'call-result' });
  #ticker = 0;
  #panel: ResultPanel | undefined;
  #isFinished = false;
  #call: CallView;

  constructor(call: CallView) {
    this.#call = call;
    this.heading = callTitle(call.serverId, call.toolName);
    const preview =
      call.preview === ''
        ? undefined
        : make('p', { class: 'preview muted', children: [foreign(call.preview)] });
    this.element = make('article', {
      class: 'card call',
      children: [
        make('div', {
          class: 'card-body',
          children: [
            this.heading,
            call.caller && callerLine(call.caller),
            preview,
            call.edited === true &&
              make('p', { class: 'muted', text: 'You changed the arguments before you allowed it.' }),
            this.#state,
            this.#result,
          ],
        }),
      ],
    });
    this.update(call);
  }

  update(call: CallView): void {
    // What has ended does not change: its sound plays on, and what was unfolded stays so.
    if (this.#isFinished) return;
    this.#call = call;
    window.clearInterval(this.#ticker);
    if (call.state.kind === 'running') this.#drawRunning(call, call.state);
    else this.#drawFinished(call, call.state);
  }

  receive(): void {
    // Nothing that the extension says of prompts concerns a call.
  }

  receiveResult(message: ResultMessage): void {
    if (message.id !== this.#call.id || !this.#isFinished) return;
    if (message.kind === 'link') return this.#panel?.setLink(message.part, message.state);
    this.#panel?.dispose();
    this.#panel = message.result === undefined ? undefined : new ResultPanel(message.id, message.result);
    fill(this.#result, this.#panel?.element ?? this.#summary());
  }

  dispose(): void {
    window.clearInterval(this.#ticker);
    this.#panel?.dispose();
  }

  #drawRunning(call: CallView, state: Extract<CallView['state'], { kind: 'running' }>): void {
    const { progress } = state;
    const time = make('span', { class: 'muted' });
    const tick = (): void => {
      time.textContent = elapsed(Date.now() - state.startedAt);
    };
    tick();
    this.#ticker = window.setInterval(tick, 1000);
    const label = make('span', { class: 'state-text', text: 'Running' });
    const cancel = button({ label: 'Cancel', onClick: () => post({ kind: 'cancelCall', callId: call.id }) });
    fill(
      this.#state,
      progressBar(progress),
      make('div', {
        class: 'state-line',
        children: [label, time, make('span', { class: 'spring' }), cancel],
      }),
      progress?.message !== undefined &&
        make('p', { class: 'progress-message', children: [foreign(progress.message)] }),
    );
  }

  #drawFinished(call: CallView, state: Extract<CallView['state'], { kind: 'finished' }>): void {
    const time =
      state.durationMs === undefined
        ? undefined
        : make('span', { class: 'muted', text: duration(state.durationMs) });
    this.#isFinished = true;
    fill(
      this.#state,
      make('div', {
        class: `state-line outcome outcome-${state.outcome}`,
        children: [
          icon(outcomeIcons[state.outcome]),
          make('span', { class: 'state-text', text: outcomeText[state.outcome] }),
          time,
        ],
      }),
      call.hasResult && this.#resultButtons(),
    );
    if (call.hasResult) post({ kind: 'needResult', id: call.id });
    else fill(this.#result, this.#summary());
  }

  #resultButtons(): HTMLElement {
    const use = (action: 'open' | 'openText') => (): void =>
      post({ kind: 'useResult', id: this.#call.id, action });
    return make('div', {
      class: 'result-buttons',
      children: [
        button({
          label: 'Open Result',
          title: 'In a tab of its own',
          className: 'small',
          onClick: use('open'),
        }),
        button({ label: 'Open All as Text', className: 'small', onClick: use('openText') }),
      ],
    });
  }

  /** For what has no result, or one that is no longer kept. */
  #summary(): HTMLElement | undefined {
    const { state } = this.#call;
    if (state.kind === 'running' || state.summary === '') return undefined;
    const reason = state.outcome === 'denied' && make('p', { class: 'muted', text: 'Your reason:' });
    const text = make('div', {
      class: 'result-text',
      attributes: { tabindex: '0', role: 'group', 'aria-label': summaryLabels[state.outcome] },
      children: [foreign(state.summary, 'text')],
    });
    return make('div', { children: [reason, text] });
  }
}

function progressBar(
  progress: { readonly progress: number; readonly total?: number } | undefined,
): HTMLElement {
  const bar = make('div', {
    class: 'progress',
    attributes: { role: 'progressbar', 'aria-label': 'Progress' },
  });
  const total = progress?.total;
  if (progress === undefined || total === undefined || total <= 0) {
    bar.classList.add('indefinite');
    if (progress !== undefined) bar.setAttribute('aria-valuetext', count(progress.progress));
  } else {
    const part = Math.min(100, Math.max(0, (100 * progress.progress) / total));
    bar.setAttribute('aria-valuenow', String(Math.round(part)));
    const fillBar = make('div', { class: 'progress-fill' });
    fillBar.style.inlineSize = `${part}%`;
    bar.append(fillBar);
    return bar;
  }
  bar.append(make('div', { class: 'progress-fill' }));
  return bar;
}
