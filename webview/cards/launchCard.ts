import type { LaunchCard, NamedText } from '../../src/shared/inputCards.ts';
import { foreign, make } from '../common/dom.ts';
import { requestTitle } from './cardHead.ts';
import type { CardContext, CardMessage, CardView } from './cardView.ts';
import { changeView } from './difference.ts';
import { noteLine } from './notes.ts';
import { PromptFrame } from './promptFrame.ts';

/** A server of a workspace that wants to start: exactly what would run, or where it would connect to. */
export class LaunchCardView implements CardView {
  readonly element: HTMLElement;
  readonly heading: HTMLElement;
  readonly #frame: PromptFrame;

  constructor(card: LaunchCard, context: CardContext) {
    this.#frame = new PromptFrame(card, context, { className: 'launch', label: 'A server wants to start' });
    this.element = this.#frame.element;
    this.heading = requestTitle(card.serverId, 'wants to start', 'server');
    this.#frame.body.append(
      this.heading,
      ...(card.change === undefined ? [] : [changeView(card.change)]),
      make('p', {
        children: [make('span', { class: 'muted', text: 'Configured in ' }), foreign(card.origin)],
      }),
      noteLine({
        severity: 'caution',
        message:
          card.launch.kind === 'stdio'
            ? 'It comes with the workspace, not from you. It would run on this machine with your rights.'
            : 'It comes with the workspace, not from you. What is sent to it leaves this machine.',
      }),
      ...card.warnings.map((message) => noteLine({ severity: 'caution', message })),
      launchTable(card.launch),
    );
    this.#frame.bar.show([
      [
        {
          label: 'Trust and Start',
          appearance: 'primary',
          permits: true,
          run: () => this.#frame.answer({ kind: 'allow' }),
        },
      ],
      [{ label: 'Do Not Start', permits: false, run: () => this.#frame.answer({ kind: 'deny' }) }],
    ]);
  }

  receive(message: CardMessage): void {
    this.#frame.receive(message);
  }

  dispose(): void {
    this.#frame.dispose();
  }
}

function launchTable(launch: LaunchCard['launch']): HTMLElement {
  const rows: (readonly [string, readonly string[]])[] =
    launch.kind === 'stdio'
      ? [
          ['Command', [launch.command]],
          ['Arguments', launch.args],
          ['Folder', launch.cwd === undefined ? [] : [launch.cwd]],
          ['Variables', launch.env.map(assignment)],
        ]
      : [
          ['Address', [launch.url]],
          ['Headers', launch.headers.map(({ name, text }) => `${name}: ${text}`)],
        ];
  const table = make('dl', { class: 'table launch-table' });
  for (const [name, values] of rows) {
    if (values.length === 0) continue;
    const lines = values.map((value) => make('div', { class: 'value', children: [foreign(value, 'text')] }));
    table.append(
      make('div', {
        class: 'row',
        children: [make('dt', { class: 'muted', text: name }), make('dd', { children: lines })],
      }),
    );
  }
  return table;
}

function assignment({ name, text }: NamedText): string {
  return `${name}=${text}`;
}
