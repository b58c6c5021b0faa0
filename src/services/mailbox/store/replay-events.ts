import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { addJobs } from '../../../kernel/outbox/add-job.ts'
import { createJobId } from '../../../kernel/outbox/job-id.ts'
import { readJobs } from '../../../kernel/outbox/job-states.ts'
import { replayJob } from '../../../kernel/outbox/turn.ts'
import { WEBHOOK_JOB, webhookLane } from '../webhooks/jobs.ts'
import type { EventRow } from './events.ts'

/**
 * Sends an event once more, with the id that it has. `waiting`: it waits to be sent already. A job
 * that has ended keeps its number in the lane; `afterNew` gives the event a new one, so that it is
 * sent after earlier events without a job. The row of the event is changed last, because other
 * transactions change it while they have the lane.
 */
export function* replayEvent(
  { id, account, job }: Pick<EventRow, 'id' | 'account' | 'job'>,
  afterNew: boolean,
  time: number
): Transaction<'waiting' | 'again' | 'new'> {
  if (job !== null) {
    if (!afterNew && (yield* replayJob(job, time))) return 'again'
    const status = (yield* readJobs([job])).get(job)
    if (status?.state === 'waiting') return 'waiting'
  }
  const added = createJobId(time)
  const key = `webhook:${id}:${added}`
  const lane = webhookLane(account)
  yield* addJobs([{ id: added, key, kind: WEBHOOK_JOB, lane, payload: id }], time)
  yield* query('update events set job = ? where id = ?', added, id)
  return 'new'
}
