import type { Icon } from '../protocol/model.ts';

export type Theme = 'light' | 'dark';

/** A picture that is there, and about how many bytes it takes. */
export interface LoadedPicture<T> {
  readonly picture: T;
  readonly size: number;
}

interface Slot<T> {
  readonly theme: Theme;
  /** Absent while it is fetched, and when it could not be. */
  picture?: T;
}

/** More pictures of one server are not loaded, nor more bytes: its rows keep the default then. */
const maxPictures = 1_000;
const maxBytes = 16 * 1024 * 1024;

/**
 * The pictures of one start of a server, by the definition that names them: another definition is asked for anew. What
 * has no room is left out rather than exchanged, since all rows are drawn again with each picture that comes.
 */
export class PictureBook<T> {
  readonly #load: (icons: readonly Icon[], theme: Theme) => Promise<LoadedPicture<T> | undefined>;
  readonly #loaded: () => void;
  #slots = new Map<readonly Icon[], Slot<T>>();
  /** Of the definitions before the last change: those that are asked for again are still in use. */
  #before: ReadonlyMap<readonly Icon[], Slot<T>> = new Map();
  #sizes = new WeakMap<Slot<T>, number>();
  #bytes = 0;

  /** `load` never rejects; `loaded`: another picture is there. */
  constructor(
    load: (icons: readonly Icon[], theme: Theme) => Promise<LoadedPicture<T> | undefined>,
    loaded: () => void,
  ) {
    this.#load = load;
    this.#loaded = loaded;
  }

  /** The picture, if it is there; else it is fetched. */
  get(icons: readonly Icon[], theme: Theme): T | undefined {
    const slot = this.#slots.get(icons) ?? this.#taken(icons);
    if (slot?.theme === theme) return slot.picture;
    if (slot === undefined && (this.#slots.size >= maxPictures || this.#bytes >= maxBytes)) return undefined;
    if (slot !== undefined) this.#bytes -= this.#sizes.get(slot) ?? 0;
    const fresh: Slot<T> = { theme };
    this.#slots.set(icons, fresh);
    void this.#fill(icons, fresh);
    return undefined;
  }

  /** The definitions may have changed: what is not asked for again is given up, what failed is tried again. */
  renew(): void {
    this.#before = this.#slots;
    this.#slots = new Map();
    this.#bytes = 0;
  }

  #taken(icons: readonly Icon[]): Slot<T> | undefined {
    const slot = this.#before.get(icons);
    if (slot?.picture === undefined || this.#slots.size >= maxPictures) return undefined;
    this.#slots.set(icons, slot);
    this.#bytes += this.#sizes.get(slot) ?? 0;
    return slot;
  }

  async #fill(icons: readonly Icon[], slot: Slot<T>): Promise<void> {
    const found = await this.#load(icons, slot.theme);
    // Nobody waits for it any more.
    if (found === undefined || this.#slots.get(icons) !== slot) return;
    if (this.#bytes + found.size > maxBytes) return;
    slot.picture = found.picture;
    this.#sizes.set(slot, found.size);
    this.#bytes += found.size;
    this.#loaded();
  }
}
