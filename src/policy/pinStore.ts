import type { Clock } from '../base/clock.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import type { Event } from '../base/event.ts';
import type { JsonObject } from '../base/json.ts';
import { CountBuffer, type CountSince } from './countBuffer.ts';
import type { GrantPins } from './grant.ts';
import {
  type PinState,
  type ToolHistory,
  type ToolKey,
  type ToolPin,
  type TrustedLaunch,
  pinCodec,
  toolKeyText,
  withSnapshots,
  withTool,
} from './pinState.ts';
import type { StateFile } from './stateFile.ts';
import { StateStore, type StorageProblem } from './stateStore.ts';

/**
 * What a person has seen and allowed, so that a change can be told and shown: the last allowed definition of each
 * tool, and the launches of servers that a workspace defines.
 */
export class PinStore implements Disposable {
  readonly #store: StateStore<PinState>;
  readonly #clock: Clock;
  readonly #parts = new DisposableStore();
  readonly #calls: CountBuffer;
  /** The keys behind the texts under which calls are counted. */
  readonly #keys = new Map<string, ToolKey>();

  constructor(file: StateFile, clock: Clock) {
    this.#clock = clock;
    this.#store = this.#parts.add(new StateStore(file, pinCodec));
    this.#calls = this.#parts.add(new CountBuffer(clock, (counts) => this.#addCalls(counts)));
  }

  get onDidChange(): Event<void> {
    return this.#store.onDidChange;
  }

  get onProblem(): Event<StorageProblem> {
    return this.#store.onProblem;
  }

  get problem(): StorageProblem | undefined {
    return this.#store.problem;
  }

  /** Takes over what other windows stored. Never rejects. */
  refresh(): Promise<void> {
    return this.#store.refresh();
  }

  /** What is known of a tool; `undefined`: nothing. */
  pin(key: ToolKey): ToolPin | undefined {
    return this.#store.value.tools.get(toolKeyText(key));
  }

  /** How a tool as it is now compares with what is known of it. */
  history(key: ToolKey, now: GrantPins): ToolHistory {
    const pin = this.pin(key);
    const allowed = pin?.allowed;
    return {
      isNew: allowed === undefined,
      toolChanged: allowed !== undefined && allowed.tool !== now.tool,
      launchChanged: allowed !== undefined && allowed.launch !== now.launch,
      calls: (pin?.calls ?? 0) + (this.#calls.get(toolKeyText(key))?.count ?? 0),
    };
  }

  /** What a fingerprint stood for; `undefined` if that was not kept. */
  snapshot(fingerprint: string): JsonObject | undefined {
    return this.#store.value.snapshots.get(fingerprint);
  }

  /** A person has seen the tool as it is now and allowed a call of it. */
  recordAllowed(
    key: ToolKey,
    pins: GrantPins,
    snapshots: { readonly tool: JsonObject | undefined; readonly launch: JsonObject | undefined },
  ): Promise<void> {
    const known = this.pin(key)?.allowed;
    // Each "Allow once" of an unchanged tool would write the file otherwise.
    if (known?.tool === pins.tool && known.launch === pins.launch) return Promise.resolve();
    const at = this.#clock.now();
    return this.#store.update((state) =>
      withSnapshots(
        withTool(state, key, at, () => ({ allowed: { ...pins, at } })),
        [
          [pins.tool, snapshots.tool],
          [pins.launch, snapshots.launch],
        ],
      ),
    );
  }

  /** A call has been sent. Stored a little later. */
  recordCall(key: ToolKey): void {
    const text = toolKeyText(key);
    this.#keys.set(text, key);
    this.#calls.add(text);
  }

  /** Whether a person has agreed to start or reach a server in exactly this way. */
  isLaunchTrusted(serverId: string, workspace: string | undefined, fingerprint: string): boolean {
    return this.#launchesOf(serverId, workspace).some((launch) => launch.fingerprint === fingerprint);
  }

  /** The launch of a server that was trusted last, to show what changed. */
  lastTrustedLaunch(serverId: string, workspace: string | undefined): TrustedLaunch | undefined {
    return this.#launchesOf(serverId, workspace).at(-1);
  }

  /** A person has seen the launch and agreed. It takes the place of an earlier one. */
  trustLaunch(launch: Omit<TrustedLaunch, 'trustedAt'>, snapshot: JsonObject | undefined): Promise<void> {
    const trusted = { ...launch, trustedAt: this.#clock.now() };
    return this.#store.update((state) => {
      const launches = [...state.launches.filter((other) => !isSameServer(other, launch)), trusted];
      return withSnapshots({ ...state, launches }, [[launch.fingerprint, snapshot]]);
    });
  }

  /** Takes back the trust in all launches of a server. */
  distrustLaunch(serverId: string, workspace: string | undefined): Promise<void> {
    return this.#store.update((state) => {
      const launches = state.launches.filter((other) => !isSameServer(other, { serverId, workspace }));
      return launches.length === state.launches.length ? state : withSnapshots({ ...state, launches }, []);
    });
  }

  /** Stores the calls counted so far. Never rejects; `onProblem` tells. */
  flush(): Promise<void> {
    return this.#calls.flush();
  }

  dispose(): void {
    this.#parts.dispose();
  }

  #addCalls(counts: ReadonlyMap<string, CountSince>): Promise<void> {
    return this.#store.update((state) => {
      let next = state;
      for (const [text, { count, lastAt }] of counts) {
        const key = this.#keys.get(text);
        if (key !== undefined) next = withTool(next, key, lastAt, ({ calls }) => ({ calls: calls + count }));
      }
      return next;
    });
  }

  #launchesOf(serverId: string, workspace: string | undefined): readonly TrustedLaunch[] {
    return this.#store.value.launches.filter((launch) => isSameServer(launch, { serverId, workspace }));
  }
}

function isSameServer(
  left: Pick<TrustedLaunch, 'serverId' | 'workspace'>,
  right: Pick<TrustedLaunch, 'serverId' | 'workspace'>,
): boolean {
  return left.serverId === right.serverId && left.workspace === right.workspace;
}
