import { oneLine } from './treeText.ts';

/** Text for a list to choose from, in which the editor takes `$(name)` for an icon unless a `\` stands before it. */
export function pickText(text: string): string {
  return oneLine(text).replaceAll('$(', String.raw`\$(`);
}
