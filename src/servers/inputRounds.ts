import { defaultMaxRounds } from '../client/clientOptions.ts';

/** Nobody answers more questions than this for one call. */
const most = 100;

/** Input rounds that the value of a setting allows in one call; nonsense counts as not set. */
export function inputRounds(value: unknown): number {
  return typeof value === 'number' && value >= 1 ? Math.min(Math.trunc(value), most) : defaultMaxRounds;
}
