import { digest } from '../base/canonicalJson.ts';
import { errorMessage } from '../base/errors.ts';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import type { SchemaChecker } from '../tools/schemaChecker.ts';
import { problemsForModel } from '../tools/problemsForModel.ts';
import { problemText } from '../tools/schemaProblems.ts';
import type { CallableTool } from './callTarget.ts';

/** Arguments as they would be sent, and the digest that binds a decision to them. */
export interface Snapshot {
  readonly arguments: JsonObject;
  readonly digest: string;
}

export type SnapshotResult =
  ({ readonly kind: 'snapshot' } & Snapshot) | { readonly kind: 'refused'; readonly message: string };

/**
 * Takes a copy that nobody else can change, of exactly what JSON can carry. `undefined` stands for no arguments.
 */
export function snapshotArguments(value: unknown): SnapshotResult {
  try {
    // Through JSON text, because that is what will be sent: getters, prototypes and toJSON end here.
    const copy: unknown = JSON.parse(JSON.stringify(value ?? {}));
    if (!isJsonObject(copy)) return refused('The arguments must be a JSON object.');
    return { kind: 'snapshot', arguments: copy, digest: digest(copy) };
  } catch (error) {
    return refused(`The arguments are not JSON that can be sent: ${errorMessage(error)}`);
  }
}

/**
 * The schema step of the road. Resolves to what is wrong, in words for a model, or to `undefined`. `byModel`: whoever
 * calls knows the arguments by the names that models get.
 */
export async function argumentProblems(
  checker: SchemaChecker,
  { tool, entry }: CallableTool,
  args: JsonObject,
  { signal, byModel }: { readonly signal: AbortSignal | undefined; readonly byModel: boolean },
): Promise<string | undefined> {
  const verdict =
    checker.checkNow(tool.inputSchema, args) ?? (await checker.check(tool.inputSchema, args, signal));
  switch (verdict.kind) {
    case 'valid':
      return undefined;
    case 'invalid': {
      const { problems } = verdict;
      const named = byModel ? problemsForModel(problems, entry.modelSchema) : problems;
      return `The arguments do not fit the tool's schema:\n${problemText(named, 'the arguments')}`;
    }
    case 'refused':
      return `The arguments cannot be checked, so the call is not made: ${verdict.reason}`;
  }
}

function refused(message: string): SnapshotResult {
  return { kind: 'refused', message };
}
