import type { RefusalReason } from '../../src/shared/hostMessage.ts';

const texts: Readonly<Record<RefusalReason, string>> = {
  unknownPrompt: 'This is no longer waiting. Nothing was allowed.',
  stale: 'This changed after it was shown. Nothing was allowed; read it again.',
  notShown: 'This was not in view long enough. Nothing was allowed; try again.',
  wrongKind: 'This answer does not fit the question. Nothing was allowed.',
  invalid: 'The values are not valid. Nothing was allowed.',
  failed: 'That could not be done. Nothing was allowed.',
};

/** Why an answer was not taken, for the person who gave it. */
export function refusalText(reason: RefusalReason): string {
  return texts[reason];
}
