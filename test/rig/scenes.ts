import { demoSettings } from './demo.ts';
import type { Editor, EditorOptions } from './editor.ts';
import { approvals } from './approvals.ts';
import { resultScript } from './resultScript.ts';
import { clickRowAction, openContainer, treeRow } from './workbench.ts';

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
  {
    name: 'runTool',
    options: { settings: resultScript.settings },
    play: async (editor) => {
      await openContainer(editor.page, 'Countersign');
      await clickRowAction(treeRow(editor.page, 'report'), 'Run Tool…');
      const view = approvals(editor);
      await view.frame.getByRole('textbox', { name: 'City' }).fill('Oslo');
      await view.frame.getByRole('textbox', { name: 'Days' }).fill('0');
      await view.frame.getByText('Must be at least 1', { exact: false }).first().waitFor();
    },
  },
  {
    name: 'result',
    options: { settings: resultScript.settings },
    play: async (editor) => {
      await openContainer(editor.page, 'Countersign');
      await clickRowAction(treeRow(editor.page, 'report'), 'Run Tool…');
      const view = approvals(editor);
      await view.frame.getByRole('textbox', { name: 'City' }).fill('Oslo');
      await view.run();
      const tab = editor.webview('panel');
      await tab.getByRole('heading', { name: 'Structured content' }).waitFor();
      await tab.locator('.picture img').first().waitFor();
    },
  },
  {
    name: 'form',
    options: {
      settings: {
        ...demoSettings,
        'countersign.rules': [{ server: '*', tool: '*', decision: 'allow' }],
      },
    },
    play: async (editor) => {
      await openContainer(editor.page, 'Countersign');
      await treeRow(editor.page, 'everything').filter({ hasText: 'running' }).waitFor();
      await editor.ask('@countersign use trigger-elicitation-request {}');
      const { frame } = approvals(editor);
      await frame.getByRole('textbox', { name: 'String (required) name' }).fill('Ada Lovelace');
      await frame.getByRole('textbox', { name: 'String with email format email' }).fill('ada@');
      await frame.locator('.problem:visible').first().waitFor();
    },
  },
];
