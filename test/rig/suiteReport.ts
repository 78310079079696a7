import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** One line of the report that a suite inside the extension host writes. */
export type SuiteEvent =
  | Readonly<{ kind: 'passed'; title: string; milliseconds: number }>
  | Readonly<{ kind: 'failed'; title: string; error: string }>
  | Readonly<{ kind: 'skipped'; title: string }>
  | Readonly<{ kind: 'ended' }>;

/** Adds a line; written at once, so that it survives the end of the host. */
export function appendSuiteEvent(file: string, event: SuiteEvent): void {
  appendFileSync(file, `${JSON.stringify(event)}\n`);
}

/** What a report says; the last event is `ended` only if the suite came to its end. */
export function readSuiteReport(file: string): readonly SuiteEvent[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line): SuiteEvent => JSON.parse(line));
}
