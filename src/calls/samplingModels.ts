import type { JsonObject, JsonValue } from '../base/json.ts';
import { type SamplingNeeds, samplingNeeds } from '../prompts/samplingView.ts';
import { hintsOf, weightOf } from '../prompts/samplingWishes.ts';

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
  /** True: it is known to take sounds. No editor says so yet, and what is not known to be taken is not sent. */
  readonly takesSounds?: boolean;
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

/** The models for a question: those that can take it first, then the others with what they lack. */
export interface JudgedModels {
  readonly models: readonly { readonly model: SamplingModel; readonly lacks?: string }[];
  /** How many can take it. */
  readonly fitting: number;
  /** What a model would have to do, in words; absent where there is one, or none at all. */
  readonly lacking?: string;
}

/** Holds models against what a server sends. */
export function judgeModels(models: readonly SamplingModel[], params: JsonObject): JudgedModels {
  const needs = samplingNeeds(params);
  const judged = models.map((model) => {
    const lacks = lacksOf(model, needs);
    return lacks === undefined ? { model } : { model, lacks };
  });
  const fitting = judged.filter(({ lacks }) => lacks === undefined);
  const others = judged.filter(({ lacks }) => lacks !== undefined);
  const needed = abilities.filter(({ need }) => needs[need]).map(({ takes }) => takes);
  return {
    models: [...fitting, ...others],
    fitting: fitting.length,
    ...(fitting.length > 0 || models.length === 0 ? {} : { lacking: needed.join(' and ') }),
  };
}

const abilities: readonly {
  readonly need: keyof SamplingNeeds;
  readonly takes: string;
  readonly lacks: string;
  readonly isLacking: (model: SamplingModel) => boolean;
}[] = [
  {
    need: 'images',
    takes: 'takes images',
    lacks: 'does not take pictures',
    isLacking: ({ takesImages }) => takesImages === false,
  },
  {
    need: 'sounds',
    takes: 'takes sounds',
    lacks: 'does not take sounds',
    isLacking: ({ takesSounds }) => takesSounds !== true,
  },
  {
    need: 'tools',
    takes: 'calls tools',
    lacks: 'does not call tools',
    isLacking: ({ takesTools }) => takesTools === false,
  },
];

function lacksOf(model: SamplingModel, needs: SamplingNeeds): string | undefined {
  const lacks = abilities.filter(({ need, isLacking }) => needs[need] && isLacking(model));
  return lacks.length === 0 ? undefined : lacks.map((ability) => ability.lacks).join(' and ');
}

/**
 * The place of the model that fits a server's wishes best (specification: client/sampling, "Model Preferences"):
 * the first hint that is part of a name wins; without one, intelligence asks for the largest, speed for the smallest.
 */
export function suggestedModel(models: readonly SamplingModel[], preferences: JsonValue | undefined): number {
  for (const hint of hintsOf(preferences)) {
    const wanted = hint.toLowerCase();
    const found = models.findIndex(({ names }) => names.some((own) => own.toLowerCase().includes(wanted)));
    if (found >= 0) return found;
  }
  const wish =
    weightOf(preferences, 'intelligencePriority') -
    Math.max(weightOf(preferences, 'speedPriority'), weightOf(preferences, 'costPriority'));
  if (wish === 0 || models.length === 0) return 0;
  const sizes = models.map(({ maxInputTokens }) => maxInputTokens);
  return sizes.indexOf(wish > 0 ? Math.max(...sizes) : Math.min(...sizes));
}
