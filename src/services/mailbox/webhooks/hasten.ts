import { hastenJobs, TURN_OPTIONS } from '../../../kernel/outbox/turn.ts'
import type { MailboxContext } from '../context.ts'
import { WEBHOOK_JOB, webhookLane } from './jobs.ts'

/** Settings on which deliveries depend. */
const NAMES = ['webhooks', 'webhooksCustomHeaders', 'webhooksEnabled', 'serviceSecret']
/** Longer than processes use settings that they have read. */
const AGAIN_MS = 1_500

/**
 * Deliveries that wait for their next attempt are tried now, if a request has changed where or how
 * they are sent: those of an account, or all.
 */
export async function hastenDeliveries(
  context: Pick<MailboxContext, 'kernel' | 'stopping'>,
  changed: object,
  account?: string
): Promise<void> {
  if (!Object.keys(changed).some((name) => NAMES.includes(name))) return
  await hastenAll(context, account)
}

/** Once more a moment later, for attempts that ended meanwhile with what was set before. */
export async function hastenAll(
  { kernel: { database, now }, stopping }: Pick<MailboxContext, 'kernel' | 'stopping'>,
  account?: string
): Promise<void> {
  const lane = account === undefined ? undefined : webhookLane(account)
  const hasten = () => {
    const time = now().getTime()
    return database.write(() => hastenJobs(WEBHOOK_JOB, lane, time), TURN_OPTIONS)
  }
  await hasten()
  const cancel = () => clearTimeout(timer)
  const timer = setTimeout(() => {
    stopping.removeEventListener('abort', cancel)
    hasten().catch(() => {})
  }, AGAIN_MS).unref()
  stopping.addEventListener('abort', cancel, { once: true })
}
