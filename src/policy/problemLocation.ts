import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { type PolicyProblem, ruleSettingNames } from './rule.ts';

/** A part of a settings text, in UTF-16 units. */
export interface TextSpan {
  readonly offset: number;
  readonly length: number;
}

/**
 * Where a problem stands in the text of the settings or policy file it came from, as exactly as the text allows: the
 * member, else the rule, else the setting. `undefined` if the setting is not in the text.
 * @param prefix members around the settings, such as `["settings"]` in a `.code-workspace` file
 */
export function problemLocation(
  text: string,
  { ref, key }: PolicyProblem,
  prefix: readonly string[] = [],
): TextSpan | undefined {
  const tree = parseTree(text);
  if (tree === undefined) return undefined;
  const setting = settingOf(ref);
  const entry = ref.index < 0 ? [] : [ref.index];
  const fixed = [...prefix, ...(setting === undefined ? [] : [setting]), ...entry];
  // A missing member has no place; then what lacks it is shown.
  for (let length = key.length; length >= 0; length -= 1) {
    const node = findNodeAtLocation(tree, [...fixed, ...key.slice(0, length).map(step)]);
    if (node !== undefined) return { offset: node.offset, length: node.length };
  }
  return undefined;
}

function settingOf({ origin, source, index }: PolicyProblem['ref']): string | undefined {
  if (origin === 'managed') return index < 0 ? undefined : 'rules';
  return source.startsWith('countersign.') ? source : ruleSettingNames[origin];
}

/** Keys are kept as texts; in a list they are places. */
function step(key: string): string | number {
  return /^\d+$/.test(key) ? Number(key) : key;
}
