import { visibleLine } from '../../src/shared/visibleText.ts';
import type { PromptSummary } from '../../src/shared/promptCard.ts';
import { make } from '../common/dom.ts';
import { counted } from '../common/format.ts';

/** Tells screen readers what arrives, politely and in one sentence however much it is. */
export class Announcer {
  readonly element = make('div', {
    class: 'visually-hidden',
    attributes: { 'aria-live': 'polite', role: 'status' },
  });

  prompts(before: readonly PromptSummary[], after: readonly PromptSummary[]): void {
    const known = new Set(before.map(({ id }) => id));
    const arrived = after.filter(({ id }) => !known.has(id));
    const first = arrived[0];
    if (first === undefined) return;
    const what =
      arrived.length === 1
        ? `${visibleLine(first.title)} on ${visibleLine(first.serverId)} waits for your answer.`
        : `${counted(arrived.length, 'call')} arrived.`;
    this.element.textContent = after.length > 1 ? `${what} ${after.length} waiting in all.` : what;
  }
}
