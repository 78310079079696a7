import type { JsonObject, JsonValue } from '../base/json.ts';
import { argsDigest } from '../policy/argsDigest.ts';
import { escapeGlob } from '../policy/glob.ts';
import type { Grant } from '../policy/grant.ts';
import type { PathFacts, RootFolder } from '../policy/pathFacts.ts';
import { looksLikePath } from '../policy/pathTexts.ts';
import type { ArgumentCondition, ArgumentConditions } from '../policy/rule.ts';
import { findSecrets, isSecretName } from '../policy/secrets.ts';
import { escapeKey } from '../policy/walkJson.ts';
import type { CallerKind } from '../shared/caller.ts';
import { type PreviewedGrant, conditionsText, grantPreview } from './grantPreview.ts';
import { checkUrl } from './urlChecks.ts';

/** What proposals are made from. */
export interface ProposalFacts {
  readonly serverId: string;
  readonly toolName: string;
  readonly caller: CallerKind;
  readonly args: JsonObject;
  /** As for the risk notes: `pathTexts(args)` with `workspaceRoot`. */
  readonly paths: PathFacts;
}

/** A grant that a person can choose: everything but its scope and pins. */
export interface GrantProposal extends Pick<Grant, 'callers' | 'args' | 'argsDigest'> {
  /** Names it within one list of proposals. */
  readonly id: string;
  /** For a choice: "any arguments", "only when `repo` is `acme/site`". */
  readonly label: string;
  /** The whole rule in plain words. */
  readonly preview: string;
}

const maxProposals = 12;
const maxValueLength = 120;

/** Names of arguments that say where something happens rather than what. */
const scopeName =
  /^(?:owner|org|organi[sz]ation|repo|repository|project|workspace|team|group|namespace|database|db|schema|table|collection|bucket|container|channel|room|board|list|calendar|mailbox|account|tenant|region|cluster|environment|env|branch|index|site|space|domain|host|hostname|server|service|language|model)(?:[_-]?(?:id|name|key|slug))?$/i;

/**
 * Grants that would cover this very call, narrow ones first: only these arguments, the same place, the same folder,
 * the same host, any arguments.
 */
export function grantProposals(facts: ProposalFacts): readonly GrantProposal[] {
  const conditions: readonly ArgumentConditions[] = [
    ...scopeConditions(facts.args),
    ...folderConditions(facts.args, facts.paths),
    ...hostConditions(facts.args),
    ...wordConditions(facts.args),
  ];
  const digest = argsDigest(facts.args);
  const exact =
    digest === undefined || Object.keys(facts.args).length === 0 ? [] : [{ args: {}, argsDigest: digest }];
  const conditional = distinct(conditions).map((args) => ({ args, argsDigest: undefined }));
  const any = { args: {}, argsDigest: undefined };
  return [...exact, ...conditional.slice(0, maxProposals - 2), any].map((grant, index) =>
    proposal(facts, grant, index),
  );
}

function proposal(
  { serverId, toolName, caller, args: given }: ProposalFacts,
  { args, argsDigest }: Pick<Grant, 'args' | 'argsDigest'>,
  index: number,
): GrantProposal {
  const grant: PreviewedGrant = { serverId, toolName, callers: [caller], args, argsDigest };
  const when = conditionsText(grant);
  return {
    id: String(index),
    label: when === '' ? 'with any arguments' : `only ${when}`,
    preview: grantPreview(grant, 'everywhere', Object.keys(given)),
    callers: grant.callers,
    args,
    argsDigest,
  };
}

/** All arguments that name a place, together; and `owner/name` also with any name of the same owner. */
function scopeConditions(args: JsonObject): readonly ArgumentConditions[] {
  const scoped = Object.entries(args).filter(
    ([key, value]) => isPlain(key, value) && scopeName.test(snake(key)),
  );
  if (scoped.length === 0) return [];
  const exact = scoped.map(([key, value]) => [pathOf(key), { equals: value ?? null }] as const);
  const wider = scoped.map(
    ([key, value]) => [pathOf(key), ownerCondition(value) ?? { equals: value ?? null }] as const,
  );
  return [Object.fromEntries(exact), Object.fromEntries(wider)];
}

function ownerCondition(value: JsonValue | undefined): ArgumentCondition | undefined {
  const owner = typeof value === 'string' ? /^([\w.-]+)\/[\w.-]+$/.exec(value)?.[1] : undefined;
  return owner === undefined || owner === '..' ? undefined : { glob: [`${escapeGlob(owner)}/*`] };
}

/** Paths: inside the workspace folder that they are in, and inside the folder that holds them. */
function folderConditions(args: JsonObject, paths: PathFacts): readonly ArgumentConditions[] {
  return Object.entries(args).flatMap(([key, value]) => {
    const texts = (Array.isArray(value) ? value : [value]).filter((text) => typeof text === 'string');
    if (texts.length === 0 || (Array.isArray(value) && texts.length < value.length)) return [];
    const places = texts.map((text) => placeOf(key, text, paths));
    if (places.some((place) => place === undefined)) return [];
    const known = places.filter((place) => place !== undefined);
    const folders = new Set(known.map((place) => parentOf(place, paths.separator)));
    const workspace = openFolders(paths).find((folder) =>
      known.every((place) => place === folder.real || place.startsWith(folder.real + paths.separator)),
    );
    if (workspace !== undefined) folders.add(workspace.real);
    // Several files of several folders have no folder in common that says anything.
    if (known.length > 1 && folders.size > 1 && workspace === undefined) return [];
    const offered = known.length > 1 && workspace !== undefined ? [workspace.real] : Array.from(folders);
    return offered.map((folder) => ({ [pathOf(key)]: { within: [folder] } }));
  });
}

function openFolders(paths: PathFacts): readonly RootFolder[] {
  return Array.from(paths.roots.values()).flatMap((folders) => folders ?? []);
}

/** The one place that a path leads to; `undefined` if it is no path, or that cannot be told. */
function placeOf(key: string, text: string, paths: PathFacts): string | undefined {
  const places = paths.places.get(text);
  const likeness = looksLikePath(key, text);
  if (places === undefined || likeness === 'no' || (likeness === 'maybe' && !places.exists)) return undefined;
  return places.real.length === 1 ? places.real[0] : undefined;
}

function parentOf(place: string, separator: string): string {
  const cut = place.lastIndexOf(separator);
  // The root of a disk keeps its separator.
  return place.slice(0, Math.max(cut, place.indexOf(separator) + 1));
}

function hostConditions(args: JsonObject): readonly ArgumentConditions[] {
  return Object.entries(args).flatMap(([key, value]) => {
    const url = typeof value === 'string' ? checkUrl(value) : undefined;
    if (url === undefined || url.credentials || url.ambiguous || url.scheme === 'file') return [];
    return [{ [pathOf(key)]: { host: [escapeGlob(url.host)] } }];
  });
}

/** A single argument with a value like a name: `command` is `ls`. Numbers and switches say too little alone. */
function wordConditions(args: JsonObject): readonly ArgumentConditions[] {
  return Object.entries(args).flatMap(([key, value]) => {
    if (typeof value !== 'string' || !isPlain(key, value) || !/^[\w@#:+-][\w@#:.+-]*$/.test(value)) return [];
    return [{ [pathOf(key)]: { equals: value } }];
  });
}

function isPlain(key: string, value: JsonValue | undefined): boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return true;
  if (typeof value !== 'string' || value === '' || value.length > maxValueLength || /[\n\r]/.test(value))
    return false;
  // A condition is stored in the clear, so a secret must not become one.
  return !isSecretName(key) && findSecrets(value).length === 0;
}

function snake(key: string): string {
  return key.replace(/([a-z0-9])([A-Z])/g, '$1_$2');
}

/** An argument path that means exactly this member, whatever is in its name. */
function pathOf(key: string): string {
  return /^[\w-]+$/.test(key) ? key : `/${escapeKey(key)}`;
}

function distinct(conditions: readonly ArgumentConditions[]): readonly ArgumentConditions[] {
  return Array.from(new Map(conditions.map((one) => [JSON.stringify(one), one])).values());
}
