import { errorMessage } from '../base/errors.ts';
import { JournalUnusable } from './journal.ts';

export interface ExplainedFailure {
  /** The system's code (`ENOSPC`, …) or the problem's name. */
  readonly code: string;
  /** What is wrong and the way out, for a person. */
  readonly message: string;
}

const wayOut =
  'Calls wait until this is solved; then just try again, or run "Countersign: Resume Recording".';

/** Says in plain words why nothing can be recorded. */
export function explainFailure(error: unknown, folder: string): ExplainedFailure {
  if (error instanceof JournalUnusable) {
    const what =
      error.problem.kind === 'readOnly'
        ? `The audit file ${error.path} was made read-only. Make it writable again.`
        : `The audit folder ${folder} is gone. Create it again.`;
    return { code: error.problem.kind, message: `The call cannot be recorded. ${what} ${wayOut}` };
  }
  const code = systemCode(error);
  return { code, message: `The call cannot be recorded. ${systemReason(code, error, folder)} ${wayOut}` };
}

function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
}

function systemReason(code: string, error: unknown, folder: string): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `The disk that holds ${folder} is full. Free some space or choose another audit folder.`;
    case 'EFBIG':
      return `The system allows no larger file in ${folder}. Raise the limit or choose another audit folder.`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `The audit folder ${folder} cannot be written to. Give yourself permission or choose another one.`;
    case 'ENOENT':
    case 'ENOTDIR':
      return `The audit folder ${folder} is gone. Create it again.`;
    default:
      return `Writing to ${folder} failed: ${errorMessage(error)}.`;
  }
}
