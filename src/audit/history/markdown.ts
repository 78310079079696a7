import { visibleLine } from '../../shared/visibleText.ts';

/** Foreign text on one line as a code span, which no text can end from within. */
export function code(text: string): string {
  const line = visibleLine(text, 1_000);
  if (line === '') return '(empty)';
  const marks = '`'.repeat(longestRun(line) + 1);
  const space = line.startsWith('`') || line.endsWith('`') || line.trim() !== line ? ' ' : '';
  return `${marks}${space}${line}${space}${marks}`;
}

/** Foreign text of several lines as a code block, which no text can end from within. */
export function fence(language: string, text: string): string {
  const marks = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${marks}${language}\n${text}\n${marks}`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
