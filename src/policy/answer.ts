import type { Reading } from './rule.ts';

/** Whether a condition holds. `unsure` when it cannot be judged; a person then decides. */
export type Answer = 'yes' | 'no' | 'unsure';

/** Holds if all hold. */
export function all(answers: Iterable<Answer>): Answer {
  let result: Answer = 'yes';
  for (const answer of answers) {
    if (answer === 'no') return 'no';
    if (answer === 'unsure') result = 'unsure';
  }
  return result;
}

/** Holds if at least one holds. */
export function any(answers: Iterable<Answer>): Answer {
  let result: Answer = 'no';
  for (const answer of answers) {
    if (answer === 'yes') return 'yes';
    if (answer === 'unsure') result = 'unsure';
  }
  return result;
}

/** Whether a condition holds for several values: for each of them if it allows, for any if it restricts. */
export function over(reading: Reading, answers: Iterable<Answer>): Answer {
  return reading === 'strict' ? all(answers) : any(answers);
}
