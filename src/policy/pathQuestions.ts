import type { JsonObject, JsonValue } from '../base/json.ts';
import { type ArgumentPath, parseArgumentPath, selectValues } from './argumentPath.ts';
import type { GrantIndex } from './grantIndex.ts';
import type { Policy } from './policy.ts';
import type { ArgumentConditions } from './rule.ts';

/** A `within` condition: these folders, for the values at this path. */
export interface PathQuestion {
  readonly path: ArgumentPath;
  readonly roots: readonly string[];
}

/** Texts and folders to look up before deciding. */
export interface PathsInQuestion {
  readonly texts: readonly string[];
  readonly roots: readonly string[];
}

const nothingInQuestion: PathsInQuestion = { texts: [], roots: [] };

/** The `within` conditions among others. */
export function pathQuestionsOf(conditions: ArgumentConditions): readonly PathQuestion[] {
  return Object.entries(conditions).flatMap(([path, { within }]) =>
    within === undefined ? [] : [{ path: parseArgumentPath(path), roots: within }],
  );
}

/** What rules and grants ask about the paths of a call. Empty lists: nothing has to be looked up. */
export function pathsInQuestion(
  call: { readonly serverId: string; readonly toolName: string; readonly args: JsonObject },
  policy: Policy,
  grants: GrantIndex,
): PathsInQuestion {
  const { serverId, toolName } = call;
  const questions = [...grants.pathQuestions(serverId, toolName)];
  for (const rule of policy.rules) {
    if (rule.pathQuestions.length > 0 && rule.names(serverId, toolName))
      questions.push(...rule.pathQuestions);
  }
  if (questions.length === 0) return nothingInQuestion;
  const texts = new Set<string>();
  const roots = new Set<string>();
  for (const question of questions) {
    for (const root of question.roots) roots.add(root);
    for (const value of selectValues(call.args, question.path).values) {
      for (const text of textsOf(value)) texts.add(text);
    }
  }
  return { texts: Array.from(texts), roots: Array.from(roots) };
}

function textsOf(value: JsonValue): readonly string[] {
  const items: readonly JsonValue[] = Array.isArray(value) ? value : [value];
  return items.filter((item) => typeof item === 'string');
}
