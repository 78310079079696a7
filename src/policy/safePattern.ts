import { RE2JS } from 're2js';
import { HostError, errorMessage } from '../base/errors.ts';
import type { Answer } from './answer.ts';
import type { Reading } from './rule.ts';
import type { WorkBudget } from './workBudget.ts';

/** Longest expression, in UTF-16 units. */
export const maxPatternLength = 1000;
const maxProgramSize = 5000;

/**
 * Compiles a regular expression of RE2, whose time grows only in step with the text: no text can make it run away.
 * Strictly read it must match the whole text; generously read a match anywhere counts.
 * @throws HostError `invalidConfiguration` whose message says what to write instead
 */
export function compilePattern(source: string, reading: Reading): (text: string, work: WorkBudget) => Answer {
  if (source.length > maxPatternLength) {
    throw wrong(`is longer than ${maxPatternLength} characters; use "oneOf" or several rules.`);
  }
  const compiled = compile(source);
  const size = compiled.programSize();
  if (size > maxProgramSize)
    throw wrong('is too large once its repeats are written out; use smaller counts.');
  return (text, work) => {
    if (!work.spend(size, text.length)) return 'unsure';
    const matched = reading === 'strict' ? compiled.testExact(text) : compiled.test(text);
    return matched ? 'yes' : 'no';
  };
}

function compile(source: string): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch (cause) {
    const detail = errorMessage(cause).replace(/^error parsing regexp: /, '');
    throw new HostError(
      'invalidConfiguration',
      `is not an expression of RE2 (${detail}). Look-around and back-references do not exist there.`,
      { cause },
    );
  }
}

function wrong(message: string): HostError {
  return new HostError('invalidConfiguration', message);
}
