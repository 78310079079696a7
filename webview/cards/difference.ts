import type {
  ChangeNotice,
  DefinitionChange,
  DefinitionDiff,
  DiffArea,
} from '../../src/shared/definitionDiff.ts';
import { foreign, make } from '../common/dom.ts';
import { count } from '../common/format.ts';
import { icon } from '../common/icons.ts';

const areas: Readonly<Record<DiffArea, string>> = {
  name: 'Name',
  title: 'Title',
  description: 'Description',
  inputSchema: 'Arguments',
  outputSchema: 'Results',
  annotations: 'Claims',
  command: 'Command',
  args: 'Command arguments',
  env: 'Environment',
  cwd: 'Working folder',
  url: 'Address',
  headers: 'Headers',
  other: 'Other parts',
};

/** What changed since a person last allowed the call: stands before everything else, and open. */
export function changeView(notice: ChangeNotice): HTMLElement {
  const parts = [notice.tool, notice.launch].filter((diff) => diff !== undefined);
  const subjects = new Set([...parts.map(({ subject }) => subject), ...(notice.unknownBefore ?? [])]);
  const what =
    subjects.size === 2 ? 'The tool and its server' : subjects.has('launch') ? 'The server' : 'The tool';
  const when = new Date(notice.allowedAt);
  const date = Number.isNaN(when.getTime())
    ? ''
    : ` on ${when.toLocaleDateString(undefined, { dateStyle: 'medium' })}`;
  const head = make('p', {
    class: 'change-title',
    children: [icon('warning'), make('span', { text: `${what} changed after you allowed it${date}.` })],
  });
  const section = make('section', {
    class: 'change',
    attributes: { 'aria-label': 'What changed' },
    children: [head],
  });
  for (const subject of notice.unknownBefore ?? []) {
    const text =
      subject === 'tool'
        ? 'How the tool was before is not known any more.'
        : 'How the server started before is not known any more.';
    section.append(make('p', { class: 'muted', text }));
  }
  if (parts.length === 0) return section;
  const details = make('details', { class: 'difference', attributes: { open: '' } });
  details.append(make('summary', { text: 'Difference' }), ...parts.map((diff) => diffView(diff)));
  section.append(details);
  return section;
}

function diffView(diff: DefinitionDiff): HTMLElement {
  const rows = diff.changes.map((change) => {
    const place = placeText(change);
    return make('div', {
      class: 'diff-row',
      children: [
        make('dt', {
          children: [
            areas[change.area],
            place !== '' && make('span', { class: 'muted', children: [' ', foreign(place)] }),
          ],
        }),
        make('dd', {
          children: [
            changeText(change),
            change.cut === true && make('p', { class: 'muted', text: 'Cut; the whole is longer.' }),
          ],
        }),
      ],
    });
  });
  const list = make('dl', { class: 'diff', children: rows });
  if (diff.omitted > 0)
    list.append(make('p', { class: 'muted', text: `And ${count(diff.omitted)} more differences.` }));
  return list;
}

/** Where in its area something changed: the area stands before it in words, and `properties` says nothing. */
function placeText({ area, path }: DefinitionChange): string {
  const inside = path.replace(/^\/[^/]*/, '');
  const isSchema = area === 'inputSchema' || area === 'outputSchema';
  const short = isSchema ? inside.replaceAll(/\/properties\/(?=[^/])/g, '/') : inside;
  return short.slice(1).replaceAll('/', ' › ').replaceAll('~1', '/').replaceAll('~0', '~');
}

function changeText(change: DefinitionChange): HTMLElement {
  switch (change.kind) {
    case 'text':
      return make('p', {
        class: 'diff-text',
        children: change.parts.map((part) =>
          part.kind === 'same' ? foreign(part.text) : marked(part.kind, part.text),
        ),
      });
    case 'added':
      return make('p', { class: 'diff-text', children: [marked('added', change.after)] });
    case 'removed':
      return make('p', { class: 'diff-text', children: [marked('removed', change.before)] });
    case 'changed':
      return make('p', {
        class: 'diff-text',
        children: [marked('removed', change.before), ' → ', marked('added', change.after)],
      });
  }
}

function marked(kind: 'added' | 'removed', text: string): HTMLElement {
  return make(kind === 'added' ? 'ins' : 'del', { children: [foreign(text)] });
}
