import type { Job, JobResult } from '../../../kernel/outbox/job.ts'
import type { MailboxContext } from '../context.ts'
import { findSubmission } from '../store/submissions.ts'
import { addSendJob } from './add-submission.ts'

/** The time of a message has come; `payload` is its queue id. */
export async function runScheduleJob({ kernel }: MailboxContext, job: Job): Promise<JobResult> {
  const time = kernel.now().getTime()
  return {
    state: 'done',
    *write() {
      const submission = yield* findSubmission(job.payload)
      if (submission !== undefined) yield* addSendJob(submission, time, time)
    }
  }
}
