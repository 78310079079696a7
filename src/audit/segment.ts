import {
  close,
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  ftruncateSync,
  openSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type HeadSeal, type SegmentHead, bootTime, headText, sealText } from './segmentHead.ts';
import { headName } from './segmentName.ts';

const dataSync = promisify(fdatasync);
const closeFile = promisify(close);

/** What is wrong with the file that we write to. */
export type SegmentProblem =
  | { readonly kind: 'folderMissing' | 'fileMissing' | 'replaced' | 'readOnly' }
  | { readonly kind: 'sizeChanged'; readonly expected: number; readonly found: number };

/** Where the chain stands. */
export interface ChainEnd {
  readonly seq: number;
  readonly hash: string;
}

export interface SegmentOptions {
  readonly folder: string;
  readonly file: string;
  readonly sessionId: string;
  /** Last record before this file. */
  readonly start: ChainEnd;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Signs the state at each sync with the user's key. */
  readonly sign: ((text: string) => string) | undefined;
}

const createOnly = constants.O_CREAT | constants.O_EXCL | constants.O_APPEND | constants.O_WRONLY;

/**
 * One journal file, open for appending. Writes are synchronous on purpose: an append to the page cache takes about
 * a microsecond, a round trip through the thread pool forty times that, and every allowed call waits for it.
 */
export class Segment {
  readonly path: string;
  readonly openedAt: number;
  readonly #fd: number;
  readonly #headFd: number;
  readonly #identity: Stats;
  readonly #sessionId: string;
  /** Some network file systems give no stable identity; there only the name can be checked. */
  readonly #trustIdentity: boolean;
  readonly #sign: SegmentOptions['sign'];
  readonly #boot = bootTime();
  #seal: HeadSeal | undefined;
  #bytes = 0;
  #end: ChainEnd;
  #synced = 0;
  #folderSynced = false;
  #syncing: Promise<void> | undefined;
  #finished: Promise<void> | undefined;

  /** Creates the file. @throws the file system's error; then nothing is left behind */
  constructor(options: SegmentOptions) {
    const { folder, file, start } = options;
    this.path = join(folder, file);
    this.openedAt = options.now;
    this.#sessionId = options.sessionId;
    this.#sign = options.sign;
    this.#end = start;
    this.#synced = start.seq;
    this.#fd = openSync(this.path, createOnly, 0o600);
    try {
      this.#headFd = openSync(
        join(folder, headName(file)),
        constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY,
        0o600,
      );
    } catch (error) {
      closeSync(this.#fd);
      unlinkSync(this.path);
      throw error;
    }
    this.#identity = fstatSync(this.#fd);
    const named = statSync(this.path, { throwIfNoEntry: false });
    this.#trustIdentity = named?.ino === this.#identity.ino && named.dev === this.#identity.dev;
    this.#writeHead(false);
  }

  get bytes(): number {
    return this.#bytes;
  }
  get end(): ChainEnd {
    return this.#end;
  }
  get synced(): number {
    return this.#synced;
  }

  /** Looks whether the name still leads to our file, whole and writable. An open file outlives its own removal. */
  check(): SegmentProblem | undefined {
    const found = statSync(this.path, { throwIfNoEntry: false });
    if (found === undefined) {
      const folder = statSync(dirname(this.path), { throwIfNoEntry: false });
      return { kind: folder?.isDirectory() === true ? 'fileMissing' : 'folderMissing' };
    }
    if (!found.isFile()) return { kind: 'replaced' };
    // A file made read-only still takes what an open handle writes; somebody meant it to stop.
    if ((found.mode & 0o200) === 0) return { kind: 'readOnly' };
    const { ino, dev } = this.#identity;
    if (this.#trustIdentity && (found.ino !== ino || found.dev !== dev)) return { kind: 'replaced' };
    if (found.size !== this.#bytes) return { kind: 'sizeChanged', expected: this.#bytes, found: found.size };
    return undefined;
  }

  /**
   * Appends whole lines. All or nothing: what a failed write left behind is taken away again.
   * @throws the file system's error
   */
  append(text: string, end: ChainEnd): void {
    const bytes = inUtf8(text);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.#fd, bytes, written);
    } catch (error) {
      if (written > 0) this.#takeBack();
      throw error;
    }
    this.#bytes += bytes.length;
    this.#end = end;
    this.#writeHead(false);
  }

  /** Resolves when everything appended so far is on the disk. One sync serves all who wait. */
  async sync(): Promise<void> {
    const wanted = this.#end.seq;
    while (this.#synced < wanted) {
      this.#syncing ??= this.#syncOnce().finally(() => (this.#syncing = undefined));
      await this.#syncing;
    }
  }

  /** Syncs and closes; the file is complete. */
  finish(): Promise<void> {
    this.#finished ??= this.#finish();
    return this.#finished;
  }

  /** Takes a file away again that was created and never used. */
  discard(): void {
    for (const fd of [this.#fd, this.#headFd]) closeSync(fd);
    for (const path of [this.path, headName(this.path)]) unlinkSync(path);
  }

  async #finish(): Promise<void> {
    try {
      await this.sync();
      this.#seal = this.#sealed(this.#end);
      this.#writeHead(true);
    } finally {
      await closeFile(this.#fd);
      await closeFile(this.#headFd);
    }
  }

  async #syncOnce(): Promise<void> {
    const target = this.#end;
    await dataSync(this.#fd);
    if (!this.#folderSynced) {
      await syncFolder(dirname(this.path));
      this.#folderSynced = true;
    }
    this.#synced = Math.max(this.#synced, target.seq);
    this.#seal = this.#sealed(target);
    this.#writeHead(false);
  }

  #sealed(end: ChainEnd): HeadSeal | undefined {
    const mac = this.#sign?.(sealText(this.#sessionId, end.seq, end.hash));
    return mac === undefined ? undefined : { ...end, mac };
  }

  #writeHead(closed: boolean): void {
    const head: SegmentHead = {
      sessionId: this.#sessionId,
      seq: this.#end.seq,
      hash: this.#end.hash,
      bytes: this.#bytes,
      synced: this.#synced,
      closed,
      pid: process.pid,
      boot: this.#boot,
      seal: this.#seal,
    };
    try {
      writeSync(this.#headFd, headText(head), 0, 'utf8');
    } catch {
      // The record itself is safe. A head that lags behind only shows less of a cut-off end.
    }
  }

  #takeBack(): void {
    try {
      ftruncateSync(this.#fd, this.#bytes);
    } catch {
      // Then a torn line stays at the end, which readers know how to take.
    }
  }
}

/** One room for all writes: each of a size of its own would be fetched from the system, and given back to it. */
const room = Buffer.alloc(256 * 1024);

/** The text in UTF-8, to be used before the next call. */
function inUtf8(text: string): Buffer {
  // No character has more than three bytes per unit.
  if (text.length * 3 > room.length) return Buffer.from(text, 'utf8');
  return room.subarray(0, room.write(text, 'utf8'));
}

/** A new name in a folder is on the disk only when the folder is. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
