/** Where in a file something was found. */
export interface Place {
  /** From 1. */
  readonly line: number;
  /** In bytes. */
  readonly offset: number;
}

/**
 * What a check found. `notice`: what a crash or a copy of the file leaves behind. `damage`: what only somebody's
 * hand, or a broken disk, can do.
 */
export type Finding =
  /** The last line is not complete: the process ended in the middle of writing it. */
  | ({ readonly kind: 'tornTail'; readonly level: 'notice'; readonly bytes: number } & Place)
  /** The machine was restarted, and these records were not yet on the disk. */
  | {
      readonly kind: 'unsyncedTail';
      readonly level: 'notice';
      readonly expectedSeq: number;
      readonly foundSeq: number;
    }
  /** Without the head file beside it, a cut-off end cannot be ruled out. */
  | { readonly kind: 'headMissing'; readonly level: 'notice' }
  /** Without a seal, a file rewritten together with its head cannot be ruled out. */
  | { readonly kind: 'unsealed'; readonly level: 'notice' }
  | { readonly kind: 'empty'; readonly level: 'notice' }
  /** A line that is no record. */
  | ({ readonly kind: 'unreadable'; readonly level: 'damage' } & Place)
  /** The record's text is not what its own hash was made of. */
  | ({ readonly kind: 'altered'; readonly level: 'damage'; readonly seq: number } & Place)
  /** The record does not follow the one before it, though their numbers do. */
  | ({ readonly kind: 'brokenChain'; readonly level: 'damage'; readonly seq: number } & Place)
  | ({
      readonly kind: 'missing';
      readonly level: 'damage';
      readonly fromSeq: number;
      readonly toSeq: number;
    } & Place)
  /** A record whose number has been there before: inserted, repeated or moved. */
  | ({ readonly kind: 'outOfOrder'; readonly level: 'damage'; readonly seq: number } & Place)
  /** The file does not begin the way files begin. */
  | ({ readonly kind: 'wrongStart'; readonly level: 'damage'; readonly seq: number } & Place)
  /** The end is cut off. */
  | {
      readonly kind: 'truncated';
      readonly level: 'damage';
      readonly expectedSeq: number;
      readonly foundSeq: number;
      readonly by: string;
    }
  /** Records after the end that the head file, or a person, names. */
  | {
      readonly kind: 'beyondEnd';
      readonly level: 'damage';
      readonly expectedSeq: number;
      readonly foundSeq: number;
    }
  /** Complete in itself, but not what was written: the hash noted elsewhere (`by`) is another one. */
  | { readonly kind: 'rewritten'; readonly level: 'damage'; readonly seq: number; readonly by: string }
  /** The head file's seal was not made with this user's key. */
  | { readonly kind: 'forgedHead'; readonly level: 'damage' }
  /** A file that others speak of is not there, and no record says that it was deleted. */
  | { readonly kind: 'missingFile'; readonly level: 'damage'; readonly file: string; readonly by: string }
  /** The end of a session was noted, but the file with it is not there. */
  | { readonly kind: 'missingSession'; readonly level: 'damage'; readonly sessionId: string }
  /** The same, and a record says that files of the session were deleted. */
  | { readonly kind: 'deletedSession'; readonly level: 'notice'; readonly sessionId: string };

/** A call that was sent and has no outcome on record. */
export interface OpenCall {
  readonly callId: string;
  readonly serverId: string;
  readonly tool: string;
  readonly seq: number;
  readonly time: string;
}

export interface JournalReport {
  readonly path: string;
  readonly sessionId: string | undefined;
  readonly records: number;
  readonly firstSeq: number | undefined;
  readonly lastSeq: number | undefined;
  /** Of the last record; to compare with what was copied elsewhere. */
  readonly lastHash: string | undefined;
  /** `closed`: ended properly. `live`: its window still writes to it. `unclosed`: the window crashed or was killed. */
  readonly end: 'closed' | 'live' | 'unclosed';
  /** Nothing but notices was found. */
  readonly intact: boolean;
  readonly findings: readonly Finding[];
  /** Findings beyond the first thousand are only counted. */
  readonly moreFindings: number;
  readonly openCalls: readonly OpenCall[];
}

/** One sentence per finding, for a person. */
export function describeFinding(finding: Finding): string {
  switch (finding.kind) {
    case 'tornTail':
      return `${at(finding)}: the last record was not written completely (${finding.bytes} bytes). That is what a crash leaves behind.`;
    case 'unsyncedTail':
      return `The file ends with record ${finding.foundSeq} instead of ${finding.expectedSeq}. The rest was not yet on the disk when the machine stopped.`;
    case 'headMissing':
      return 'The head file is missing, so a cut-off end cannot be ruled out.';
    case 'unsealed':
      return 'The head file bears no seal, so a rewritten file cannot be ruled out.';
    case 'empty':
      return 'The file is empty.';
    case 'unreadable':
      return `${at(finding)}: this is not a record.`;
    case 'altered':
      return `${at(finding)}: record ${finding.seq} was altered.`;
    case 'brokenChain':
      return `${at(finding)}: record ${finding.seq} does not follow the record before it; one of the two was replaced.`;
    case 'missing':
      return `${at(finding)}: records ${finding.fromSeq} to ${finding.toSeq} are missing here.`;
    case 'outOfOrder':
      return `${at(finding)}: record ${finding.seq} does not belong here; it was inserted, repeated or moved.`;
    case 'wrongStart':
      return `${at(finding)}: record ${finding.seq} cannot be the first one; the beginning is missing or was replaced.`;
    case 'truncated':
      return `The end is cut off: the last record is ${finding.foundSeq} and should be ${finding.expectedSeq} (according to ${finding.by}).`;
    case 'beyondEnd':
      return `There are records up to ${finding.foundSeq}, but the file ended with ${finding.expectedSeq}.`;
    case 'rewritten':
      return `Record ${finding.seq} is not the one that was written (according to ${finding.by}).`;
    case 'forgedHead':
      return "The head file's seal was not made with your key.";
    case 'missingFile':
      return `The file ${finding.file} is gone without a record of its deletion (according to ${finding.by}).`;
    case 'missingSession':
      return `The record of session ${finding.sessionId} is gone without a record of its deletion (according to the hash that was noted).`;
    case 'deletedSession':
      return `The noted hash of session ${finding.sessionId} cannot be checked: that record was deleted, as the journal says.`;
  }
}

function at(place: Place): string {
  return `Line ${place.line} (byte ${place.offset})`;
}
