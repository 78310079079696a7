import { randomUUID } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { JsonObject } from '../base/json.ts';
import { CountBuffer } from './countBuffer.ts';
import type { Grant } from './grant.ts';
import { addUses, isRevoked, withGrant, withRevocation, withUses, withoutGrants } from './grantChanges.ts';
import { GrantIndex } from './grantIndex.ts';
import {
  type GrantRecord,
  type GrantState,
  emptyGrantState,
  exportGrants,
  grantCodec,
} from './grantState.ts';
import type { StateFile } from './stateFile.ts';
import { StateStore, type StorageProblem } from './stateStore.ts';

/** A grant to be made, with what it was given for. */
export interface GrantRequest extends Omit<Grant, 'id' | 'createdAt'> {
  /** The tool's definition and the server's launch, without secrets, to show differences from later. */
  readonly snapshots: { readonly tool: JsonObject | undefined; readonly launch: JsonObject | undefined };
}

/** All grants: those of this session in memory, the others in a file that all windows share. */
export class GrantStore implements Disposable {
  readonly #store: StateStore<GrantState>;
  readonly #clock: Clock;
  readonly #changed = new Emitter<void>();
  readonly #parts = new DisposableStore();
  readonly #uses: CountBuffer;
  #session: GrantState = emptyGrantState;
  /** Withdrawn here although the file could not be changed: they must not count again in this window. */
  readonly #refused = new Set<string>();
  #index: GrantIndex | undefined;

  constructor(file: StateFile, clock: Clock) {
    this.#clock = clock;
    this.#store = this.#parts.add(new StateStore(file, grantCodec));
    this.#parts.add(this.#store.onDidChange(() => this.#announce()));
    this.#uses = this.#parts.add(
      new CountBuffer(clock, (counts) => this.#store.update((state) => withUses(state, counts))),
    );
    this.#parts.add(this.#changed);
  }

  /** The grants or how they are used changed, here or in another window. */
  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  get onProblem(): Event<StorageProblem> {
    return this.#store.onProblem;
  }

  get problem(): StorageProblem | undefined {
    return this.#store.problem;
  }

  /** For `decide`. Call `refresh` before, so that what another window withdrew no longer counts. */
  get index(): GrantIndex {
    this.#index ??= new GrantIndex(this.records().map(({ grant }) => grant));
    return this.#index;
  }

  /** All grants with their use, oldest first. */
  records(): readonly GrantRecord[] {
    const { records, revocations } = this.#store.value;
    const session = Array.from(this.#session.records.values()).filter(
      ({ grant }) => !isRevoked(grant, revocations),
    );
    const stored = Array.from(records.values(), (record) => {
      const waiting = this.#uses.get(record.grant.id);
      return waiting === undefined ? record : addUses(record, waiting);
    }).filter(({ grant }) => !this.#refused.has(grant.id));
    return [...stored, ...session].sort((a, b) => a.grant.createdAt - b.grant.createdAt);
  }

  /** What a fingerprint stood for when it was allowed; `undefined` if that was not kept. */
  snapshot(fingerprint: string): JsonObject | undefined {
    return this.#session.snapshots.get(fingerprint) ?? this.#store.value.snapshots.get(fingerprint);
  }

  /** Takes over what other windows stored. Never rejects. */
  refresh(): Promise<void> {
    return this.#store.refresh();
  }

  /** Remembers an "allow". Rejects if it cannot be stored; then it does not count. */
  async add({ snapshots, ...request }: GrantRequest): Promise<Grant> {
    const grant: Grant = { ...request, id: randomUUID(), createdAt: this.#clock.now() };
    if (grant.scope.kind === 'session') {
      this.#session = withGrant(this.#session, grant, snapshots);
      this.#announce();
    } else {
      await this.#store.update((state) => withGrant(state, grant, snapshots));
    }
    return grant;
  }

  /** Counts a call that a grant allowed. Stored a little later. */
  recordUse(id: string): void {
    if (this.#session.records.has(id)) {
      const count = { count: 1, lastAt: this.#clock.now() };
      this.#session = withUses(this.#session, new Map([[id, count]]));
    } else this.#uses.add(id);
    // Not `#announce`: the index does not depend on counts.
    this.#changed.fire();
  }

  /** Withdraws one grant. Whatever happens to the file, it does not count in this window any more. */
  revoke(id: string): Promise<void> {
    return this.#withdraw((grant) => grant.id === id);
  }

  /** Withdraws all grants of a server, those of other windows' sessions too. */
  revokeServer(serverId: string): Promise<void> {
    return this.#withdraw(
      (grant) => grant.serverId === serverId,
      (state) => withRevocation(state, serverId, this.#clock.now()),
    );
  }

  /** Withdraws every grant, those of other windows' sessions too. */
  revokeAll(): Promise<void> {
    return this.#withdraw(
      () => true,
      (state) => withRevocation(state, undefined, this.#clock.now()),
    );
  }

  /** All grants as JSON, those of this session included. */
  export(): JsonObject {
    const records = new Map(this.records().map((record) => [record.grant.id, record]));
    const snapshots = new Map([...this.#store.value.snapshots, ...this.#session.snapshots]);
    return exportGrants({ ...this.#store.value, records, snapshots });
  }

  /** Stores the uses counted so far. Never rejects: a count that is lost harms nobody, and `onProblem` tells. */
  async flush(): Promise<void> {
    await this.#uses.flush();
    this.#changed.fire();
  }

  dispose(): void {
    this.#parts.dispose();
  }

  async #withdraw(
    goes: (grant: Grant) => boolean,
    note: (state: GrantState) => GrantState = (state) => state,
  ): Promise<void> {
    for (const { grant } of this.records()) if (goes(grant)) this.#refused.add(grant.id);
    this.#session = withoutGrants(this.#session, goes);
    this.#announce();
    await this.#store.update((state) => note(withoutGrants(state, goes)));
  }

  #announce(): void {
    this.#index = undefined;
    this.#changed.fire();
  }
}
