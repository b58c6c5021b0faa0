import type { SMTPServerEnvelope } from 'smtp-server'
import { StorageFull } from '../../../../kernel/database/errors.ts'
import { isStorageError } from '../../../../kernel/errors.ts'
import { FileTooLarge } from '../../../../kernel/files/files.ts'
import type { MailboxContext } from '../../context.ts'
import { receiveMessage } from '../message/receive.ts'
import { recipientAccounts } from '../recipients.ts'
import { messageEndless, messageTooLarge, notStored, SmtpError, storageFull } from './contract.ts'

/** Bytes beyond the maximum size that are read and discarded, so that the client reads the error. */
const MAX_DISCARDED_BYTES = 10 * 1024 * 1024

/** Resolves when the message is stored; rejects with an `SmtpError` and then leaves nothing. */
export async function receive(
  context: MailboxContext,
  stream: AsyncIterable<Uint8Array>,
  envelope: SMTPServerEnvelope
): Promise<void> {
  const { kernel, options, store } = context
  const maxBytes = options.sandboxMessageBytes
  try {
    const { file, facts } = await receiveMessage(kernel.files, limitBytes(stream, maxBytes), {
      maxBytes
    })
    const envelopeTo = envelope.rcptTo.map(({ address }) => address)
    const envelopeFrom = envelope.mailFrom ? envelope.mailFrom.address : ''
    const accounts = await recipientAccounts(store, envelopeTo)
    await store.deliver(accounts, { file, facts, envelopeFrom, envelopeTo })
  } catch (error) {
    throw error instanceof FileTooLarge ? messageTooLarge(maxBytes) : replyTo(error, kernel.warn)
  }
}

/** Reads a message that is too large to its end, because clients read no reply before. */
async function* limitBytes(
  source: AsyncIterable<Uint8Array>,
  most: number
): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size > most + MAX_DISCARDED_BYTES) throw messageEndless(most)
    if (size <= most) yield chunk
  }
  if (size > most) throw messageTooLarge(most)
}

function replyTo(error: unknown, warn: (text: string) => void): SmtpError {
  if (error instanceof SmtpError) return error
  if (error instanceof StorageFull) return storageFull()
  // A client that ends the connection within the message is no defect.
  if (!isStorageError(error) && !isDisconnect(error)) {
    warn(`A message was not stored: ${error instanceof Error ? error.stack : error}`)
  }
  return notStored()
}

function isDisconnect(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ECONNECTION' || code === 'ERR_STREAM_PREMATURE_CLOSE'
}
