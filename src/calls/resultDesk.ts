import type { Disposable } from '../base/disposable.ts';
import { HostError, RpcError, errorMessage, isCancellation } from '../base/errors.ts';
import { Emitter } from '../base/event.ts';
import type { LinkChange, ResultPort } from '../prompts/resultPort.ts';
import type { LinkState, ResultAction, ResultView } from '../shared/resultView.ts';
import { cardLimits, resultView, tabLimits } from '../tools/resultView.ts';
import type { ResourceReads } from './resourceReads.ts';
import { fileOf, partText, resultText, type NamedText } from './resultDocuments.ts';
import type { KeptResult, ResultShelf } from './resultShelf.ts';

/** What the editor does for a person who looks at a result. */
export interface ResultEditor {
  /** Shows the result in a tab of its own. */
  openTab(result: Pick<KeptResult, 'id' | 'subject' | 'title'>): void;
  /** Shows a text, read-only; the ending of its name chooses the language. */
  showText(text: NamedText): void;
  /** Asks where to, and writes the bytes there. */
  save(name: string, bytes: Uint8Array): void;
  /** Tells the person that something did not work. */
  tell(message: string): void;
}

interface Reading {
  state: LinkState;
  readonly abort: AbortController;
}

/** Shows kept results, and does what a person asks of them: open, save, read what they link to. */
export class ResultDesk implements ResultPort, Disposable {
  readonly #shelf: ResultShelf;
  readonly #reads: Pick<ResourceReads, 'read'>;
  readonly #editor: ResultEditor;
  readonly #readings = new Map<string, Map<number, Reading>>();
  readonly #link = new Emitter<LinkChange>();
  readonly onLink = this.#link.event;

  constructor(ports: {
    readonly shelf: ResultShelf;
    readonly reads: Pick<ResourceReads, 'read'>;
    readonly editor: ResultEditor;
  }) {
    this.#shelf = ports.shelf;
    this.#reads = ports.reads;
    this.#editor = ports.editor;
  }

  view(id: string, place: 'card' | 'tab'): Promise<ResultView> | undefined {
    const kept = this.#shelf.get(id);
    if (kept === undefined) return undefined;
    return resultView(kept, kept.checked, kept.leads, place === 'card' ? cardLimits : tabLimits);
  }

  links(id: string): readonly LinkChange[] {
    const readings = this.#readings.get(id) ?? new Map<number, Reading>();
    return Array.from(readings, ([part, { state }]) => ({ id, part, state }));
  }

  /** Opens the tab; false if the result is no longer kept. */
  open(id: string): boolean {
    const kept = this.#shelf.get(id);
    if (kept !== undefined) this.#editor.openTab(kept);
    return kept !== undefined;
  }

  use(id: string, action: ResultAction, part: number | undefined): void {
    const kept = this.#shelf.get(id);
    if (kept === undefined)
      return this.#editor.tell('This result is no longer kept. Run the tool again to see it.');
    const block = part === undefined ? undefined : kept.checked.blocks[part];
    switch (action) {
      case 'open':
        return this.#editor.openTab(kept);
      case 'openText':
        return this.#showText(resultText(kept));
      case 'openPart':
        return this.#showText(partText(kept, part));
      case 'save': {
        const file = part === undefined || block === undefined ? undefined : fileOf(kept, block, part);
        if (file !== undefined) this.#editor.save(file.name, file.bytes);
        return;
      }
      case 'read':
        if (part !== undefined && block?.kind === 'link') void this.#read(kept, part, block.link);
        return;
      case 'cancelRead':
        if (part !== undefined) this.#readings.get(id)?.get(part)?.abort.abort();
        return;
    }
  }

  dispose(): void {
    for (const readings of this.#readings.values()) {
      for (const { abort } of readings.values()) abort.abort();
    }
    this.#link.dispose();
  }

  #showText(made: Promise<NamedText | undefined>): void {
    made.then(
      (text) => text !== undefined && this.#editor.showText(text),
      (error: unknown) => this.#editor.tell(`This cannot be shown as a text: ${errorMessage(error)}`),
    );
  }

  async #read(
    from: KeptResult,
    part: number,
    link: { readonly uri: string; readonly name: string },
  ): Promise<void> {
    const readings = this.#readings.get(from.id) ?? new Map<number, Reading>();
    if (readings.get(part)?.state.kind === 'reading') return;
    this.#keep(from.id, readings);
    const reading: Reading = { state: { kind: 'reading' }, abort: new AbortController() };
    readings.set(part, reading);
    const tell = (state: LinkState): void => {
      reading.state = state;
      this.#link.fire({ id: from.id, part, state });
    };
    tell(reading.state);
    try {
      const contents = await this.#reads.read({
        from,
        uri: link.uri,
        name: link.name,
        signal: reading.abort.signal,
        onProgress: (progress) => tell({ kind: 'reading', progress: progressText(progress) }),
      });
      await this.#show(contents);
      tell({ kind: 'read' });
    } catch (error) {
      tell({ kind: 'failed', message: failureText(error).slice(0, 10_000) });
    }
  }

  /** A single text is a document; anything else needs the tab. */
  async #show(contents: KeptResult): Promise<void> {
    const [only, ...others] = contents.checked.blocks;
    const text =
      only?.kind === 'resourceText' && others.length === 0 ? await partText(contents, 0) : undefined;
    if (text === undefined) this.#editor.openTab(contents);
    else this.#editor.showText(text);
  }

  /** Of results that are long gone nobody sees the links. */
  #keep(id: string, readings: Map<number, Reading>): void {
    this.#readings.set(id, readings);
    const [oldest] = this.#readings.keys();
    if (this.#readings.size > 100 && oldest !== undefined && oldest !== id) this.#readings.delete(oldest);
  }
}

function progressText({
  progress,
  total,
  message,
}: {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}): string {
  const amount = total === undefined ? String(progress) : `${progress} of ${total}`;
  return message === undefined ? amount : `${amount}: ${message.slice(0, 500)}`;
}

function failureText(error: unknown): string {
  if (isCancellation(error)) return 'Cancelled.';
  if (error instanceof RpcError) return `The server cannot give it (error ${error.code}): ${error.message}`;
  if (error instanceof HostError) return error.message;
  return errorMessage(error);
}
