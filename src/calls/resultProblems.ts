import { type LostNumber, lostNumberTexts } from '../protocol/lostNumbers.ts';
import type { CheckedResult } from '../tools/checkResult.ts';
import { problemText } from '../tools/schemaProblems.ts';

/** Lines of problems on record; a server can send ten thousand wrong parts. */
const most = 100;

/** What the check of a result found, one line each, for the record. */
export function resultProblems({ structured, blocks, lostNumbers = [] }: CheckedResult): readonly string[] {
  const problems: string[] = [];
  if (structured.kind === 'missing') problems.push('The promised structured content is missing.');
  if (structured.kind === 'invalid')
    problems.push(problemText(structured.problems, 'the structured content'));
  if (structured.kind === 'unchecked') problems.push(structured.reason);
  problems.push(...numberProblems(lostNumbers));
  for (const block of blocks) {
    if (problems.length > most) {
      problems.push('There are more such parts.');
      break;
    }
    if (block.kind === 'broken') problems.push(`Broken attachment (${block.claimedType}): ${block.reason}`);
    if (block.kind === 'unknown')
      problems.push(`Content of unknown type ${JSON.stringify(block.claimedType)}.`);
  }
  return problems;
}

/** The same for numbers alone. */
export function numberProblems(lost: readonly LostNumber[]): readonly string[] {
  return lostNumberTexts(lost).map((text) => `Not an exact number: ${text}.`);
}
