import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { RateWindow } from '../base/rateWindow.ts';
import { visibleText } from '../shared/visibleText.ts';
import type { ServerLogLine } from './connector.ts';

/** Characters of one entry, and lines. */
const longestEntry = 4_000;
const mostLines = 40;
const windowMs = 10_000;
/** Entries within one window. */
const limit = 500;

/**
 * Foreign text as one entry of a log: cut, with everything invisible made visible, and its further lines marked,
 * so that none of them passes for an entry of its own.
 */
export function entryText(text: string): string {
  const cut = text.length > longestEntry;
  const lines = (cut ? text.slice(0, longestEntry) : text).split(/\r?\n/, mostLines + 1);
  const more = lines.length > mostLines ? ' … (more lines)' : '';
  const shown = lines.slice(0, mostLines).map(visibleText).join('\n    | ');
  return `${shown}${more}${cut ? ` … (${text.length} characters)` : ''}`;
}

/** What the server itself says; its text is only made if it is going to be written. */
export type WriteTheirs = (level: ServerLogLine['level'], text: () => string) => void;

/**
 * What is written into the log of one server. A flood is counted instead of written. What the server says and
 * what we say about it are counted apart, so that neither drowns the other.
 */
export class ServerLog implements Disposable {
  readonly #write: (line: ServerLogLine) => void;
  readonly #ours: RateWindow;
  readonly #theirs: RateWindow;

  constructor(clock: Clock, write: (line: ServerLogLine) => void) {
    this.#write = write;
    const window = (what: string): RateWindow =>
      new RateWindow({
        clock,
        limit,
        windowMs,
        onMissed: (count) => write({ level: 'warn', text: `${count} more ${what} were not written down.` }),
      });
    this.#ours = window('entries about this server');
    this.#theirs = window('entries of this server');
  }

  /** Takes what we have to say about the server. */
  readonly ours = ({ level, text }: ServerLogLine): void => {
    if (this.#ours.take() !== 'held') this.#write({ level, text: entryText(text) });
  };

  readonly theirs: WriteTheirs = (level, text) => {
    if (this.#theirs.take() !== 'held') this.#write({ level, text: entryText(text()) });
  };

  dispose(): void {
    this.#ours.dispose();
    this.#theirs.dispose();
  }
}
