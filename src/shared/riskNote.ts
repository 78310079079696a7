/** What a note is about. Facts that a person may want to know before deciding; never a score or a verdict. */
export type RiskNoteKind =
  | 'hiddenCharacters'
  | 'lookAlikeName'
  | 'mixedScript'
  | 'outsideWorkspace'
  | 'unresolvedPath'
  | 'urlHost'
  | 'privateAddress'
  | 'urlCredentials'
  | 'secret'
  | 'longArgument'
  | 'deepArgument'
  | 'definitionNew'
  | 'definitionChanged'
  | 'launchChanged'
  | 'neverCalled'
  | 'workspaceServer'
  | 'descriptionBeyondTitle'
  | 'notesCut';

/** `info`: a plain fact. `caution`: a fact that often goes with trouble; shown with a sign, not only a colour. */
export type RiskSeverity = 'info' | 'caution';

/** Which part of the call a note belongs to. */
export type RiskSubject =
  | { readonly kind: 'server' }
  | { readonly kind: 'toolName' }
  | { readonly kind: 'toolTitle' }
  | { readonly kind: 'toolDescription' }
  /** `path` is a JSON Pointer (RFC 6901) into the tool's definition. */
  | { readonly kind: 'definition'; readonly path: string }
  /** `path` is a JSON Pointer into the arguments; `''` stands for all of them. */
  | { readonly kind: 'argument'; readonly path: string; readonly part: 'key' | 'value' };

/** Offsets into the subject's text in UTF-16 code units, end exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** One fact beside an approval. Plain data: it crosses to the webview. */
export interface RiskNote {
  readonly kind: RiskNoteKind;
  readonly severity: RiskSeverity;
  readonly subject: RiskSubject;
  /** One plain sentence. Foreign text in it has already been made visible, shortened and put in quotes. */
  readonly message: string;
  /** Longer text to open on demand, made visible in the same way. */
  readonly detail?: string;
  /** The parts of the subject's text meant; for `secret`, the parts to mask until revealed. */
  readonly ranges?: readonly TextRange[];
}
