import type { ResultLead } from '../../src/shared/resultView.ts';
import { noteLine } from '../cards/notes.ts';
import { foreign, make } from '../common/dom.ts';

/** What there is to know before the parts: an error, a failed check, a cut. */
export function leadsView(leads: readonly ResultLead[]): HTMLElement | undefined {
  if (leads.length === 0) return undefined;
  return make('div', { class: 'notes result-leads', children: leads.map(leadView) });
}

function leadView({ severity, message, details }: ResultLead): HTMLElement {
  const line = noteLine({ severity, message });
  if (details.length === 0) return line;
  const list = make('ul', {
    class: 'lead-details',
    children: details.map((detail) => make('li', { children: [foreign(detail)] })),
  });
  return make('div', { children: [line, list] });
}
