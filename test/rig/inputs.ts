import type { FrameLocator, Page, Request } from 'playwright-core';
import { approvals } from './approvals.ts';
import { chatRests, sendChat } from './chat.ts';
import type { Editor } from './editor.ts';
import { waitFor } from './waitFor.ts';

/** What a person does with the cards of input requests. */
export interface InputCards {
  readonly frame: FrameLocator;
  /** Waits for the card with these words. */
  readonly shows: (words: string | RegExp) => Promise<void>;
  readonly press: (name: string) => Promise<void>;
  readonly fill: (label: string | RegExp, text: string) => Promise<void>;
}

export function inputCards(editor: Editor): InputCards {
  const { frame } = approvals(editor);
  return {
    frame,
    shows: (words) => frame.locator('article').getByText(words).first().waitFor(),
    press: (name) => frame.getByRole('button', { name, exact: true }).click(),
    fill: (label, text) => frame.getByRole('textbox', { name: label }).fill(text),
  };
}

/**
 * Does `act`, and returns the address that the editor has the browser go to because of it, whether anybody answers
 * there or not. The editor asks before it opens an address that it does not know; the answer here is yes.
 */
export async function openedBy(editor: Editor, act: () => Promise<void>): Promise<string> {
  const { context, page } = editor;
  const visits: string[] = [];
  const onRequest = (request: Request): void => {
    const isOwn = request.url().startsWith(editor.server.url);
    if (request.isNavigationRequest() && !isOwn) visits.push(request.url());
  };
  context.on('request', onRequest);
  try {
    await act();
    return await waitFor('an address to be opened', async () => {
      const yes = page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true });
      if (await yes.isVisible()) await yes.click();
      return visits[0];
    });
  } finally {
    context.off('request', onRequest);
    // The page is announced after its first request. One left open tries again later, and would be taken for a new one.
    const others = (): Page[] => context.pages().filter((other) => other !== page);
    if (visits.length > 0) await waitFor('the page that was opened', () => others().length > 0);
    for (const other of others()) await other.close();
  }
}

/**
 * Asks for calls in the chat, one message after the other. The returned function waits for the end of a message's
 * calls and returns what the model was given for them: the chat itself keeps only the newest answers on the page.
 */
export function chatCalls(editor: Editor): (lines: string) => Promise<() => Promise<string>> {
  let asked = 0;
  const replies = (): readonly string[] =>
    editor
      .channel('Demo Model', 'countersign-demo.demo-model')
      .split('\n')
      .flatMap((line) => /reply (\{.*\})\s*$/.exec(line)?.[1] ?? [])
      .map((json) => JSON.parse(json) as { readonly kind: string; readonly text?: string })
      .flatMap(({ text }) => (text?.startsWith('The tools answered') === true ? [text] : []));
  return async (lines) => {
    // The chat stays open, with the model chosen.
    if (asked === 0) await editor.ask(`@countersign ${lines}`);
    else await sendChat(editor.page, `@countersign ${lines}`);
    const place = asked++;
    return async () => {
      const reply = await waitFor(`the answer to "${lines.slice(0, 60)}"`, () => replies()[place]);
      await chatRests(editor.page);
      return reply;
    };
  };
}
