/** Something is missing on this machine that a person has to install; the message says what and how. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}
