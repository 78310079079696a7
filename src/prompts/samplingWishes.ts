import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';

/** What a server wishes for beside the words (specification: client/sampling, "Sampling Parameters"). */
export interface SamplingWishes {
  /** What is done, or given to the model, one line each. */
  readonly wishes: readonly string[];
  /** What the editor's models cannot be given, or what nobody could honour. */
  readonly notPassedOn: readonly string[];
}

/** More are not looked for in each piece of an answer. */
const mostStops = 50;
/** Hints that are looked at; servers name two or three. */
const mostHints = 50;
const mostShown = 10;
const longestShown = 200;

/** What a server wishes for, sorted by whether it can be done. */
export function samplingWishes(params: JsonObject): SamplingWishes {
  const wishes: string[] = [];
  const notPassedOn: string[] = [];
  const sort = ({ done, not }: Sorted): void => {
    if (done !== undefined) wishes.push(done);
    if (not !== undefined) notPassedOn.push(not);
  };
  for (const line of preferenceLines(params['modelPreferences'])) sort(line);
  sort(temperatureLine(params));
  sort(stopLine(params));
  sort(toolLine(params));
  const { includeContext, metadata } = params;
  if (includeContext !== undefined && includeContext !== 'none')
    sort({ not: `context of other calls (${shown(includeContext)})` });
  if (isJsonObject(metadata) && Object.keys(metadata).length > 0)
    sort({ not: `options for one kind of model (${listed(Object.keys(metadata))})` });
  return { wishes, notPassedOn };
}

/** The temperature for the model; undefined if none is wished for, or one that models do not take. */
export function temperatureOf({ temperature }: JsonObject): number | undefined {
  return typeof temperature === 'number' && temperature >= 0 && temperature <= 2 ? temperature : undefined;
}

/** The texts at which an answer ends. */
export function stopsOf({ stopSequences }: JsonObject): readonly string[] {
  return listIn(stopSequences)
    .filter((stop): stop is string => typeof stop === 'string' && stop !== '')
    .slice(0, mostStops);
}

/** Names of models that the server would like, the most wished for first. */
export function hintsOf(preferences: JsonValue | undefined): readonly string[] {
  const hints = isJsonObject(preferences) ? listIn(preferences['hints']) : [];
  return hints
    .slice(0, mostHints)
    .map((hint) => (isJsonObject(hint) ? hint['name'] : undefined))
    .filter((name): name is string => typeof name === 'string' && name !== '');
}

/** How much a server cares, from 0 to 1; 0 for what is no weight. */
export function weightOf(preferences: JsonValue | undefined, name: Priority): number {
  const weight = isJsonObject(preferences) ? preferences[name] : undefined;
  return typeof weight === 'number' && weight >= 0 && weight <= 1 ? weight : 0;
}

export type Priority = 'costPriority' | 'speedPriority' | 'intelligencePriority';

/** How the model may use the tools that the server lends it (specification: client/sampling, "Tool Choice Modes"). */
export function toolModeOf(params: JsonObject): 'auto' | 'required' | 'none' {
  const mode = wishedMode(params);
  return mode === 'required' || mode === 'none' ? mode : 'auto';
}

/** Whether the model can be made to use a tool: the editor's models refuse that for more than one. */
export function canRequireTool(params: JsonObject): boolean {
  return toolModeOf(params) === 'required' && listIn(params['tools']).length === 1;
}

interface Sorted {
  readonly done?: string;
  readonly not?: string;
}

const priorities: readonly (readonly [Priority, string])[] = [
  ['costPriority', 'Low cost'],
  ['speedPriority', 'Speed'],
  ['intelligencePriority', 'Capability'],
];

function preferenceLines(preferences: JsonValue | undefined): readonly Sorted[] {
  if (!isJsonObject(preferences)) return [];
  const hints = hintsOf(preferences);
  return [
    hints.length === 0 ? {} : { done: `Models: ${listed(hints)}` },
    ...priorities.map(([name, words]): Sorted => {
      const weight = preferences[name];
      if (weight === undefined) return {};
      const isWeight = typeof weight === 'number' && weight >= 0 && weight <= 1;
      return isWeight ? { done: `${words}: ${weight} of 1` } : { not: `${words}: ${shown(weight)}` };
    }),
  ];
}

function temperatureLine(params: JsonObject): Sorted {
  const { temperature } = params;
  if (temperature === undefined) return {};
  return temperatureOf(params) === undefined
    ? { not: `the temperature ${shown(temperature)}` }
    : { done: `Temperature: ${shown(temperature)}, if the model knows one` };
}

function stopLine(params: JsonObject): Sorted {
  const all = listIn(params['stopSequences']).length;
  const stops = stopsOf(params);
  const left = all - stops.length;
  return {
    ...(stops.length === 0 ? {} : { done: `Stop at: ${listed(stops.map((stop) => JSON.stringify(stop)))}` }),
    ...(left === 0 ? {} : { not: `${left} of ${all} texts to stop at` }),
  };
}

function toolLine(params: JsonObject): Sorted {
  const mode = wishedMode(params);
  if (mode === undefined) return {};
  const isKnown = mode === 'auto' || mode === 'none' || canRequireTool(params);
  return isKnown ? { done: `Use of tools: ${shown(mode)}` } : { not: `use of tools: ${shown(mode)}` };
}

function wishedMode({ toolChoice }: JsonObject): JsonValue | undefined {
  return isJsonObject(toolChoice) ? toolChoice['mode'] : undefined;
}

function listIn(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function listed(texts: readonly string[]): string {
  const some = texts.slice(0, mostShown).map(clipped).join(', ');
  return texts.length > mostShown ? `${some} and ${texts.length - mostShown} more` : some;
}

function shown(value: JsonValue): string {
  return clipped(typeof value === 'string' ? value : JSON.stringify(value));
}

function clipped(text: string): string {
  return text.length > longestShown ? `${text.slice(0, longestShown).toWellFormed()}…` : text;
}
