import type { Transaction } from '../../../kernel/database/transaction.ts'
import { addJob } from '../../../kernel/outbox/add-job.ts'
import { insertSubmission } from '../store/submissions.ts'
import { SCHEDULE_JOB, SUBMIT_JOB, scheduleLane, submitLane } from './jobs.ts'
import type { NewSubmission, Submission } from './submission.ts'

/** The message and its job, in one transaction. */
export function* addSubmission(added: NewSubmission, time: number): Transaction<void> {
  yield* insertSubmission(added, time)
  yield* addSendJob({ ...added, run: 0 }, added.sendAt, time)
}

/** The job that sends the message now, or the one that waits for its time. */
export function* addSendJob(
  { id, account, run }: Pick<Submission, 'id' | 'account' | 'run'>,
  runAt: number,
  time: number
): Transaction<void> {
  const job =
    runAt > time
      ? { kind: SCHEDULE_JOB, lane: scheduleLane(id), runAt }
      : { kind: SUBMIT_JOB, lane: submitLane(account, id) }
  yield* addJob({ ...job, key: `${job.kind} ${id} ${run}`, payload: id }, time)
}
