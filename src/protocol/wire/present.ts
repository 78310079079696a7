/** `T` with members that may be undefined turned into optional ones. */
export type Present<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Leaves out the members that are undefined, so that "absent" has one spelling. */
export function present<T extends object>(value: T): Present<T> {
  // The cast holds by construction: exactly the undefined members are gone.
  return Object.fromEntries(Object.entries(value).filter((entry) => entry[1] !== undefined)) as Present<T>;
}
