import type { FrameLocator } from 'playwright-core';
import type { Editor } from './editor.ts';

/** What a person does in the Approvals view. */
export function approvals(editor: Editor): {
  readonly frame: FrameLocator;
  /** Waits for the prompt of a tool at the top of the view. */
  shows(tool: string): Promise<void>;
  allowOnce(): Promise<void>;
  /** Runs the tool whose arguments are being filled in. */
  run(): Promise<void>;
  deny(): Promise<void>;
} {
  const frame = editor.webview('view');
  const press = (name: string): Promise<void> =>
    // The button answers only once the card has been in view long enough; the click waits for that.
    frame.getByRole('button', { name, exact: true }).click();
  return {
    frame,
    shows: (tool) =>
      frame
        .getByRole('heading', { name: tool })
        .or(frame.getByText(tool, { exact: true }))
        .first()
        .waitFor(),
    allowOnce: () => press('Allow Once'),
    run: () => press('Run'),
    deny: () => press('Deny'),
  };
}
