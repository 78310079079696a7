// `npm run pictures [scene …]`: takes the README's pictures anew, from the real editor.
import path from 'node:path';
import { Editor } from '../editor.ts';
import { repoRoot } from '../paths.ts';
import { scenes } from '../scenes.ts';
import { ensureEditor } from '../setup/ensureEditor.ts';
import { makeRunFolder } from '../runner/temporary.ts';
import { runCommand } from '../runner/checkStage.ts';
import { rmSync } from 'node:fs';

const temporary = makeRunFolder();
try {
  await ensureEditor();
  const built = await runCommand(['node', 'esbuild.mjs'], new AbortController().signal);
  if (built.exitCode !== 0) throw new Error(built.output);
  const wanted = process.argv.slice(2);
  for (const { name, options, play } of scenes) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const editor = await Editor.start(options);
    try {
      await editor.openWindow();
      await play(editor);
      await editor.screenshot(path.join(repoRoot, 'media', `${name}.png`));
      console.log(`media/${name}.png`);
    } finally {
      await editor.close();
    }
  }
} finally {
  rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
}
