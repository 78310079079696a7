import { TimeSlice } from '../base/timeSlice.ts';

let current: TimeSlice | undefined;

/**
 * How long what all channels bring may be read at once in this turn of the event loop. There is one event loop, and one
 * poll of it hands over dozens of chunks before anything else is run: a budget for each of them would be none.
 */
export function loopTurn(): TimeSlice {
  if (current === undefined) {
    current = new TimeSlice();
    setImmediate(() => (current = undefined));
  }
  return current;
}
