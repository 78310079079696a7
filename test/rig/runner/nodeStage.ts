import path from 'node:path';
import { run as runNodeTests } from 'node:test';
import { finished } from 'node:stream/promises';
import { repoRoot } from '../paths.ts';
import { NodeTally } from './nodeTally.ts';
import type { Stage } from './stage.ts';
import { findTestFiles } from './testFiles.ts';
import { noTests } from './outcome.ts';

/** How a stage of tests for Node's own runner differs from others. */
export type NodeStageOptions = Readonly<{
  needs?: Stage['needs'];
  afterBuild?: boolean;
  /** Files that run at the same time. */
  concurrency: number;
}>;

/** A stage of the `*.test.ts` files below `folder`, each in a process of its own. */
export function nodeStage(name: string, folder: string, options: NodeStageOptions): Stage {
  return {
    name,
    needs: options.needs ?? 'nothing',
    afterBuild: options.afterBuild ?? false,
    hasFiles: true,
    run: async ({ filters, verbose, signal, print }) => {
      const files = findTestFiles(folder, filters);
      // Without files the runner would look for some by itself.
      if (files.length === 0) return noTests;
      const tally = new NodeTally({ verbose, print, nameOf: (file) => path.relative(repoRoot, file) });
      const events = runNodeTests({ files: [...files], concurrency: options.concurrency, signal });
      events.on('test:pass', (data) => tally.pass(data));
      events.on('test:fail', (data) => tally.fail(data));
      events.on('test:stdout', (data) => tally.text(data));
      events.on('test:stderr', (data) => tally.text(data));
      events.on('test:diagnostic', (data) => tally.diagnostic(data));
      events.on('test:summary', (data) => tally.summary(data));
      // Read to the end: the stream flows only while someone reads it.
      await finished(events.resume());
      return tally.finish(files);
    },
  };
}
