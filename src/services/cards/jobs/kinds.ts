/** Kind of the job that publishes a card at its time. */
export const PUBLISH_JOB = 'publish'

/** Kind of the job that tells webhooks what was published. */
export const ANNOUNCE_JOB = 'publication'

/** Kind of the job that ends the time in which a change can be undone. */
export const UNDO_JOB = 'undo'
