import { HostError } from '../base/errors.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import { type Answer, all, any, over } from './answer.ts';
import { type ArgumentPath, parseArgumentPath, selectValues } from './argumentPath.ts';
import { compileGlob } from './glob.ts';
import { type PathFacts, isWithin } from './pathFacts.ts';
import type { ArgumentCondition, ArgumentConditions, Reading } from './rule.ts';
import { compilePattern } from './safePattern.ts';
import { compileHost, matchesHost } from './urlHost.ts';
import type { WorkBudget } from './workBudget.ts';

/** What conditions are judged by. */
export interface ConditionFacts {
  readonly args: JsonObject;
  readonly paths: PathFacts;
  readonly work: WorkBudget;
}

/** Judges the arguments of a call. */
export type ArgumentTest = (facts: ConditionFacts) => Answer;

type ValueTest = (value: JsonValue, facts: ConditionFacts) => Answer;
type TextTest = (text: string, facts: ConditionFacts) => Answer;

/**
 * Compiles conditions. An argument that is missing fulfils none.
 * @throws HostError `invalidConfiguration`; the parser has already reported what would throw here
 */
export function compileConditions(conditions: ArgumentConditions, reading: Reading): ArgumentTest {
  const tests = Object.entries(conditions).map(([path, condition]) => ({
    path: parseArgumentPath(path),
    test: compileCondition(condition, reading),
  }));
  const [only] = tests;
  if (only === undefined) return () => 'yes';
  return (facts) => all(tests.map(({ path, test }) => judge(facts, path, test, reading)));
}

function judge(facts: ConditionFacts, path: ArgumentPath, test: ValueTest, reading: Reading): Answer {
  const { values, complete } = selectValues(facts.args, path);
  const answers = values.map((value) => test(value, facts));
  if (!complete) answers.push('unsure');
  return answers.length === 0 ? 'no' : over(reading, answers);
}

function compileCondition(condition: ArgumentCondition, reading: Reading): ValueTest {
  const tests: ValueTest[] = [];
  const { equals, oneOf, glob, matches, within, host, maxLength } = condition;
  if (equals !== undefined) tests.push(oneOfTest([equals]));
  if (oneOf !== undefined) tests.push(oneOfTest(oneOf));
  if (glob !== undefined) tests.push(onTexts(globTest(glob, reading), reading));
  if (matches !== undefined) {
    const matched = compilePattern(matches, reading);
    tests.push(onTexts((text, { work }) => matched(text, work), reading));
  }
  if (within !== undefined) {
    tests.push(
      onTexts((text, { paths }) => any(within.map((root) => isWithin(paths, text, root, reading))), reading),
    );
  }
  if (host !== undefined) tests.push(onTexts(hostTest(host, reading), reading));
  if (maxLength !== undefined) tests.push((value) => lengthAnswer(value, maxLength));
  return (value, facts) => all(tests.map((test) => test(value, facts)));
}

function oneOfTest(allowed: readonly JsonValue[]): ValueTest {
  return (value) => (allowed.some((candidate) => sameJson(candidate, value)) ? 'yes' : 'no');
}

function globTest(patterns: readonly string[], reading: Reading): TextTest {
  const strict = reading === 'strict';
  const compiled = patterns.map((pattern) => ({
    size: pattern.length,
    matches: compileGlob(pattern, { segments: strict }),
  }));
  return (text, { work }) =>
    any(
      compiled.map(({ size, matches }) => {
        if (!work.spend(size, text.length)) return 'unsure';
        if (!matches(text)) return 'no';
        // `src/**` spells out a folder; `src/../..` leaves it again.
        return strict && climbs.test(text) ? 'unsure' : 'yes';
      }),
    );
}

const climbs = /(?:^|[/\\])(?:\.|%2e){2}(?:[/\\]|%2f|%5c|$)/i;

function hostTest(patterns: readonly string[], reading: Reading): TextTest {
  const compiled = patterns.map((pattern) => ({ size: pattern.length, matches: compileHost(pattern) }));
  return (text, { work }) =>
    any(
      compiled.map(({ size, matches }) =>
        work.spend(size, text.length) ? matchesHost(text, matches, reading) : 'unsure',
      ),
    );
}

/** Applies a test on text to a string or to each string of an array; what else there is cannot be judged. */
function onTexts(test: TextTest, reading: Reading): ValueTest {
  return (value, facts) => {
    if (typeof value === 'string') return test(value, facts);
    if (value === null) return 'no';
    if (!Array.isArray(value)) return 'unsure';
    if (value.length === 0) return 'no';
    return over(
      reading,
      value.map((item: JsonValue) => (typeof item === 'string' ? test(item, facts) : 'unsure')),
    );
  };
}

function lengthAnswer(value: JsonValue, max: number): Answer {
  if (typeof value !== 'string' && !Array.isArray(value)) return 'unsure';
  return value.length <= max ? 'yes' : 'no';
}

/** Whether two JSON values are the same, whatever the order of keys. */
export function sameJson(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item: JsonValue, index) => sameJson(item, right[index] as JsonValue));
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => {
    const [a, b] = [left[key], Object.hasOwn(right, key) ? right[key] : undefined];
    return a === undefined || b === undefined ? a === b : sameJson(a, b);
  });
}

/** Compiles one member of a condition for its errors alone, in both readings. Returns what is wrong. */
export function conditionProblem(condition: ArgumentCondition): string | undefined {
  try {
    compileCondition(condition, 'strict');
    compileCondition(condition, 'generous');
    return undefined;
  } catch (error) {
    if (error instanceof HostError) return error.message;
    throw error;
  }
}
