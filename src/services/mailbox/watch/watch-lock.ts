/** Of the process that watches the accounts. */
export const WATCH_LOCK = 'watch'
