import type { EventData } from 'node:test';
import { inspect, stripVTControlCharacters } from 'node:util';
import type { Outcome } from './outcome.ts';

/** How a tally speaks. */
export type TallyOptions = Readonly<{
  /** Name every test, not only those that fail. */
  verbose: boolean;
  print: (line: string) => void;
  /** Short name of a file. */
  nameOf: (file: string) => string;
}>;

type Finished = EventData.TestPass | EventData.TestFail;

/**
 * Counts the events of Node's test runner more strictly than it does itself: a file that runs no test, or that
 * ends before its tests have, is a failure; skipped and todo tests are neither passed nor failed.
 */
export class NodeTally {
  readonly #options: TallyOptions;
  readonly #output = new Map<string, string>();
  readonly #ended = new Set<string>();
  readonly #failedFiles = new Map<string, string>();
  #passed = 0;
  #failed = 0;
  #skipped = 0;

  constructor(options: TallyOptions) {
    this.#options = options;
  }

  /** Takes note of a passed test, suite or file. */
  pass(test: EventData.TestPass): void {
    // Suites are no tests; a file that passes as a whole has none in it, which `finish` reports.
    if (test.details.type === 'suite' || isFile(test)) return;
    if (isSkipped(test)) this.#skipped++;
    else this.#passed++;
    if (this.#options.verbose) this.#options.print(`  ✔ ${describe(test)}`);
  }

  /** Takes note of a failed test, suite or file. */
  fail(test: EventData.TestFail): void {
    if (isSkipped(test)) {
      this.#skipped++;
      return;
    }
    // A parent that failed only because of its children says nothing new.
    if (failureType(test) === 'subtestsFailed') return;
    const error = describeError(test.details.error);
    // What a file printed last, and so why it failed, arrives after this event.
    if (isFile(test)) this.#failedFiles.set(test.name, error);
    else this.#report(fileOf(test), describe(test), error);
  }

  /** Keeps what a file printed, for the report of its failures; bounded. Measurements are passed on at once. */
  text({ file, message }: EventData.TestStdout): void {
    for (const line of message.split('\n')) if (line.startsWith('bench: ')) this.#options.print(`  ${line}`);
    this.#output.set(file, ((this.#output.get(file) ?? '') + message).slice(-20_000));
  }

  /** Keeps what the runner says about a file, for example an error after the end of a test. */
  diagnostic(diagnostic: EventData.TestDiagnostic): void {
    const file = fileOf(diagnostic);
    if (file !== '') this.text({ file, message: `${diagnostic.message}\n` });
  }

  /** Takes note that a file came to its orderly end. */
  summary({ file }: EventData.TestSummary): void {
    if (file !== undefined) this.#ended.add(file);
  }

  /** Looks for files that did not do what they should and returns the count. */
  finish(files: readonly string[]): Outcome {
    const early = 'It ran no test, or its process ended before its tests did.';
    for (const file of files) {
      const failure = this.#failedFiles.get(file) ?? (this.#ended.has(file) ? undefined : early);
      if (failure !== undefined) this.#report(file, 'the file itself failed', failure);
    }
    return { passed: this.#passed, failed: this.#failed, skipped: this.#skipped };
  }

  #report(file: string, title: string, error: string): void {
    this.#failed++;
    const printed = this.#output.get(file);
    this.#output.delete(file);
    const lines = [`  ✖ ${this.#options.nameOf(file)}: ${title}`, indent(error)];
    if (printed) lines.push('    It printed:', indent(printed.trimEnd()));
    this.#options.print(stripVTControlCharacters(lines.join('\n')));
  }
}

function isFile({ name, file, nesting }: Finished): boolean {
  return nesting === 0 && name === file;
}

function isSkipped({ skip, todo }: Finished): boolean {
  return (skip !== undefined && skip !== false) || (todo !== undefined && todo !== false);
}

function describe(test: Finished): string {
  const suite: unknown = Reflect.get(test, 'classname');
  const name = typeof suite === 'string' ? `${suite} › ${test.name}` : test.name;
  return `${name} (${Math.round(test.details.duration_ms)} ms)`;
}

// A test that a helper registers is located in the helper; the file that was run is named beside it.
function fileOf(test: EventData.LocationInfo): string {
  const entry: unknown = Reflect.get(test, 'entryFile');
  return typeof entry === 'string' ? entry : (test.file ?? '');
}

function failureType(test: EventData.TestFail): unknown {
  return Reflect.get(test.details.error, 'failureType');
}

function describeError(error: EventData.Error): string {
  const cause: unknown = error.cause;
  return typeof cause === 'string' ? cause : inspect(cause ?? error, { depth: 8 });
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}
