import {
  type Decoder,
  boolean,
  list,
  literal,
  number,
  object,
  oneOf,
  optional,
  text,
  union,
} from './decode.ts';
import type { ChangeNotice, DefinitionChange, DefinitionDiff, DiffArea } from './definitionDiff.ts';

const areas: Readonly<Record<DiffArea, true>> = {
  name: true,
  title: true,
  description: true,
  inputSchema: true,
  outputSchema: true,
  annotations: true,
  command: true,
  args: true,
  env: true,
  cwd: true,
  url: true,
  headers: true,
  other: true,
};

const area = oneOf(Object.keys(areas) as DiffArea[]);
const path = text(100_000);
const prose = text(4_000_000);
const cut = optional(boolean);
const part = object({ kind: oneOf(['same', 'added', 'removed']), text: prose });

const change: Decoder<DefinitionChange> = union<DefinitionChange>({
  text: object({ kind: literal('text'), area, path, parts: list(part, 1_000_000), cut }),
  added: object({ kind: literal('added'), area, path, after: prose, cut }),
  removed: object({ kind: literal('removed'), area, path, before: prose, cut }),
  changed: object({ kind: literal('changed'), area, path, before: prose, after: prose, cut }),
});

const diff: Decoder<DefinitionDiff> = object({
  subject: oneOf(['tool', 'launch']),
  changes: list(change, 100_000),
  omitted: number(0),
});

/** What changed since a person last allowed the call. */
export const changeNotice: Decoder<ChangeNotice> = object({
  allowedAt: text(100),
  tool: optional(diff),
  launch: optional(diff),
  unknownBefore: optional(list(oneOf(['tool', 'launch']), 2)),
});
