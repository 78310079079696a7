import type { JsonValue } from '../base/json.ts';
import { parseArgumentPath } from '../policy/argumentPath.ts';
import type { Grant, GrantScope } from '../policy/grant.ts';
import type { ArgumentCondition } from '../policy/rule.ts';
import type { CallerKind } from '../shared/caller.ts';
import { visibleLine } from '../shared/visibleText.ts';

/** What a preview speaks about. */
export type PreviewedGrant = Pick<Grant, 'serverId' | 'toolName' | 'callers' | 'args' | 'argsDigest'>;

const callerWords: Readonly<Record<CallerKind, string>> = {
  chat: 'the Countersign chat',
  languageModelTool: 'models in the editor',
  bridge: 'agents outside the editor',
  api: 'other extensions',
  user: 'you (Run Tool)',
};

const scopeWords: Readonly<Record<GrantScope['kind'], string>> = {
  session: 'For this session, allow',
  workspace: 'In this workspace, always allow',
  everywhere: 'Always allow',
};

/**
 * A grant in plain words: ``Always allow `search` on `github` when `repo` is `acme/site`.``
 * @param given names of the arguments of the call at hand, to say which of them may be anything
 */
export function grantPreview(
  grant: PreviewedGrant,
  scope: GrantScope['kind'] = 'everywhere',
  given: readonly string[] = [],
): string {
  const when = conditionsText(grant);
  const what = `${scopeWords[scope]} ${code(grant.toolName)} on ${code(grant.serverId)}`;
  const sentences = [`${when === '' ? `${what} with any arguments` : `${what} ${when}`}.`];
  const bound = new Set(Object.keys(grant.args).flatMap((path) => firstKey(path) ?? []));
  const free =
    grant.argsDigest === undefined && bound.size > 0 ? given.filter((name) => !bound.has(name)) : [];
  if (free.length > 0) sentences.push(`Everything else may differ (${shortList(free)}).`);
  const callers = grant.callers?.map((caller) => callerWords[caller]);
  if (callers !== undefined) sentences.push(`Only for calls from ${callers.join(' or ')}.`);
  return sentences.join(' ');
}

function firstKey(path: string): string | undefined {
  const [first] = parseArgumentPath(path);
  return first?.kind === 'key' ? first.key : undefined;
}

function shortList(names: readonly string[]): string {
  const shown = names.slice(0, 5).map(code).join(', ');
  return names.length > 5 ? `${shown}, …` : shown;
}

/** The conditions of a grant in plain words; `''` if there are none. */
export function conditionsText({ args, argsDigest }: Pick<Grant, 'args' | 'argsDigest'>): string {
  const parts = Object.entries(args).flatMap(([path, condition]) =>
    conditionTexts(condition).map((text) => `${code(path)} ${text}`),
  );
  const when = parts.length === 0 ? '' : `when ${parts.join(' and ')}`;
  if (argsDigest === undefined) return when;
  return when === '' ? 'with exactly these arguments' : `${when}, with exactly these arguments`;
}

function conditionTexts(condition: ArgumentCondition): readonly string[] {
  const { equals, oneOf, glob, matches, within, host, maxLength } = condition;
  return [
    ...(equals === undefined ? [] : [`is ${value(equals)}`]),
    ...(oneOf === undefined ? [] : [`is ${either(oneOf.map(value))}`]),
    ...(glob === undefined ? [] : [`fits ${either(glob.map(code))}`]),
    ...(matches === undefined ? [] : [`fits the expression ${code(matches)}`]),
    ...(within === undefined ? [] : [`is inside ${either(within.map(code))}`]),
    ...(host === undefined ? [] : [`is a URL of ${either(host.map(code))}`]),
    ...(maxLength === undefined ? [] : [`has at most ${maxLength} characters or items`]),
  ];
}

function value(json: JsonValue): string {
  return code(typeof json === 'string' ? json : JSON.stringify(json));
}

function either(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1) ?? ''}`;
}

/** Foreign text between back-ticks that it cannot leave. */
function code(text: string): string {
  return `\`${visibleLine(text).replaceAll('`', '⟦`⟧')}\``;
}
