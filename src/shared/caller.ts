/** Who may ask for a tool call. `user` is a person running a tool by hand. */
export const callerKinds = ['chat', 'languageModelTool', 'bridge', 'api', 'user'] as const;
export type CallerKind = (typeof callerKinds)[number];

/** Who asks for a call, as shown to the person and written to the record. */
export interface Caller {
  readonly kind: CallerKind;
  /** What a person reads: the model's name, the extension's id, … Not trusted, never compared. */
  readonly label: string;
  /** Groups the calls of one chat turn or one client session; the unit of repeat and total limits. */
  readonly turn?: string;
}
