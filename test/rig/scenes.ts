import { demoSettings } from './demo.ts';
import type { Editor, EditorOptions } from './editor.ts';

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
    name: 'workbench',
    options: { settings: demoSettings },
    play: async ({ page }) => {
      await page.getByRole('treeitem').first().waitFor();
    },
  },
];
