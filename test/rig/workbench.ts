import type { FrameLocator, Locator, Page } from 'playwright-core';
import { waitFor } from './waitFor.ts';

/** Goes to the workbench and waits until its frame stands; tries a second time if the first load hangs. */
export async function openWorkbench(page: Page, url: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await page.goto(url, { waitUntil: 'commit' });
    try {
      await page.waitForSelector('.monaco-workbench', { timeout: 30_000 });
      return;
    } catch (error) {
      if (attempt === 2) throw error;
    }
  }
}

/** Address of the workbench with a folder or a `.code-workspace` file open, or an empty window. */
export function workbenchUrl(base: string, place?: string): string {
  const kind = place?.endsWith('.code-workspace') === true ? 'workspace' : 'folder';
  const query = new URLSearchParams(place === undefined ? { ew: 'true' } : { [kind]: place });
  query.set('payload', '[["skipWelcome","true"],["skipReleaseNotes","true"]]');
  return `${base}/?${query.toString()}`;
}

/**
 * Content of one of an extension's webviews: a `view` in a side bar or the panel, or a `panel` in an editor tab.
 */
export function webviewFrame(page: Page, extensionId: string, kind: 'view' | 'panel'): FrameLocator {
  // A tab names the content that belongs to it. The content's address says `purpose` for views, but only now and then:
  // not if the extension sets the view's options before the frame is made.
  const inTab = 'ancestor::*/@id = //*[starts-with(@id, "webview-editor-element")]/@aria-flowto';
  const inView = `not(${inTab}) and not(ancestor::*[contains(@style, "visibility: hidden")])`;
  const ready = `contains(@class, "ready") and contains(@src, "extensionId=${extensionId}")`;
  return page
    .frameLocator(`xpath=//iframe[${ready} and ${kind === 'view' ? inView : inTab}]`)
    .frameLocator('iframe#active-frame');
}

/**
 * Runs a command through the palette by its full title. An open palette does not notice commands that are
 * registered later, so it is closed and opened again until the command is there.
 */
export async function runCommand(page: Page, title: string, timeout = 30_000): Promise<void> {
  const box = page.locator('.quick-input-widget .quick-input-box input');
  const row = page
    .locator('.quick-input-list .monaco-list-row')
    .filter({ has: page.locator('.label-name').getByText(title, { exact: true }) })
    .first();
  for (const end = performance.now() + timeout; ;) {
    await page.keyboard.press('F1');
    try {
      // Whatever takes the focus meanwhile closes the palette again.
      await box.fill(`>${title}`, { timeout: 3_000 });
      await row.click({ timeout: 1_500 });
      return;
    } catch (error) {
      if (performance.now() > end) throw new Error(`no command "${title}" in the palette`, { cause: error });
    }
    await page.keyboard.press('Escape');
  }
}

/** Opens a view container by the title that its tab in the activity bar has. */
export async function openContainer(page: Page, title: string | RegExp): Promise<void> {
  const tab = page.getByRole('tab', { name: title }).first();
  await tab.waitFor();
  const isOpen = async (): Promise<boolean> => (await tab.getAttribute('aria-selected')) === 'true';
  // A press on the tab of an open container closes it, and a window that is just loading may open it by itself.
  await waitFor('the view container to be open', async () => {
    if (await isOpen()) return true;
    await tab.click();
    return waitFor('its tab to be selected', isOpen, 1_500).catch(() => false);
  });
}

/** A row of a tree view by its label; the accessible name of a row may be its tooltip instead. */
export function treeRow(page: Page, label: string): Locator {
  return page
    .getByRole('treeitem')
    .filter({ has: page.locator('.label-name').getByText(label, { exact: true }) });
}

/** A button that appears on a tree row while the pointer is over it. */
export async function clickRowAction(row: Locator, name: string | RegExp): Promise<void> {
  await row.hover();
  await row.getByRole('button', { name }).click();
}

/** A notification toast that contains `text`. */
export function toast(page: Page, text: string | RegExp): Locator {
  return page.locator('.notification-toast').filter({ hasText: text });
}

/** A modal dialog that contains `text`. */
export function modalDialog(page: Page, text: string | RegExp): Locator {
  return page.getByRole('dialog').filter({ hasText: text });
}

/** The rows of the open quick pick. */
export function quickPickRow(page: Page, text: string | RegExp): Locator {
  return page.locator('.quick-input-list .monaco-list-row').filter({ hasText: text });
}

/**
 * Answers the input box whose title or prompt contains `about`. Several boxes in a row are one element for the
 * page: without `about`, an answer may still go to the one before, so this waits until the box has taken it.
 */
export async function answerInputBox(page: Page, text: string, about?: string | RegExp): Promise<void> {
  const widget = page.locator('.quick-input-widget');
  if (about !== undefined) await widget.filter({ hasText: about }).waitFor();
  const box = widget.locator('.quick-input-box input');
  await box.waitFor();
  await box.fill(text);
  await box.press('Enter');
  await waitFor(
    `the input box to take "${text}"`,
    async () => !(await box.isVisible()) || (await box.inputValue()) !== text,
  );
}
