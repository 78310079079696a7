import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { HostError } from '../base/errors.ts';
import { hasCode, withFileLock } from './fileLock.ts';
import type { StateFile, StoredText } from './stateFile.ts';

/** Largest text that is read, in bytes: far above what a person's grants can come to. */
const maxBytes = 256 * 1024 * 1024;
const attempts = 5;

/** A state file on disk: replaced as a whole, one writer at a time over all windows, readable only by its owner. */
export class NodeStateFile implements StateFile {
  readonly place: string;

  /** @param place absolute path; its folder is made when first needed */
  constructor(place: string) {
    this.place = place;
  }

  async read(): Promise<StoredText | undefined> {
    for (;;) {
      const before = await this.mark();
      if (before === undefined) return undefined;
      const text = await readIfThere(this.place);
      // Replaced between the two looks: the mark would belong to another text.
      if (text !== undefined && before === (await this.mark())) return { text, mark: before };
    }
  }

  async mark(): Promise<string | undefined> {
    try {
      const { ino, size, mtimeNs } = await stat(this.place, { bigint: true });
      if (size > maxBytes)
        throw new HostError('messageTooLarge', `"${this.place}" is larger than ${maxBytes} bytes.`);
      return `${ino}:${size}:${mtimeNs}`;
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  async update(change: (text: string | undefined) => string | undefined): Promise<string | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      const done = await this.#locked(async (stillHeld) => {
        const text = change(await readIfThere(this.place));
        return text === undefined || (await this.#replace(text, stillHeld));
      });
      if (done) return this.mark();
      if (attempt >= attempts) throw new HostError('timeout', `"${this.place}" could not be written.`);
    }
  }

  setAside(text: string): Promise<string | undefined> {
    return this.#locked(async () => {
      if ((await readIfThere(this.place)) !== text) return undefined;
      const stamp = new Date().toISOString().replace(/[:.]/g, '-');
      const kept = `${this.place}.broken-${stamp}`;
      await rename(this.place, kept);
      return kept;
    });
  }

  async #locked<T>(run: (stillHeld: () => Promise<boolean>) => Promise<T>): Promise<T> {
    await mkdir(path.dirname(this.place), { recursive: true, mode: 0o700 });
    return withFileLock(`${this.place}.lock`, run);
  }

  /** False if the lock was lost meanwhile and nothing was written. */
  async #replace(text: string, stillHeld: () => Promise<boolean>): Promise<boolean> {
    const temporary = `${this.place}.${randomUUID()}.tmp`;
    try {
      const file = await open(temporary, 'wx', 0o600);
      try {
        await file.writeFile(text, 'utf8');
        // On the disk before it takes the place of the old one: otherwise a power cut could leave an empty file.
        await file.sync();
      } finally {
        await file.close();
      }
      if (!(await stillHeld())) return false;
      await this.#renameOver(temporary);
      return true;
    } finally {
      await rm(temporary, { force: true });
    }
  }

  async #renameOver(temporary: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await rename(temporary, this.place);
      } catch (error) {
        // Windows refuses while another process has the file open, if only to read or scan it.
        const busy = hasCode(error, 'EPERM') || hasCode(error, 'EACCES') || hasCode(error, 'EBUSY');
        if (process.platform !== 'win32' || !busy || attempt >= attempts) throw error;
        await delay(20 * attempt);
      }
    }
  }
}

async function readIfThere(place: string): Promise<string | undefined> {
  try {
    return await readFile(place, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
