/** When a prompt that nobody answers ends by itself; milliseconds. Without it the prompt waits for ever. */
export interface PromptExpiry {
  readonly expiresInMs?: number;
}

/** The longest time that a timer can hold; a longer one would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Reads a setting in seconds, where 0 (and anything that is no time) means never. */
export function promptExpiry(seconds: number): PromptExpiry {
  return seconds > 0 ? { expiresInMs: Math.min(seconds * 1000, longestTimerMs) } : {};
}
