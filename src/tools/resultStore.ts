import { randomBytes } from 'node:crypto';

/** A piece of a kept result. Positions are UTF-16 units, and never inside a surrogate pair. */
export type ResultPiece =
  | {
      readonly kind: 'piece';
      readonly text: string;
      readonly start: number;
      readonly end: number;
      readonly total: number;
    }
  | { readonly kind: 'unknown' };

/** Keeps the full text of results that were cut for the model, until newer ones need the room. */
export class ResultStore {
  readonly #texts = new Map<string, { readonly owner: string; readonly text: string }>();
  readonly #maxCharacters: number;
  #characters = 0;

  /** `maxCharacters`: what all kept texts may have together; the newest is always kept. */
  constructor(maxCharacters = 32 * 1024 * 1024) {
    this.#maxCharacters = maxCharacters;
  }

  /** Keeps a text for its owner (a conversation, a caller) and returns the id to read it by. */
  put(owner: string, text: string): string {
    const id = `result-${randomBytes(6).toString('hex')}`;
    this.#texts.set(id, { owner, text });
    this.#characters += text.length;
    for (const [oldest, kept] of this.#texts) {
      if (this.#characters <= this.#maxCharacters || oldest === id) break;
      this.#texts.delete(oldest);
      this.#characters -= kept.text.length;
    }
    return id;
  }

  /** The whole text; undefined when it is not there (any more) or belongs to someone else. */
  full(owner: string, id: string): string | undefined {
    const kept = this.#texts.get(id);
    return kept?.owner === owner ? kept.text : undefined;
  }

  /** A piece of a kept text. */
  read(owner: string, id: string, start: number, length: number): ResultPiece {
    const text = this.full(owner, id);
    if (text === undefined) return { kind: 'unknown' };
    const from = wholeCharacter(text, Math.min(Math.max(0, start), text.length));
    const to = Math.max(wholeCharacter(text, Math.min(from + Math.max(1, length), text.length)), from);
    const end = to === from && from < text.length ? Math.min(from + 2, text.length) : to;
    return { kind: 'piece', text: text.slice(from, end), start: from, end, total: text.length };
  }

  /** Forgets everything that an owner had. */
  forget(owner: string): void {
    for (const [id, kept] of this.#texts) {
      if (kept.owner !== owner) continue;
      this.#texts.delete(id);
      this.#characters -= kept.text.length;
    }
  }
}

/** Moves a position back if it is inside a surrogate pair. */
export function wholeCharacter(text: string, position: number): number {
  const before = text.charCodeAt(position - 1);
  const after = text.charCodeAt(position);
  const isInside = before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
  return isInside ? position - 1 : position;
}
