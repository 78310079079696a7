import type { CallToolResult, ReadResourceResult } from '../protocol/model.ts';
import type { ResultLead, ResultView } from '../shared/resultView.ts';
import type { CheckedBlock, CheckedResult } from '../tools/checkResult.ts';

/** A result, or the contents of a resource, for a person to look at. */
export interface KeptResult {
  /** Of the call, or of the reading. */
  readonly id: string;
  readonly subject: ResultView['subject'];
  readonly serverId: string;
  /** The launch that it came from; absent where that is not known, so that its links lead nowhere. */
  readonly launchFingerprint: string | undefined;
  /** The tool, or the resource's name. */
  readonly title: string;
  readonly checked: CheckedResult;
  /** What else there is to say before the parts. */
  readonly leads: readonly ResultLead[];
  /** Everything as it came. */
  readonly raw: CallToolResult | ReadResourceResult;
}

/** Keeps the latest results whole, until newer ones need the room. */
export class ResultShelf {
  readonly #kept = new Map<string, { readonly result: KeptResult; readonly size: number }>();
  readonly #maxCount: number;
  readonly #maxSize: number;
  #size = 0;

  /** `maxSize`: roughly bytes, of all together; the newest is always kept. */
  constructor(maxCount = 60, maxSize = 256 * 1024 * 1024) {
    this.#maxCount = maxCount;
    this.#maxSize = maxSize;
  }

  keep(result: KeptResult): void {
    this.#delete(result.id);
    const size = sizeOf(result.checked);
    this.#kept.set(result.id, { result, size });
    this.#size += size;
    for (const oldest of this.#kept.keys()) {
      if (oldest === result.id || (this.#kept.size <= this.#maxCount && this.#size <= this.#maxSize)) break;
      this.#delete(oldest);
    }
  }

  get(id: string): KeptResult | undefined {
    return this.#kept.get(id)?.result;
  }

  #delete(id: string): void {
    const kept = this.#kept.get(id);
    if (kept !== undefined && this.#kept.delete(id)) this.#size -= kept.size;
  }
}

/** Of what takes the room: texts and attachments. Each is there twice, as it came and checked. */
function sizeOf({ blocks }: CheckedResult): number {
  return blocks.reduce((sum, block) => sum + 200 + blockSize(block), 1_000);
}

function blockSize(block: CheckedBlock): number {
  switch (block.kind) {
    case 'text':
    case 'resourceText':
      return block.text.length * 2;
    case 'media':
    case 'resourceBlob':
      return block.data.length * 3;
    case 'broken':
      return block.size;
    case 'link':
    case 'unknown':
      return 1_000;
  }
}
