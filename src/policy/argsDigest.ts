import { digest } from '../base/canonicalJson.ts';
import { HostError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';

/** Digest of all arguments of a call; `undefined` where canonical JSON has none (a torn surrogate pair). */
export function argsDigest(args: JsonObject): string | undefined {
  try {
    return digest(args);
  } catch (error) {
    if (error instanceof HostError) return undefined;
    throw error;
  }
}
