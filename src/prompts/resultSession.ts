import type { Disposable } from '../base/disposable.ts';
import { errorMessage } from '../base/errors.ts';
import { decode } from '../shared/decode.ts';
import type { HostMessage } from '../shared/hostMessage.ts';
import { pageMessage } from '../shared/pageMessage.ts';
import { type ResultPort, postResult } from './resultPort.ts';

/** The extension's end of a tab that shows one result. It can do nothing but look at that one. */
export class ResultSession implements Disposable {
  readonly #id: string;
  readonly #results: ResultPort;
  readonly #post: (message: HostMessage) => void;
  readonly #report: (problem: string) => void;
  readonly #links: Disposable;

  constructor(options: {
    readonly id: string;
    readonly results: ResultPort;
    readonly post: (message: HostMessage) => void;
    /** A message that was dropped, or something that the page could not do. */
    readonly report: (problem: string) => void;
  }) {
    this.#id = options.id;
    this.#results = options.results;
    this.#post = options.post;
    this.#report = options.report;
    this.#links = this.#results.onLink((change) => {
      if (change.id === this.#id) this.#post({ kind: 'link', ...change });
    });
  }

  /** Any message from the page. What is malformed, or not for this tab to say, is dropped and reported. */
  receive(message: unknown): void {
    const decoded = decode(pageMessage, message);
    if (!decoded.ok) return this.#report(`A message from the page was dropped: ${decoded.problem}`);
    const { value } = decoded;
    if (value.kind === 'ready') {
      postResult(this.#results, this.#id, 'tab', this.#post).catch((error: unknown) =>
        this.#report(errorMessage(error)),
      );
      return;
    }
    if (value.kind === 'problem') return this.#report(`The page says: ${value.text}`);
    if (value.kind === 'useResult' && value.id === this.#id) {
      return this.#results.use(value.id, value.action, value.part);
    }
    this.#report(`A message from a result's page was dropped: "${value.kind}" is not for it to say.`);
  }

  dispose(): void {
    this.#links.dispose();
  }
}
