/** The kind of the jobs that send deliveries. */
export const WEBHOOK_JOB = 'webhook'
/** At a time; slow receivers must not delay scheduled publications. */
export const MAX_DELIVERIES = 24

const FIRST_MS = 30_000
const LAST_MS = 30 * 60_000

/**
 * Milliseconds until the next attempt after `attempt` failed ones: 30, 60, 120 s …, 30 min, and up
 * to a tenth more, so that deliveries that failed together are not repeated together.
 */
export function deliveryBackoff(attempt: number, random: () => number = Math.random): number {
  return Math.round(Math.min(FIRST_MS * 2 ** (attempt - 1), LAST_MS) * (1 + random() / 10))
}
