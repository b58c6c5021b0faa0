import { Readable } from 'node:stream'
import type { MailServer } from '../accounts/servers.ts'
import { sentBytes } from './message-stream.ts'
import { openSmtp, type SmtpOptions } from './smtp-connection.ts'
import type { RejectedRecipient, Submission, SubmissionProgress } from './submission.ts'

/** Until the server wants the next piece of the message; it has longer for its end. */
const STALL_TIMEOUT_MS = 60_000
const MAX_RESPONSE_LENGTH = 1000

interface Sending {
  readonly submission: Pick<Submission, 'envelope' | 'options' | 'size'>
  readonly source: AsyncIterable<Uint8Array>
  /** Called before the server can accept the message; an error ends the attempt. */
  readonly beforeEnd: () => Promise<void>
}

/** Resolves when the server has accepted the message for at least one recipient. */
export async function sendMessage(
  server: MailServer,
  { submission, source, beforeEnd }: Sending,
  options: SmtpOptions
): Promise<SubmissionProgress> {
  const stalled = new AbortController()
  const wait = () => setTimeout(() => stalled.abort(timeoutError()), STALL_TIMEOUT_MS)
  let timer = wait()
  const signal = AbortSignal.any([options.signal, stalled.signal])
  try {
    const session = await openSmtp(server, { ...options, signal })
    try {
      const message = Readable.from(
        sentBytes(
          source,
          async () => {
            clearTimeout(timer)
            await beforeEnd()
          },
          () => {
            clearTimeout(timer)
            timer = wait()
          }
        ),
        { objectMode: false }
      )
      const { envelope, options: wanted, size } = submission
      const { dsn } = wanted
      const info = await session.run<SendInfo>((done) =>
        session.connection.send(
          {
            from: envelope.from,
            to: [...envelope.to],
            size,
            use8BitMime: true,
            ...(dsn !== undefined && {
              dsn: { ...dsn, notify: dsn.notify?.map((one) => one.toUpperCase()) }
            })
          },
          message,
          done
        )
      )
      session.connection.quit()
      return progressOf(info)
    } finally {
      session.close()
    }
  } finally {
    clearTimeout(timer)
  }
}

interface SendInfo {
  readonly response: string
  readonly serverMessageId?: string | undefined
  readonly rejectedErrors?:
    | readonly { readonly recipient?: string | undefined; readonly response?: string | undefined }[]
    | undefined
}

function progressOf({ response, serverMessageId, rejectedErrors = [] }: SendInfo) {
  const rejected = rejectedErrors.map(
    (error): RejectedRecipient => ({
      recipient: error.recipient ?? '',
      response: (error.response ?? '').slice(0, MAX_RESPONSE_LENGTH)
    })
  )
  return {
    response: response.slice(0, MAX_RESPONSE_LENGTH),
    ...(serverMessageId !== undefined && { messageId: serverMessageId }),
    ...(rejected.length > 0 && { rejected })
  }
}

function timeoutError(): Error {
  return Object.assign(new Error('The mail server did not respond in time'), { code: 'ETIMEDOUT' })
}
