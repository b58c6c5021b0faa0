/** What an import has done with an object, or would do. */
export type ImportResult = 'added' | 'updated' | 'unchanged' | { skipped: string }

/**
 * An id that exists elsewhere: the sentence is the same for boards of the member and of others, so
 * it does not tell whose it is.
 */
export const ID_USED = 'whose id is in use elsewhere; --new-ids imports a copy'
