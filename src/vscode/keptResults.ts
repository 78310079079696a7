import type { CallToolResult } from '../protocol/model.ts';
import type { VirtualDocuments } from './virtualDocuments.ts';

const kept = 50;

/** The latest results in full, so that a person can open them from the list of finished calls. */
export class KeptResults {
  readonly #results = new Map<string, CallToolResult>();
  readonly #documents: VirtualDocuments;

  constructor(documents: VirtualDocuments) {
    this.#documents = documents;
  }

  keep(callId: string, result: CallToolResult): void {
    this.#results.set(callId, result);
    const [oldest] = this.#results.keys();
    if (this.#results.size > kept && oldest !== undefined) this.#results.delete(oldest);
  }

  async open(callId: string): Promise<void> {
    const result = this.#results.get(callId);
    if (result === undefined) return;
    const { content, structuredContent } = result;
    const onlyText = structuredContent === undefined && content.every(({ type }) => type === 'text');
    if (onlyText) {
      const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n\n');
      await this.#documents.show('result.txt', text);
    } else {
      await this.#documents.show('result.json', JSON.stringify(result, undefined, 2));
    }
  }
}
