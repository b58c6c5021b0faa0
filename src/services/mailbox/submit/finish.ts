import type { JobResult } from '../../../kernel/outbox/job.ts'
import type { MailboxContext } from '../context.ts'
import type { Daemon } from '../daemon/daemon.ts'
import { endSubmission, postponeCopy } from '../store/submissions.ts'
import { addSendJob } from './add-submission.ts'
import { cleanUp } from './clean-up.ts'
import { keepSentMessage } from './keep-sent-message.ts'
import type { Submission } from './submission.ts'

/** Until the copy of a sent message is tried again. */
const RETRY_MS = [5_000, 30_000]

/** What follows after a message was sent. Its errors are shown, but the message stays sent. */
export async function finish(
  context: MailboxContext,
  daemon: Daemon,
  submission: Submission,
  signal: AbortSignal
): Promise<JobResult> {
  const { copyAttempts = 0 } = submission.progress
  let warning: string | undefined
  let retryMs: number | undefined
  try {
    await keepSentMessage(context, daemon, submission, signal)
  } catch (error) {
    if (signal.aborted) throw error
    warning = (error as Error).message
    retryMs = isTemporary(error) ? RETRY_MS[copyAttempts] : undefined
  }
  const { warning: _, copyAttempts: __, ...before } = submission.progress
  const time = context.kernel.now().getTime()
  const { queueKeep } = await daemon.settings.read()
  if (retryMs !== undefined) {
    const progress = { ...before, copyAttempts: copyAttempts + 1 }
    return {
      state: 'done',
      *write() {
        if (!(yield* postponeCopy(submission, progress, time + retryMs))) return
        yield* addSendJob(submission, time + retryMs, time)
      }
    }
  }
  const progress = { ...before, ...(warning !== undefined && { warning }) }
  return {
    state: 'done',
    *write() {
      yield* endSubmission(submission, { state: 'submitted', progress, time })
      yield* cleanUp(queueKeep, time)
    }
  }
}

/** The mail server was not reached, or not in time. */
function isTemporary(error: unknown): boolean {
  const { statusCode } = error as { statusCode?: number }
  return statusCode !== undefined && statusCode >= 500
}
