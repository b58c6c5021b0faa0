/** The type of the actions that are comments. */
export const COMMENT = 'commentCard'
