import { rmSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Editor, type EditorOptions } from './editor.ts';
import { outFolder } from './paths.ts';

/** Longest time that one editor test may take, in milliseconds. */
const limit = 300_000;

/**
 * A test that drives a VS Code window from outside. A failure leaves pictures and logs in `test/out/<name>/`;
 * a process that the editor started and that outlives it is a failure too.
 */
export function editorTest(
  name: string,
  options: EditorOptions,
  body: (editor: Editor) => Promise<void>,
): void {
  void test(name, { timeout: limit + 60_000 }, async () => {
    const folder = path.join(outFolder, folderName(name));
    rmSync(folder, { recursive: true, force: true });
    const editor = await Editor.start(options);
    let orphans;
    try {
      await editor.openWindow();
      await withinLimit(body(editor));
    } catch (error) {
      await editor.saveEvidence(folder);
      const where = path.relative(process.cwd(), folder);
      throw new Error(`pictures and logs of the failure: ${where}`, { cause: error });
    } finally {
      orphans = await editor.close();
    }
    if (orphans.length > 0) {
      const list = orphans.map(({ pid, command }) => `${pid} ${command}`).join('\n');
      throw new Error(`left running after the editor had ended:\n${list}`);
    }
  });
}

/** A folder name that says which test it belongs to. */
export function folderName(title: string): string {
  return title
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 80);
}

// The limit is our own, and below the runner's, so that a hanging test still leaves its evidence.
async function withinLimit(work: Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`took longer than ${limit} ms`)), limit);
  try {
    await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
