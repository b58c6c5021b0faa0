/** Delivers an event; the payload is its id. */
export const WEBHOOK_JOB = 'webhook'
/** At a time in a process. */
export const MAX_DELIVERIES = 24
export const MAX_DELIVERY_ATTEMPTS = 10
/** Longer than one request, so that its own limit ends it. */
export const DELIVERY_TIMEOUT_MS = 40_000

const FIRST_PAUSE_MS = 5_000
const SPREAD = 0.2

/** The events of an account are delivered in their order. */
export function webhookLane(account: string): string {
  return `webhook ${account}`
}

/**
 * Milliseconds until the next attempt after `attempt` failed ones: 5, 10, 20 s … and up to a fifth
 * more or less, so that deliveries that failed together are not repeated together.
 */
export function deliveryBackoff(attempt: number, random: () => number = Math.random): number {
  return Math.round(FIRST_PAUSE_MS * 2 ** (attempt - 1) * (1 + SPREAD * (2 * random() - 1)))
}
