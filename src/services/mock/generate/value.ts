/** No value was found here. */
export const NOTHING = Symbol('nothing')

export type Value = unknown | typeof NOTHING
