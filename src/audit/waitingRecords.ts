import type { AuditEvent } from './events.ts';
import type { PendingRecord } from './journal.ts';

/** A record on its way to the file. */
export interface WaitingRecord extends PendingRecord {
  readonly event: AuditEvent;
  /** An intent that was not written is dropped: its call does not happen. */
  readonly intent: boolean;
  /** Listeners have been told, though it was not written yet. */
  announced: boolean;
  /** Its call went out without it. */
  unrecorded: boolean;
}

const maximumRecords = 20_000;
const maximumCharacters = 32_000_000;

/** What waits to be written, and what became of it while nothing could be. */
export class WaitingRecords {
  #records: WaitingRecord[] = [];
  #characters = 0;
  #kept = 0;
  #lost = 0;
  #unrecordedCalls = 0;

  get size(): number {
    return this.#records.length;
  }

  /** Since recording began to fail. */
  get losses(): { readonly kept: number; readonly lost: number; readonly unrecordedCalls: number } {
    return { kept: this.#kept, lost: this.#lost, unrecordedCalls: this.#unrecordedCalls };
  }

  add(record: WaitingRecord): void {
    this.#records.push(record);
    this.#characters += record.json.length;
  }

  /** Gives up the oldest ones of too many. Intents stay, because their calls wait for them. */
  bound(): void {
    while (this.#records.length > maximumRecords || this.#characters > maximumCharacters) {
      const index = this.#records.findIndex((record) => !record.intent || record.unrecorded);
      const [dropped] = index === -1 ? [] : this.#records.splice(index, 1);
      if (dropped === undefined) return;
      this.#characters -= dropped.json.length;
      this.#lost++;
    }
  }

  /** All of them; what is added from now on is not among them. */
  take(): readonly WaitingRecord[] {
    const batch = this.#records;
    this.#records = [];
    this.#characters = 0;
    return batch;
  }

  /** After a write that failed. `goOn`: the calls go out all the same. */
  putBack(batch: readonly WaitingRecord[], goOn: boolean): void {
    for (const record of batch) {
      if (!goOn || !record.intent || record.unrecorded) continue;
      record.unrecorded = true;
      this.#unrecordedCalls++;
    }
    this.#records = [...(goOn ? batch : batch.filter((record) => !record.intent)), ...this.#records];
    this.#characters = this.#records.reduce((sum, record) => sum + record.json.length, 0);
  }

  /** Everything that waits now is what was kept through the failure so far. */
  noteKept(): void {
    this.#kept = this.#records.length;
  }

  forgetLosses(): void {
    this.#kept = 0;
    this.#lost = 0;
    this.#unrecordedCalls = 0;
  }
}
