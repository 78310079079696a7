import { HostError } from '../base/errors.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import { parseArgumentPath } from './argumentPath.ts';
import { conditionProblem } from './conditions.ts';
import { parseRoot } from './pathRoot.ts';
import { type Report, describe, reportUnknownKeys } from './report.ts';
import type { ArgumentCondition, ArgumentConditions } from './rule.ts';

const members = ['equals', 'oneOf', 'glob', 'matches', 'within', 'host', 'maxLength'];
const maxEntries = 1000;

/** Reads the `args` of a rule or grant, reporting what is wrong with the way out. */
export function readConditions(value: unknown, report: Report): ArgumentConditions {
  if (value === undefined) return {};
  if (!isJsonObject(value)) {
    report(['args'], `must be an object such as {"path": {"within": "~/notes"}}, but is ${describe(value)}.`);
    return {};
  }
  const conditions = Object.entries(value).map(([path, condition]) => {
    try {
      parseArgumentPath(path);
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      report(['args', path], error.message);
    }
    return [path, readCondition(condition, path, report)] as const;
  });
  return Object.fromEntries(conditions);
}

function readCondition(value: JsonValue | undefined, path: string, report: Report): ArgumentCondition {
  const at = ['args', path];
  if (!isJsonObject(value)) {
    report(at, `must be a condition such as {"equals": ${describe(value ?? null)}}.`);
    return {};
  }
  reportUnknownKeys(value, members, at, report);
  if (!members.some((member) => value[member] !== undefined)) {
    report(at, `must say what the value has to be like; use one of ${members.join(', ')}.`);
  }
  const condition: ArgumentCondition = {
    ...withMember('equals', value['equals']),
    ...withMember('oneOf', readChoices(value, at, report)),
    ...withMember('glob', readTexts(value, 'glob', at, report)),
    ...withMember('matches', readText(value, 'matches', at, report)),
    ...withMember('within', readTexts(value, 'within', at, report)),
    ...withMember('host', readTexts(value, 'host', at, report)),
    ...withMember('maxLength', readLength(value, at, report)),
  };
  reportUnusable(condition, at, report);
  return condition;
}

function withMember<K extends string, T>(key: K, value: T | undefined): { readonly [P in K]?: T } {
  // The only member is the one that the type names.
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: T });
}

/** Tries each member on its own, so that the message leads to the right one. */
function reportUnusable(condition: ArgumentCondition, at: readonly string[], report: Report): void {
  const parts: readonly (readonly [string, ArgumentCondition])[] = [
    ...(condition.glob ?? []).map((text) => ['glob', { glob: [text] }] as const),
    ...(condition.host ?? []).map((text) => ['host', { host: [text] }] as const),
    ...(condition.matches === undefined ? [] : [['matches', { matches: condition.matches }] as const]),
  ];
  for (const [key, part] of parts) {
    const problem = conditionProblem(part);
    if (problem !== undefined) report([...at, key], problem);
  }
  for (const root of condition.within ?? []) {
    if (parseRoot(root) === undefined) {
      report(
        [...at, 'within'],
        `${describe(root)} must be an absolute folder, or begin with "~" or "\${workspaceFolder}".`,
      );
    }
  }
}

function readChoices(value: JsonObject, at: readonly string[], report: Report): JsonValue[] | undefined {
  const choices = value['oneOf'];
  if (choices === undefined) return undefined;
  if (Array.isArray(choices) && choices.length > 0 && choices.length <= maxEntries) return choices;
  report([...at, 'oneOf'], `must be a list of 1 to ${maxEntries} values, but is ${describe(choices)}.`);
  return undefined;
}

function readTexts(
  value: JsonObject,
  key: string,
  at: readonly string[],
  report: Report,
): readonly string[] | undefined {
  const given = value[key];
  if (given === undefined) return undefined;
  const texts: readonly unknown[] = Array.isArray(given) ? given : [given];
  const strings = texts.filter((text): text is string => typeof text === 'string' && text !== '');
  if (texts.length > 0 && texts.length <= maxEntries && strings.length === texts.length) return strings;
  report([...at, key], `must be a text or a list of texts, but is ${describe(given)}.`);
  return undefined;
}

function readText(value: JsonObject, key: string, at: readonly string[], report: Report): string | undefined {
  const given = value[key];
  if (given === undefined || typeof given === 'string') return given;
  report([...at, key], `must be a text, but is ${describe(given)}.`);
  return undefined;
}

function readLength(value: JsonObject, at: readonly string[], report: Report): number | undefined {
  const given = value['maxLength'];
  if (given === undefined) return undefined;
  if (typeof given === 'number' && Number.isSafeInteger(given) && given >= 0) return given;
  report([...at, 'maxLength'], `must be a whole number from 0 up, but is ${describe(given)}.`);
  return undefined;
}
