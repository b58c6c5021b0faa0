/** Sends a message, after the earlier ones of its lane. */
export const SUBMIT_JOB = 'submit'
/** Waits for the time of a message, alone in its lane, and then adds the job that sends it. */
export const SCHEDULE_JOB = 'schedule-submit'

/** Messages of an account that all processes send at a time; many servers allow only a few. */
const LANES_PER_ACCOUNT = 2
/** Of one process at a time. */
export const MAX_SENDING = 24
/** A server may take ten minutes to accept a message that it has received (RFC 5321, 4.5.3.2.6). */
export const SEND_TIMEOUT_MS = 20 * 60_000
/** Attempts are counted in `submissions`; those of a job also count the times it waited. */
export const MAX_JOB_ATTEMPTS = 1_000_000_000

/** The lane of a message. */
export function submitLane(account: string, queueId: string): string {
  return `submit ${account} ${Number.parseInt(queueId.at(-1) ?? '0', 16) % LANES_PER_ACCOUNT}`
}

export function submitLanes(account: string): readonly string[] {
  return Array.from({ length: LANES_PER_ACCOUNT }, (_, lane) => `submit ${account} ${lane}`)
}

export function scheduleLane(queueId: string): string {
  return `schedule ${queueId}`
}
