import type { Job, JobResult } from '../../../kernel/outbox/job.ts'
import { removeUndo } from '../store/undo.ts'

/** Ends the time in which a change can be undone. */
export async function runUndoJob({ payload }: Job): Promise<JobResult> {
  const { id }: { id: string } = JSON.parse(payload)
  return { state: 'done', write: () => removeUndo(id) }
}
