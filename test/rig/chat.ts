import type { Locator, Page } from 'playwright-core';
import { waitFor } from './waitFor.ts';
import { runCommand } from './workbench.ts';

/** The visible Chat view. */
export function chatView(page: Page): Locator {
  return page.locator('.interactive-session').first();
}

/** Opens the Chat view and waits until the model with that name is chosen in it. */
export async function openChat(page: Page, model: string): Promise<void> {
  await runCommand(page, 'Chat: Open Chat');
  // A request sent before the model is known ends with "Language model unavailable".
  await chatView(page).getByRole('button', { name: model }).first().waitFor();
}

/** Types a message into the Chat view's input and sends it. */
export async function sendChat(page: Page, text: string): Promise<void> {
  const part = chatView(page).locator('.interactive-input-part');
  const editor = part.locator('.monaco-editor').first();
  const typed = async () =>
    (await editor.locator('.view-lines').innerText()).replaceAll('\u00a0', ' ').trim();
  // Lines are broken where they end in the input, so blanks do not count. The end of a long message is in sight.
  const end = text.replaceAll(/\s+/g, '').slice(-12);
  const isThere = async () => (await typed()).replaceAll(/\s+/g, '').endsWith(end);
  await waitFor('the message in the chat input', async () => {
    await editor.click();
    // A sticky participant has put its name there already, or does so just now, in place of what was typed.
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText(text);
    return waitFor('the text in the input', isThere, 1_500).catch(() => false);
  });
  // A long message scrolls its beginning out of the input, and with it out of the page.
  await page.keyboard.press('ControlOrMeta+Home');
  const mention = /^@\S+/.exec(text)?.[0];
  if (mention !== undefined) await mentionKnown(editor, mention);
  // Enter may go to a suggestion first, so it counts only once the text has left the input. A participant
  // that is sticky puts its own name back.
  const before = await typed();
  await waitFor('the chat input to be sent', async () => {
    if ((await typed()) === before) await page.keyboard.press('Enter');
    return waitFor('the text to leave the input', async () => (await typed()) !== before, 1_500).catch(
      () => false,
    );
  });
}

/** Waits until nothing that was asked is being answered: what ends then sets the input anew. */
export async function chatRests(page: Page): Promise<void> {
  await chatView(page)
    .locator('.interactive-input-part .codicon-stop-circle')
    .first()
    .waitFor({ state: 'detached' });
}

/** Waits until the input shows the participant's name as recognised; sent before, it goes to no one. */
async function mentionKnown(editor: Locator, mention: string): Promise<void> {
  await editor.locator('.view-lines span[class*="ced-"]').filter({ hasText: mention }).first().waitFor();
}

/** The answers in the Chat view, in order. */
export function chatAnswers(page: Page): Locator {
  return chatView(page).locator('.interactive-response');
}
