import { TimeSlice } from '../base/timeSlice.ts';
import { errorMessage, HostError, RpcError } from '../base/errors.ts';
import type { CheckedResult } from './checkResult.ts';
import { type ResultStore, wholeCharacter } from './resultStore.ts';
import { type TextPiece, blockPiece, isForUserOnly, leadTexts, structuredPiece } from './resultText.ts';

/** One part of what the model gets. */
export type ModelPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'data'; readonly mimeType: string; readonly data: Uint8Array };

/** A result in the form for the model. */
export interface ModelResult {
  readonly isError: boolean;
  readonly parts: readonly ModelPart[];
  /** Set when text was cut: the id for `read_result`, and sizes in characters. */
  readonly cut?: { readonly id: string; readonly shown: number; readonly total: number };
}

/** Bounds for what the model gets. */
export interface ResultLimits {
  /** Bytes of UTF-8 of all text together. */
  readonly textBytes: number;
  /** Bytes of one picture or sound. */
  readonly dataBytes: number;
  /** Types that the model takes as data; the others are described in words. */
  readonly acceptsData: (mimeType: string) => boolean;
}

export const DEFAULT_RESULT_LIMITS: ResultLimits = {
  textBytes: 64 * 1024,
  dataBytes: 5 * 1024 * 1024,
  acceptsData: (mimeType) => ['image/png', 'image/jpeg', 'image/gif', 'image/webp'].includes(mimeType),
};

const BETWEEN = '\n\n';

/**
 * Writes a checked result for the model: all that is meant for it, once, within the limits. What is cut is kept in
 * the store under the owner's name, and the model is told how to read it. A large one is written with pauses.
 */
export async function resultForModel(
  result: CheckedResult,
  store: ResultStore,
  owner: string,
  limits: ResultLimits = DEFAULT_RESULT_LIMITS,
  slice: TimeSlice = new TimeSlice(),
): Promise<ModelResult> {
  const pieces: TextPiece[] = leadTexts(result);
  const data: ModelPart[] = [];
  let forUserOnly = 0;
  for (const block of result.blocks) {
    if (slice.isUsedUp) await slice.pause();
    if (isForUserOnly(block)) forUserOnly += 1;
    else if (
      block.kind === 'media' &&
      block.isUnchecked !== true &&
      limits.acceptsData(block.mimeType) &&
      block.data.length <= limits.dataBytes
    ) {
      data.push({ kind: 'data', mimeType: block.mimeType, data: block.data });
    } else pieces.push(await blockPiece(block, slice));
  }
  const structured = await structuredPiece(result, slice);
  if (structured !== undefined) pieces.push(structured);
  if (forUserOnly > 0) {
    pieces.push({ text: `[${forUserOnly} part(s) of the result are meant for the user only.]`, priority: 1 });
  }
  if (pieces.length === 0 && data.length === 0)
    pieces.push({ text: '[The tool returned nothing.]', priority: 1 });
  await slice.pause();
  const { text, cut } = await fitText(pieces, limits.textBytes, (full) => store.put(owner, full), slice);
  return {
    isError: result.isError,
    parts: text === '' ? data : [{ kind: 'text', text }, ...data],
    ...(cut === undefined ? {} : { cut }),
  };
}

/** What the model is told when a call ended in an error instead of a result. */
export function failureForModel(error: unknown): ModelResult {
  let text: string;
  if (error instanceof RpcError) {
    text = `The server answered with the protocol error ${error.code}: ${error.message}`;
  } else if (error instanceof HostError) {
    text = `The call was not completed (${error.code}): ${error.message}`;
  } else text = `The call was not completed: ${errorMessage(error)}`;
  return { isError: true, parts: [{ kind: 'text', text: text.toWellFormed() }] };
}

interface Fitted {
  readonly text: string;
  readonly cut?: NonNullable<ModelResult['cut']>;
}

/** Joins the pieces; when they are too long, those with the highest priority have the first claim on the room. */
async function fitText(
  pieces: readonly TextPiece[],
  maxBytes: number,
  keep: (full: string) => string,
  slice: TimeSlice,
): Promise<Fitted> {
  const texts: string[] = [];
  for (const piece of pieces) {
    texts.push(piece.text.toWellFormed());
    if (slice.isUsedUp) await slice.pause();
  }
  const full = texts.join(BETWEEN);
  await slice.pause();
  if (cutPosition(full, maxBytes) === full.length) return { text: full };
  await slice.pause();
  const kept = texts.map(() => 0);
  let room = maxBytes;
  const byPriority = [...pieces.entries()].sort(
    ([a, one], [b, other]) => other.priority - one.priority || a - b,
  );
  for (const [index] of byPriority) {
    const text = texts[index] ?? '';
    const length = cutPosition(text, room);
    kept[index] = length;
    room -= Buffer.byteLength(text.slice(0, length), 'utf8') + BETWEEN.length;
    if (room <= 0 || length < text.length) break;
  }
  const id = keep(full);
  const shown = kept.reduce((sum, length) => sum + length, 0);
  return { text: withGaps(texts, kept, id, full.length), cut: { id, shown, total: full.length } };
}

/** The kept parts, with a note wherever something is missing. */
function withGaps(texts: readonly string[], kept: readonly number[], id: string, total: number): string {
  let result = '';
  let at = 0;
  let gap: number | undefined;
  for (const [index, text] of texts.entries()) {
    const length = kept[index] ?? 0;
    if (length > 0) {
      if (gap !== undefined) result += `${note(gap, at)}${BETWEEN}`;
      gap = undefined;
      result += text.slice(0, length) + (length === text.length ? BETWEEN : '\n');
    }
    if (length < text.length) gap ??= at + length;
    at += text.length + BETWEEN.length;
  }
  return gap === undefined ? result.trimEnd() : result + note(gap, total);

  function note(from: number, to: number): string {
    const call = JSON.stringify({ id, start: from });
    return `[Cut: characters ${from} to ${to} of ${total} are left out here. Read them with read_result ${call}.]`;
  }
}

/** Where a text must end so that its UTF-8 form has at most so many bytes; at a line's end if one is near. */
function cutPosition(text: string, maxBytes: number): number {
  if (maxBytes <= 0) return 0;
  // No character has more than three bytes per unit, and none less than one.
  if (text.length * 3 <= maxBytes) return text.length;
  if (text.length <= maxBytes && Buffer.byteLength(text, 'utf8') <= maxBytes) return text.length;
  const { read } = new TextEncoder().encodeInto(text.slice(0, maxBytes), Buffer.alloc(maxBytes));
  const end = wholeCharacter(text, read);
  const line = text.lastIndexOf('\n', end - 1);
  return line > end - 2000 && line > 0 ? line + 1 : end;
}
