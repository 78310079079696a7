import type { KnownSecrets } from './knownSecrets.ts';
import { eachInContext } from './secretContext.ts';
import { eachShape } from '../../policy/secretShapes.ts';

/** A secret within a text; `end` is exclusive. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  readonly type: string;
}

/** All secrets of a text, in order, none overlapping. `shapes`: look also for what only looks like a secret. */
export function findSecrets(text: string, known: KnownSecrets, shapes: boolean): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  const add = (start: number, end: number, type: string): void => {
    if (end > start) spans.push({ start, end, type });
  };
  if (known.anywhere !== undefined && text.length >= known.shortest) {
    const pattern = known.anywhere;
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      add(match.index, match.index + match[0].length, 'configured');
    }
  }
  if (shapes && text.length >= 5) {
    eachShape(text, add);
    eachInContext(text, add);
  }
  return spans.length < 2 ? spans : merged(spans);
}

/** Overlapping finds become one; the name of the one found first by the surer way stays. */
function merged(spans: readonly SecretSpan[]): readonly SecretSpan[] {
  const sorted = spans
    .map((span, rank) => ({ ...span, rank }))
    .sort((a, b) => a.start - b.start || a.rank - b.rank);
  const result: (SecretSpan & { rank: number })[] = [];
  for (const span of sorted) {
    const last = result.at(-1);
    if (last === undefined || span.start >= last.end) {
      result.push(span);
      continue;
    }
    const named = span.rank < last.rank ? span : last;
    result[result.length - 1] = { ...named, start: last.start, end: Math.max(last.end, span.end) };
  }
  return result;
}
