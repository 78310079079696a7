import type { JsonObject } from '../base/json.ts';
import { samplingNeeds } from '../prompts/samplingView.ts';

/** A language model that may answer for a server. */
export interface SamplingModel {
  readonly id: string;
  readonly label: string;
  /** What hints are matched against: name, family, vendor. */
  readonly names: readonly string[];
  /** Largest prompt, in tokens; the measure of "capable" where a server asks for that. */
  readonly maxInputTokens: number;
  /** False: it is known not to take pictures, or not to call tools. Absent: not known. */
  readonly takesImages?: boolean;
  readonly takesTools?: boolean;
}

/** The editor's language models, as far as servers may use them. */
export interface SamplingModels {
  /** True while at least one model is there; what is declared to servers rests on it. */
  readonly available: boolean;
  /** Resolves when it is known which models there are, or soon after. Never rejects. */
  settled(): Promise<void>;
  list(): Promise<readonly SamplingModel[]>;
  /**
   * Asks a model. `params` are those of `sampling/createMessage`; resolves to a CreateMessageResult.
   * @throws HostError or whatever the model's provider throws
   */
  ask(modelId: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject>;
}

/** The models that can take what a server sends; if there are none, what they lack, in words. */
export function fittingModels(
  models: readonly SamplingModel[],
  params: JsonObject,
): { readonly models: readonly SamplingModel[]; readonly lacking?: string } {
  const { images, tools } = samplingNeeds(params);
  const fitting = models.filter(
    ({ takesImages, takesTools }) => !(images && takesImages === false) && !(tools && takesTools === false),
  );
  if (fitting.length > 0) return { models: fitting };
  const lacking = [images && 'takes images', tools && 'calls tools'].filter((part) => part !== false);
  return { models: [], ...(models.length === 0 ? {} : { lacking: lacking.join(' and ') }) };
}

/**
 * The place of the model that fits a server's wishes best (specification: client/sampling, "Model Preferences"):
 * the first hint that is part of a name wins; without one, intelligence asks for the largest, speed for the smallest.
 */
export function suggestedModel(models: readonly SamplingModel[], preferences: unknown): number {
  const { hints, intelligencePriority, speedPriority, costPriority } =
    typeof preferences === 'object' && preferences !== null ? (preferences as Record<string, unknown>) : {};
  for (const hint of Array.isArray(hints) ? (hints as readonly unknown[]) : []) {
    const name: unknown = typeof hint === 'object' && hint !== null ? Reflect.get(hint, 'name') : undefined;
    if (typeof name !== 'string' || name === '') continue;
    const wanted = name.toLowerCase();
    const found = models.findIndex(({ names }) => names.some((own) => own.toLowerCase().includes(wanted)));
    if (found >= 0) return found;
  }
  const weight = (value: unknown): number => (typeof value === 'number' ? value : 0);
  const wish = weight(intelligencePriority) - Math.max(weight(speedPriority), weight(costPriority));
  if (wish === 0 || models.length === 0) return 0;
  const sizes = models.map(({ maxInputTokens }) => maxInputTokens);
  return sizes.indexOf(wish > 0 ? Math.max(...sizes) : Math.min(...sizes));
}
