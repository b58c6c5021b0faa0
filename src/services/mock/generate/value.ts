/** Result if no value was found. */
export const NOTHING = Symbol('nothing')

export type Value = unknown | typeof NOTHING
