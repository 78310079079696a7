/** Part of a text comparison, in reading order. The text is raw: make it visible before showing it. */
export interface DiffPart {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** The part of a tool's definition or of a server's launch that changed. */
export type DiffArea =
  | 'name'
  | 'title'
  | 'description'
  | 'inputSchema'
  | 'outputSchema'
  | 'annotations'
  | 'command'
  | 'args'
  | 'env'
  | 'cwd'
  | 'url'
  | 'headers'
  | 'other';

interface ChangeBase {
  readonly area: DiffArea;
  /** JSON Pointer (RFC 6901) of what changed; `''` is the whole. */
  readonly path: string;
}

/** One difference. `before` and `after` are JSON text (raw: make it visible), cut when `cut` is set. */
export type DefinitionChange =
  | (ChangeBase & { readonly kind: 'text'; readonly parts: readonly DiffPart[]; readonly cut?: boolean })
  | (ChangeBase & { readonly kind: 'added'; readonly after: string; readonly cut?: boolean })
  | (ChangeBase & { readonly kind: 'removed'; readonly before: string; readonly cut?: boolean })
  | (ChangeBase & {
      readonly kind: 'changed';
      readonly before: string;
      readonly after: string;
      readonly cut?: boolean;
    });

/** All differences between two definitions of a tool, or two launches of a server. */
export interface DefinitionDiff {
  readonly subject: 'tool' | 'launch';
  /** What a person reads first comes first: name, title, description, annotations, then schemas. */
  readonly changes: readonly DefinitionChange[];
  /** How many more there are than `changes` holds. */
  readonly omitted: number;
}

/** What a prompt shows before anything else when something changed since the person last allowed it. */
export interface ChangeNotice {
  /** ISO 8601: when what is now changed was allowed. */
  readonly allowedAt: string;
  readonly tool?: DefinitionDiff;
  readonly launch?: DefinitionDiff;
  /** Set for a part that changed but whose earlier state is not known any more. */
  readonly unknownBefore?: readonly ('tool' | 'launch')[];
}
