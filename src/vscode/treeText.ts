import { visibleLine } from '../shared/visibleText.ts';

/** Server text for one line of a tree: hidden characters made visible, cut where nobody reads on. */
export function oneLine(text: string): string {
  return visibleLine(text, 200);
}

/** An estimate of tokens as people read it: `~40 tokens`, `~1.2k tokens`. */
export function tokenText(tokens: number): string {
  if (tokens < 1000) return `~${tokens} tokens`;
  return `~${(tokens / 1000).toFixed(tokens < 10_000 ? 1 : 0)}k tokens`;
}
