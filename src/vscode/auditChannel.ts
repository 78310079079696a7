import * as vscode from 'vscode';
import type { AuditLog } from '../audit/auditLog.ts';
import { formatEvent } from '../audit/formatEvent.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { showError } from './notices.ts';

/** The output channel "Countersign Audit": one readable line per recorded event, as it happens. */
export class AuditChannel implements Disposable {
  readonly #channel: vscode.LogOutputChannel;
  readonly #held = new DisposableStore();

  constructor(log: AuditLog) {
    this.#channel = this.#held.add(vscode.window.createOutputChannel('Countersign Audit', { log: true }));
    this.#held.add(
      log.onRecorded(({ event }) => {
        const { level, text } = formatEvent(event);
        if (level === 'info') this.#channel.info(text);
        else if (level === 'warning') this.#channel.warn(text);
        else this.#channel.error(text);
      }),
    );
    this.#held.add(
      log.onStateChanged((state) => {
        if (state.kind === 'recording') return this.#channel.info('Recording works again.');
        this.#channel.error(state.message);
        void this.#tell(log, state.message);
      }),
    );
  }

  show(): void {
    this.#channel.show(true);
  }

  dispose(): void {
    this.#held.dispose();
  }

  /** Calls have stopped, so the person must learn of it wherever they look. */
  async #tell(log: AuditLog, message: string): Promise<void> {
    const answer = await showError(message, 'Try Again', 'Show Audit Log');
    if (answer === 'Try Again') await log.retry();
    if (answer === 'Show Audit Log') this.show();
  }
}
