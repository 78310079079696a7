import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { delay, raceAbort } from '../base/abort.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { HostError } from '../base/errors.ts';
import { RateWindow } from '../base/rateWindow.ts';
import type { ParsedMessage } from '../protocol/parseMessages.ts';
import { sniffAnsweredId } from '../protocol/sniffId.ts';
import { LineSplitter } from './lineSplitter.ts';
import { MessageQueue } from './messageQueue.ts';
import { ReadingPace } from './readingPace.ts';
import { StderrLines } from './stderrLines.ts';
import { type ProcessExit, type StdioCommand, StdioProcess } from './stdioProcess.ts';
import { accepted, type JsonRpcMessage, type Transport, type TransportEvents } from './transport.ts';

export interface StdioOptions extends StdioCommand {
  /** One line of the server's standard error, for its log. Not a sign of trouble. */
  readonly onStderr?: (line: string) => void;
  /** Longest message that is accepted. Bytes; 16 MiB by default. */
  readonly maxMessageBytes?: number;
  readonly clock?: Clock;
}

const defaultMaxMessageBytes = 16 * 1024 * 1024;
/** More unsent bytes than this mean that the server does not read: further messages are refused. */
const maxUnsentBytes = 64 * 1024 * 1024;
/** How long output may keep coming after the exit, from children that hold the pipe. Milliseconds. */
const drainMs = 500;
const shownLength = 200;
/** Chunks of standard error from this size on are read one in a turn. Bytes. */
const largeChunk = 16_384;
/**
 * After the first message of a turn the others go out in writes of about this size: few system calls, and
 * the server begins with the first ones while we still prepare the last. Characters.
 */
const batchLength = 4_096;

/** A server as a child process: one JSON-RPC message a line (specification: stdio). */
export class StdioTransport implements Transport {
  readonly kind = 'stdio';
  readonly #options: StdioOptions;
  readonly #clock: Clock;
  readonly #stderr: StderrLines;
  /** Lines that are no messages. Each one told costs far more than it cost the server, so most of many are counted. */
  readonly #junk: RateWindow;
  readonly #queue = new MessageQueue({
    hold: () => this.#process?.stdout.pause(),
    release: () => this.#process?.stdout.resume(),
    flooded: (error) => this.#giveUp(error),
  });
  #process: StdioProcess | undefined;
  #events: TransportEvents | undefined;
  #unsent = '';
  /** True between the first message of a turn of the event loop, which goes out at once, and the turn's end. */
  #turnOpen = false;
  #closing: Promise<void> | undefined;
  /** Settles when the end has been told. */
  #reported: Promise<void> | undefined;
  #closed = false;
  /** Why we gave the server up. */
  #fault: HostError | undefined;

  constructor(options: StdioOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#stderr = new StderrLines(options.onStderr ?? (() => undefined));
    this.#junk = new RateWindow({
      clock: this.#clock,
      limit: 100,
      windowMs: 1_000,
      onMissed: (count) => {
        const text = `The server sent ${count} more lines that are no messages.`;
        this.#events?.dropped(new HostError('malformedMessage', text));
      },
    });
  }

  /** Process id of the server while it runs. */
  get pid(): number | undefined {
    return this.#closed ? undefined : this.#process?.pid;
  }

  async start(events: TransportEvents, signal?: AbortSignal): Promise<void> {
    const server = await StdioProcess.start(this.#options, this.#clock);
    this.#process = server;
    this.#events = events;
    const splitter = new LineSplitter(this.#options.maxMessageBytes ?? defaultMaxMessageBytes, {
      line: (bytes) => this.#receive(bytes),
      blank: (count) => this.#queue.junk(count),
      oversized: (head, tail, length) => this.#receiveOversized(head, tail, length),
    });
    server.stdout.on('data', (chunk: Buffer) =>
      this.#queue.feed(chunk.length, (from, to) => splitter.push(chunk.subarray(from, to))),
    );
    server.stdout.on('end', () => void this.#outputEnded(server));
    this.#readErrors(server);
    // A broken pipe shows as the exit of the process, which says more.
    for (const stream of [server.stdin, server.stdout, server.stderr]) stream.on('error', () => undefined);
    this.#reported = this.#untilExit(server, splitter);
    if (signal?.aborted === true) {
      // Whoever hears that the start failed is told nothing else.
      this.#events = undefined;
      await this.close();
      await raceAbort(accepted, signal);
    }
  }

  /** A flood beside the protocol gets no more of the thread than one in it. */
  #readErrors({ stderr, exited }: { readonly stderr: Readable; readonly exited: Promise<unknown> }): void {
    const pace = new ReadingPace();
    let isOver = false;
    const resume = (): void => void stderr.resume();
    stderr.on('data', (chunk: Buffer) => {
      const start = this.#clock.monotonic();
      this.#stderr.push(chunk);
      const now = this.#clock.monotonic();
      pace.worked(now - start, now);
      const rest = pace.rest(now);
      if (isOver || (rest === 0 && chunk.length < largeChunk)) return;
      // Otherwise all that a pipe holds would be read in one turn.
      stderr.pause();
      if (rest > 0) this.#clock.after(rest, resume);
      else setImmediate(resume);
    });
    // What is left in the pipe are its last words.
    void exited.then(() => {
      isOver = true;
      resume();
    });
  }

  send(message: JsonRpcMessage): Promise<void> {
    const stdin = this.#process?.stdin;
    if (stdin === undefined || this.#closing !== undefined || this.#closed || !stdin.writable)
      return Promise.reject(new HostError('closed', 'The server is not running.'));
    if (stdin.writableLength + this.#unsent.length > maxUnsentBytes)
      return Promise.reject(new HostError('limitExceeded', 'The server does not read what it is sent.'));
    let line: string;
    try {
      line = JSON.stringify(message) + '\n';
    } catch (cause) {
      return Promise.reject(
        new HostError('malformedMessage', 'The message cannot be written as JSON.', { cause }),
      );
    }
    this.#unsent += line;
    if (!this.#turnOpen) {
      this.#turnOpen = true;
      process.nextTick(this.#endTurn);
      this.#flush();
    } else if (this.#unsent.length >= batchLength) this.#flush();
    return accepted;
  }

  /** Nothing depends on the revision here. */
  useProtocol(): void {}

  close(): Promise<void> {
    return (this.#closing ??= this.#end());
  }

  readonly #endTurn = (): void => {
    this.#turnOpen = false;
    this.#flush();
  };

  #flush(): void {
    const text = this.#unsent;
    if (text === '') return;
    this.#unsent = '';
    const stdin = this.#process?.stdin;
    if (stdin?.writable === true) stdin.write(text, 'utf8');
  }

  async #end(): Promise<void> {
    const server = this.#process;
    if (server === undefined) return;
    this.#flush();
    await server.end();
    // Not for ever: a process that cannot be killed never exits.
    await Promise.race([this.#reported, delay(this.#clock, 2 * drainMs)]);
  }

  #receive(bytes: Buffer): void {
    const begin = firstByte(bytes);
    if (begin === undefined) return;
    if (!messageBegins.has(begin)) {
      this.#queue.junk(1);
      if (this.#junk.take() === 'held') return;
    }
    const decoded = bytes.toString('utf8');
    const text = decoded.startsWith('\uFEFF') ? decoded.slice(1) : decoded;
    // Bad bytes always leave a replacement character, so the strict check is rarely needed.
    const broken = text.includes('\uFFFD') && !isUtf8(bytes);
    this.#queue.push(text, (entries) => this.#deliver(entries, broken, text));
  }

  /** `broken`: the bytes of the text were not UTF-8. */
  #deliver(entries: readonly ParsedMessage[], broken: boolean, text: string): void {
    for (const parsed of entries) {
      if (parsed.kind === 'message' && !broken) {
        this.#events?.message(parsed.message, {});
        continue;
      }
      const reason =
        parsed.kind === 'message' || broken
          ? 'The server sent bytes that are not UTF-8.'
          : parsed.error.message;
      const error = new HostError('malformedMessage', reason, {
        details: { start: text.slice(0, shownLength) },
      });
      const id =
        parsed.kind === 'invalid' ? parsed.id : 'method' in parsed.message ? undefined : parsed.message.id;
      if (id === undefined) this.#events?.dropped(error);
      else this.#events?.requestFailed(id, error);
    }
  }

  #receiveOversized(head: Buffer, tail: Buffer, length: number): void {
    const start = head.toString('utf8');
    const error = new HostError('messageTooLarge', `The server sent a message of ${length} bytes.`, {
      details: { length, start: start.slice(0, shownLength) },
    });
    const id = sniffAnsweredId(start, tail.toString('utf8'));
    if (id === undefined) this.#events?.dropped(error);
    else this.#events?.requestFailed(id, error);
  }

  #giveUp(error: HostError): void {
    this.#fault = new HostError(error.code, error.message, {
      details: { ...error.details, stderr: this.#stderr.last },
    });
    // Nothing more is read, whatever is on its way.
    this.#process?.stdout.destroy();
    void this.close();
  }

  /** A server may end by closing its output; one that then stays is of no use any more. */
  async #outputEnded(server: StdioProcess): Promise<void> {
    if (!(await server.exitsWithinGrace())) await server.end();
  }

  async #untilExit(server: StdioProcess, splitter: LineSplitter): Promise<void> {
    const exit = await server.exited;
    await this.#untilDrained(server);
    splitter.end();
    await this.#untilRead();
    this.#stderr.end();
    this.#junk.dispose();
    const asked = this.#closing !== undefined;
    if (!asked) await server.endGroup();
    this.#closed = true;
    server.release();
    const events = this.#events;
    this.#events = undefined;
    events?.closed(this.#fault ?? (asked ? undefined : this.#exitError(server.pid, exit)));
  }

  /** The output waits while a long message is read, and that time does not count. */
  async #untilDrained(server: StdioProcess): Promise<void> {
    do {
      await this.#untilRead();
      await Promise.race([server.drained, delay(this.#clock, drainMs)]);
    } while (this.#closing === undefined && this.#queue.working !== undefined);
  }

  async #untilRead(): Promise<void> {
    if (this.#closing !== undefined) this.#queue.stop();
    await this.#queue.working;
  }

  #exitError(pid: number, exit: ProcessExit): HostError {
    if (exit.failure !== undefined) return exit.failure;
    const how = exit.signal === null ? `with code ${exit.code}` : `by signal ${exit.signal}`;
    return new HostError('exited', `The server ended ${how}.`, {
      details: { exitCode: exit.code, signal: exit.signal, pid, stderr: this.#stderr.last },
    });
  }
}

/** `{`, `[`, and the first byte of a byte order mark. */
const messageBegins: ReadonlySet<number> = new Set([0x7b, 0x5b, 0xef]);

/** The first byte that is no white space; blank lines, which are no fault, have none. */
function firstByte(bytes: Buffer): number | undefined {
  // No iterator: this runs for every line of a flood.
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte !== 0x20 && byte !== 0x0d && byte !== 0x09) return byte;
  }
  return undefined;
}

/** A transport that starts the server when it is started. */
export function createStdioTransport(options: StdioOptions): StdioTransport {
  return new StdioTransport(options);
}
