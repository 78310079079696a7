import type { Clock } from '../base/clock.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { errorMessage } from '../base/errors.ts';
import { decode } from '../shared/decode.ts';
import type { HostMessage } from '../shared/hostMessage.ts';
import { type PageMessage, pageMessage } from '../shared/pageMessage.ts';
import { type PromptCard, type PromptSummary, armingMs } from '../shared/promptCard.ts';
import { Arming } from './arming.ts';
import type { CallBoard } from './callBoard.ts';
import type { PromptQueue } from './promptQueue.ts';
import type { ObstaclePort } from './obstaclePort.ts';
import { promptSummary } from './promptSummary.ts';
import { type ResultPort, postResult } from './resultPort.ts';

/** What a page asks of the editor around it. */
export interface PageActions {
  /** Shows text of a waiting prompt in an editor tab; `path` is a JSON pointer into its arguments. */
  openText(card: PromptCard, path: string): void;
  /** Opens the approvals in an editor tab, with this prompt at the top. */
  openPage(promptId?: string): void;
  /** A message that was dropped, or something that the page could not do. */
  report(problem: string): void;
}

/** At most one list per this many milliseconds reaches the page; the first change goes out at once. */
const pauseMs = 50;
/** With no more than this many waiting, a new prompt does not wait for the pause to end. */
const urgentSize = 5;

/** The extension's end of one page: says what waits, and takes answers from it. */
export class PageSession implements Disposable {
  readonly #queue: PromptQueue;
  readonly #board: CallBoard;
  readonly #results: ResultPort;
  readonly #obstacles: ObstaclePort | undefined;
  readonly #clock: Clock;
  readonly #post: (message: HostMessage) => void;
  readonly #actions: PageActions;
  readonly #arming: Arming;
  readonly #held = new DisposableStore();
  /** Prompts whose full card the page already has. */
  #sent = new Set<string>();
  #ready = false;
  #pause: Disposable | undefined;
  /** Something changed that the page has not been told. */
  #stale = false;
  #flushing = false;
  #disposed = false;
  /** How many prompts the page was last told of. */
  #listed = 0;
  #wanted: Extract<HostMessage, { kind: 'show' }> | undefined;

  constructor(options: {
    readonly queue: PromptQueue;
    readonly board: CallBoard;
    readonly results: ResultPort;
    /** Absent: nothing is known to come in the way of a prompt. */
    readonly obstacles?: ObstaclePort;
    readonly clock: Clock;
    readonly post: (message: HostMessage) => void;
    readonly actions: PageActions;
  }) {
    this.#queue = options.queue;
    this.#board = options.board;
    this.#results = options.results;
    this.#obstacles = options.obstacles;
    this.#clock = options.clock;
    this.#post = options.post;
    this.#actions = options.actions;
    this.#arming = this.#held.add(new Arming(options.clock, armingMs));
    this.#held.add(this.#arming.onArmed((armed) => this.#post({ kind: 'armed', ...armed })));
    this.#held.add(this.#queue.onDidChange(() => this.#changed()));
    this.#held.add(this.#board.onDidChange(() => this.#changed()));
    if (options.obstacles !== undefined) {
      this.#held.add(options.obstacles.onDidChange(() => this.#queue.size > 0 && this.#changed()));
    }
    this.#held.add(this.#results.onLink((change) => this.#ready && this.#post({ kind: 'link', ...change })));
  }

  /** Any message from the page. Malformed ones are dropped and reported. */
  receive(message: unknown): void {
    const decoded = decode(pageMessage, message);
    if (!decoded.ok) return this.#actions.report(`A message from the page was dropped: ${decoded.problem}`);
    this.#handle(decoded.value).catch((error: unknown) => this.#actions.report(errorMessage(error)));
  }

  /** The editor shows or hides the page as a whole. */
  setVisible(visible: boolean): void {
    this.#arming.setVisible(visible);
    // A page that comes back has to say anew what it has in view.
    if (this.#ready) this.#post({ kind: 'visibility', visible });
  }

  /** Brings a prompt to the top of the page: this one, or the first that waits. */
  show(id: string | undefined, focus: 'keep' | 'move'): void {
    const message = { kind: 'show', ...(id === undefined ? {} : { id }), focus } as const;
    if (this.#ready) this.#post(message);
    else this.#wanted = message;
  }

  dispose(): void {
    this.#ready = false;
    this.#disposed = true;
    this.#pause?.dispose();
    this.#held.dispose();
  }

  async #handle(message: PageMessage): Promise<void> {
    switch (message.kind) {
      case 'ready':
        // Also after the page was loaded again: what it knew is gone.
        this.#ready = true;
        this.#sent = new Set();
        this.#arming.reset();
        this.#sendState();
        if (this.#wanted !== undefined) this.#post(this.#wanted);
        this.#wanted = undefined;
        return;
      case 'need':
        return this.#sendCards(message.ids);
      case 'shown':
        // Only what really waits, as it really is: the table of sights stays as small as the queue.
        if (this.#queue.card(message.id)?.digest === message.digest) {
          this.#arming.shown(message.id, message.digest);
        }
        return;
      case 'hidden':
        return this.#arming.hidden(message.id);
      case 'answer': {
        const { id, digest, answer } = message;
        const verdict = await this.#queue.answer(id, digest, answer, this.#arming);
        if (verdict.kind === 'refused') this.#post({ ...verdict, id });
        if (verdict.kind === 'kept') this.#post({ kind: 'opened', id });
        return;
      }
      case 'answerMany':
        // One after the other and in order, so that the calls start in the order in which they were asked.
        for (const { id, digest } of message.prompts) {
          const verdict = await this.#queue.answer(id, digest, message.answer, this.#arming);
          if (verdict.kind === 'refused') this.#post({ ...verdict, id });
        }
        return;
      case 'check': {
        const problems = await this.#queue.check(message.id, message.value);
        if (problems === undefined) return;
        return this.#post({ kind: 'checked', id: message.id, revision: message.revision, problems });
      }
      case 'cancelCall':
        return this.#board.cancel(message.callId);
      case 'needResult':
        return postResult(this.#results, message.id, 'card', this.#post);
      case 'useResult':
        return this.#results.use(message.id, message.action, message.part);
      case 'clearFinished':
        return this.#board.clearFinished();
      case 'openText': {
        const card = this.#queue.card(message.id);
        if (card !== undefined) this.#actions.openText(card, message.path);
        return;
      }
      case 'openPage':
        return this.#actions.openPage(message.id);
      case 'problem':
        return this.#actions.report(`The page says: ${message.text}`);
    }
  }

  #changed(): void {
    this.#stale = true;
    const { size } = this.#queue;
    // A person waits for a prompt; everything else, and the hundredth prompt, can wait for the pause to end.
    const urgent = size > this.#listed && size <= urgentSize;
    if (this.#flushing || (this.#pause !== undefined && !urgent)) return;
    this.#flushing = true;
    // A burst within one step of the program is one message: the microtask runs after all of it.
    queueMicrotask(() => this.#flush());
  }

  #flush(): void {
    this.#flushing = false;
    if (!this.#stale || this.#disposed) return;
    this.#stale = false;
    this.#listed = this.#queue.size;
    if (this.#ready) this.#sendState();
    this.#pause?.dispose();
    this.#pause = this.#clock.after(pauseMs, () => {
      this.#pause = undefined;
      this.#flush();
    });
  }

  #sendState(): void {
    const pending = this.#queue.pending;
    const ids = new Set(pending.map(({ id }) => id));
    this.#sent = new Set(Array.from(this.#sent).filter((id) => ids.has(id)));
    for (const id of this.#arming.ids) if (!ids.has(id)) this.#arming.hidden(id);
    // The first two go along unasked, in the same message, so that showing them takes no second trip.
    const cards = this.#unsentCards(pending.slice(0, 2).map(({ id }) => id));
    const prompts = pending.map((card) => this.#summary(card));
    this.#post({ kind: 'state', prompts, calls: this.#board.calls, cards });
  }

  #summary(card: PromptCard): PromptSummary {
    const obstacle = this.#obstacles?.of(card);
    return obstacle === undefined ? promptSummary(card) : { ...promptSummary(card), obstacle };
  }

  #sendCards(ids: readonly string[]): void {
    const cards = this.#unsentCards(ids);
    if (cards.length > 0) this.#post({ kind: 'cards', cards });
  }

  /** Cards that the page does not have yet; from now on it has them. */
  #unsentCards(ids: readonly string[]): readonly PromptCard[] {
    const cards = Array.from(new Set(ids))
      .filter((id) => !this.#sent.has(id))
      .map((id) => this.#queue.card(id))
      .filter((card) => card !== undefined);
    for (const { id } of cards) this.#sent.add(id);
    return cards;
  }
}
