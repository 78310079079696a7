import { demoSettings } from './demo.ts';
import type { Editor, EditorOptions } from './editor.ts';
import { openContainer, treeRow } from './workbench.ts';

/** One picture of the README: `play` leads the window to the moment at which it is taken. */
export type Scene = Readonly<{
  /** File name in `media/`, without the ending. */
  name: string;
  options: EditorOptions;
  play: (editor: Editor) => Promise<void>;
}>;

/** All pictures that `npm run pictures` takes. */
export const scenes: readonly Scene[] = [
  {
    name: 'approval',
    options: { settings: demoSettings },
    play: async (editor) => {
      await openContainer(editor.page, 'Countersign');
      await treeRow(editor.page, 'everything').filter({ hasText: 'running' }).waitFor();
      await editor.ask('@countersign echo hello');
      // Not before the button can be pressed is the prompt what a person sees.
      await editor.webview().getByRole('button', { name: 'Allow Once', disabled: false }).waitFor();
    },
  },
];
