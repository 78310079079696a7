import { visibleText } from '../shared/visibleText.ts';

/** Nobody reads a longer notification. */
const longest = 1000;

/**
 * Text for a notification. The editor turns `[words](command:…)` in it into a link that runs the command, so what
 * comes from servers, workspaces and models must not be able to write one.
 */
export function noticeText(text: string): string {
  const shown = visibleText(text).replaceAll('](', '] (');
  return shown.length > longest ? `${shown.slice(0, longest)}…` : shown;
}
