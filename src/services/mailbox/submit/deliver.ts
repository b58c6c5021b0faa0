import { setTimeout as wait } from 'node:timers/promises'
import type { Job, JobResult } from '../../../kernel/outbox/job.ts'
import type { Account } from '../accounts/account.ts'
import type { MailboxContext } from '../context.ts'
import type { Daemon } from '../daemon/daemon.ts'
import { recordEvents } from '../events/record-events.ts'
import { failedEvents, sentEvent } from '../events/submit-events.ts'
import {
  beginAttempt,
  beginCopy,
  endSubmission,
  findSubmission,
  markEnding,
  markSent,
  postpone
} from '../store/submissions.ts'
import { addSendJob } from './add-submission.ts'
import { cleanUp } from './clean-up.ts'
import { finish } from './finish.ts'
import { openMailSocket } from './open-socket.ts'
import {
  isPermanent,
  progressError,
  retryDelay,
  type SmtpError,
  smtpErrorOf
} from './retry-rules.ts'
import { sendMessage } from './send-message.ts'
import { smtpStatusOf } from './smtp-status.ts'
import type { Submission } from './submission.ts'

/** Until a paused queue is looked at again. */
const PAUSE_MS = 3_000
/** Until the database is tried again. */
const STORE_PAUSE_MS = 500
const DONE: JobResult = { state: 'done' }

/** The message was removed, or another process sends it. */
class NotOurs extends Error {}

/** Sends a message and does what follows; `payload` is its queue id. */
export async function runSubmitJob(context: MailboxContext, job: Job): Promise<JobResult> {
  const { database } = context.kernel
  const daemon = await context.daemon()
  const { pausedQueues } = await daemon.settings.read()
  if (pausedQueues.includes('submit')) {
    return { state: 'retry', reason: 'The queue is paused', afterMs: PAUSE_MS }
  }
  const sent = await database.write(() => beginCopy(job.payload))
  if (sent !== undefined) return finish(context, daemon, sent, job.signal)
  const submission = await database.write(() => beginAttempt(job.payload))
  if (submission === undefined) return DONE
  const account = await daemon.accounts.find(submission.account)
  if (account === undefined) return DONE
  try {
    await attempt(context, daemon, { account, submission, signal: job.signal })
  } catch (error) {
    if (error instanceof NotOurs) return DONE
    if (job.signal.aborted) throw error
    return failed(context, daemon, { submission, error: smtpErrorOf(error), job: job.id })
  }
  const accepted = await database.read(() => findSubmission(submission.id))
  return accepted === undefined ? DONE : finish(context, daemon, accepted, job.signal)
}

interface AttemptOptions {
  readonly account: Account
  readonly submission: Submission
  readonly signal: AbortSignal
}

/** Resolves when it is stored that the server has accepted the message. */
async function attempt(
  { kernel }: MailboxContext,
  { accounts, settings, serverOf }: Daemon,
  { account, submission, signal }: AttemptOptions
): Promise<void> {
  const { database, files, now } = kernel
  const server = serverOf(account, 'smtp')
  if (server === undefined) throw unavailable(account)
  const { smtpEhloName, ignoreMailCertErrors } = await settings.read()
  const file = await files.open(submission.hash ?? '')
  if (file === undefined) throw smtpError('The file of the message is missing', 'ENOENT')
  const progress = await sendMessage(
    server,
    {
      submission,
      source: file.stream,
      async beforeEnd() {
        signal.throwIfAborted()
        if (!(await database.write(() => markEnding(submission)))) throw new NotOurs()
      }
    },
    {
      connect: (target, ending) => openMailSocket(kernel, target, ending),
      ehloName: account.settings.smtpEhloName ?? smtpEhloName,
      ignoreCertificateErrors: ignoreMailCertErrors,
      signal
    }
  ).finally(() => file.stream.destroy())
  const time = now().getTime()
  await untilStored(signal, () =>
    database.write(
      function* () {
        if (yield* markSent(submission, progress)) {
          yield* recordEvents([sentEvent(submission, progress)], time)
        }
      },
      { frees: true }
    )
  )
  await accounts
    .setSmtpStatus(account.id, smtpStatusOf({ response: progress.response }, time))
    .catch(ignore)
}

/** The status is only shown; without it the message is still sent. */
function ignore(): void {}

/** The message would be sent again if this were not stored. */
async function untilStored(signal: AbortSignal, write: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await write()
    } catch {
      await wait(STORE_PAUSE_MS, undefined, { signal })
    }
  }
}

/** An account of the sandbox has a server, but not before it listens. */
function unavailable({ isSandbox }: Account): Error {
  return isSandbox
    ? smtpError('The mail server does not listen yet', 'ECONNECTION')
    : smtpError('The account has no SMTP server', 'EENVELOPE')
}

function smtpError(message: string, code: string): Error {
  return Object.assign(new Error(message), { code })
}

interface FailedAttempt {
  readonly submission: Submission
  readonly error: SmtpError
  /** Id of the job. */
  readonly job: string
}

async function failed(
  { kernel }: MailboxContext,
  { accounts, settings }: Daemon,
  { submission, error, job }: FailedAttempt
): Promise<JobResult> {
  const time = kernel.now().getTime()
  await accounts.setSmtpStatus(submission.account, smtpStatusOf(error, time)).catch(ignore)
  const progress = { error: progressError(error) }
  const attempts = submission.attempts + 1
  const isLast = isPermanent(error) || attempts >= submission.maxAttempts
  const nextAt = isLast ? undefined : time + retryDelay(attempts)
  const { queueKeep } = await settings.read()
  return {
    state: 'done',
    *write() {
      if (nextAt === undefined) {
        if (!(yield* endSubmission(submission, { state: 'failed', progress, time }))) return
        yield* cleanUp(queueKeep, time)
      } else {
        if (!(yield* postpone(submission, progress, nextAt))) return
        yield* addSendJob(submission, nextAt, time)
      }
      yield* recordEvents(failedEvents(submission, { error, attempts, nextAt, job }), time)
    }
  }
}
