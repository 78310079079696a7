import type { Dispatcher } from 'undici';
import { type Clock, systemClock } from '../base/clock.ts';
import { errorMessage } from '../base/errors.ts';
import type { Icon } from '../protocol/model.ts';
import { fetchBytes } from '../transport/fetchBytes.ts';
import { HttpEndpoint } from '../transport/httpEndpoint.ts';
import { checkIcon, type IconCheck, type IconImage } from './iconImage.ts';
import { rankIcons, readIconSource } from './iconSource.ts';

export interface IconLoaderOptions {
  /** Of the server that the icons belong to; absent for stdio, where only `data:` is possible. */
  readonly serverUrl?: string;
  readonly dispatcher?: Dispatcher;
  readonly clock?: Clock;
  /** Bytes of one picture. */
  readonly maxBytes?: number;
  /** Milliseconds for fetching one picture. */
  readonly timeoutMs?: number;
}

/** A picture, or why none of the icons can be shown; then the default icon is. */
export type LoadedIcon =
  | { readonly kind: 'image'; readonly image: IconImage }
  | { readonly kind: 'none'; readonly reasons: readonly string[] };

/** Fetches at once; a list of thousands of tools must not become thousands of connections. */
const maxFetches = 4;
/** Fetched addresses whose outcome is remembered. */
const maxRemembered = 100;

/** Gets the icons of one server, without credentials and from nowhere but the server itself. */
export class IconLoader {
  readonly #options: IconLoaderOptions;
  readonly #remembered = new Map<string, Promise<Fetched>>();
  readonly #failed = new Set<string>();
  readonly #waiting: (() => void)[] = [];
  #endpoint: HttpEndpoint | undefined;
  #fetches = 0;

  constructor(options: IconLoaderOptions) {
    this.#options = options;
  }

  /** The best icon that can be shown. Never rejects. */
  async load(icons: readonly Icon[], theme?: 'light' | 'dark'): Promise<LoadedIcon> {
    const reasons: string[] = [];
    for (const icon of rankIcons(icons, theme)) {
      const outcome = await this.#check(icon);
      if (outcome.kind === 'image') return outcome;
      reasons.push(outcome.reason);
    }
    return { kind: 'none', reasons };
  }

  /** What could not be fetched, or was no picture, is fetched anew when it is asked for again. */
  forgetFailures(): void {
    for (const address of this.#failed) this.#remembered.delete(address);
    this.#failed.clear();
  }

  /** Ends what is in flight. */
  async close(): Promise<void> {
    await this.#endpoint?.close();
  }

  async #check(icon: Icon): Promise<IconCheck> {
    const { serverUrl, maxBytes = 256 * 1024 } = this.#options;
    const source = readIconSource(icon.src, serverUrl, maxBytes);
    switch (source.kind) {
      case 'refused':
        return source;
      case 'data':
        return checkIcon(source.bytes, [icon.mimeType, source.mimeType]);
      case 'fetch': {
        const fetched = await this.#fetchOnce(source.url, maxBytes);
        const checked =
          fetched.kind === 'refused' ? fetched : checkIcon(fetched.bytes, [icon.mimeType, fetched.type]);
        if (checked.kind === 'refused') this.#failed.add(source.url.href);
        return checked;
      }
    }
  }

  #fetchOnce(url: URL, maxBytes: number): Promise<Fetched> {
    const known = this.#remembered.get(url.href);
    if (known !== undefined) return known;
    const fetched = this.#fetch(url, maxBytes).catch((error: unknown) => refused(errorMessage(error)));
    if (this.#remembered.size >= maxRemembered) {
      this.#remembered.clear();
      this.#failed.clear();
    }
    this.#remembered.set(url.href, fetched);
    return fetched;
  }

  async #fetch(url: URL, maxBytes: number): Promise<Fetched> {
    const { dispatcher, clock = systemClock, timeoutMs = 5_000 } = this.#options;
    // An endpoint of its own: it has no headers and no authorization to send.
    this.#endpoint ??= new HttpEndpoint({
      url: url.origin,
      ...(dispatcher === undefined ? undefined : { dispatcher }),
    });
    await this.#turn();
    try {
      const bounds = { accept: 'image/png, image/jpeg, image/webp', maxBytes, timeoutMs, clock };
      const { bytes, contentType } = await fetchBytes(this.#endpoint, url, bounds);
      return { kind: 'fetched', bytes, type: contentType };
    } finally {
      this.#pass();
    }
  }

  #turn(): Promise<void> {
    if (this.#fetches < maxFetches) {
      this.#fetches++;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #pass(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#fetches--;
    else next();
  }
}

type Fetched =
  | { readonly kind: 'fetched'; readonly bytes: Uint8Array; readonly type: string | undefined }
  | { readonly kind: 'refused'; readonly reason: string };

function refused(reason: string): Fetched {
  return { kind: 'refused', reason };
}
