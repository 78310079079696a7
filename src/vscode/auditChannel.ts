import * as vscode from 'vscode';
import type { AuditLog } from '../audit/auditLog.ts';
import type { AuditEvent } from '../audit/events.ts';
import { type EventLine, formatEnd, formatEvent } from '../audit/formatEvent.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { showError } from './notices.ts';

/** The output channel "Countersign Audit": one readable line per recorded event, as it happens. */
export class AuditChannel implements Disposable {
  readonly #channel: vscode.LogOutputChannel;
  readonly #log: AuditLog;
  readonly #held = new DisposableStore();

  constructor(log: AuditLog) {
    this.#log = log;
    this.#channel = this.#held.add(vscode.window.createOutputChannel('Countersign Audit', { log: true }));
    this.#held.add(
      log.onRecorded(({ event }) => {
        this.#write(formatEvent(event));
        this.#after(event);
      }),
    );
    this.#held.add(
      log.onStateChanged((state) => {
        if (state.kind === 'recording') return this.#channel.info('Recording works again.');
        this.#channel.error(state.message);
        void this.#tell(state.message);
      }),
    );
  }

  show(): void {
    this.#channel.show(true);
  }

  /** Writes where the record ends now, and returns it. What is recorded later does not change it. */
  showEnd(): string {
    const line = formatEnd(this.#log.sessionId, this.#log.end);
    this.#write(line);
    return line.text;
  }

  dispose(): void {
    this.#held.dispose();
  }

  #write({ level, text }: EventLine): void {
    if (level === 'info') this.#channel.info(text);
    else if (level === 'warning') this.#channel.warn(text);
    else this.#channel.error(text);
  }

  /** Where the record is and where it ends, for people who copy that elsewhere. */
  #after(event: AuditEvent): void {
    if (event.kind === 'sessionClosed') this.showEnd();
    if (event.kind !== 'segmentOpened') return;
    if (event.previous !== undefined) this.#write(formatEnd(this.#log.sessionId, event.previous));
    // The journal turns to its new file just after it has told of it.
    queueMicrotask(() => this.#channel.info(`Recording to ${this.#log.path ?? this.#log.folder}`));
  }

  /** Calls have stopped, so the person must learn of it wherever they look. */
  async #tell(message: string): Promise<void> {
    const answer = await showError(message, 'Try Again', 'Show Audit Log');
    if (answer === 'Try Again') await this.#log.retry();
    if (answer === 'Show Audit Log') this.show();
  }
}
