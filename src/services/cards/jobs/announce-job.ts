import type { Job, JobResult } from '../../../kernel/outbox/job.ts'
import type { CardContext } from '../context.ts'
import { announceChanges } from '../store/announce/announce-changes.ts'

/** Compares and enqueues in one transaction with the end of the job, so that nothing is lost or told twice. */
export async function runAnnounceJob(
  { kernel }: CardContext,
  { id, payload }: Job
): Promise<JobResult> {
  const { board }: { board: string } = JSON.parse(payload)
  const time = kernel.now().toISOString()
  return { state: 'done', write: () => announceChanges(board, id, time) }
}
