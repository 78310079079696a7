import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { headBeside } from './segmentHead.ts';
import { parseSegmentName } from './segmentName.ts';

export interface KnownEnd {
  readonly file: string;
  readonly seq: number;
  readonly hash: string;
}

const maximum = 40;

/** How far the newest journal files of other sessions went. Read once per file, when it is opened. */
export function folderHeads(folder: string, ownSession: string): readonly KnownEnd[] {
  const files = readdirSync(folder)
    .filter((file) => {
      const name = parseSegmentName(file);
      return name !== undefined && name.sessionId !== ownSession;
    })
    .sort()
    .slice(-maximum);
  return files.flatMap((file): KnownEnd[] => {
    const head = headBeside(join(folder, file));
    // A head from before the first record names the end of another file.
    return head === undefined || head.bytes === 0 ? [] : [{ file, seq: head.seq, hash: head.hash }];
  });
}
