import { buffer } from 'node:stream/consumers'
import { hasImap } from '../accounts/has-imap.ts'
import type { MailboxContext } from '../context.ts'
import { MessageNotFound } from '../contract.ts'
import type { Daemon } from '../daemon/daemon.ts'
import { hintsOf } from '../messages/folders.ts'
import { expungeMessages, storeFlags } from '../messages/imap-commands.ts'
import { parseMessageId } from '../messages/message-id.ts'
import { openMailbox, openMailboxOfMessage } from '../messages/open-mailbox.ts'
import { findSpecialUse, resolvePath } from '../messages/resolve-path.ts'
import type { MailSession } from '../messages/session.ts'
import { wantsCopy } from './sent-copy-rules.ts'
import type { Submission } from './submission.ts'

const TIMEOUT_MS = 120_000
/** Of Gmail, which stores what it sends. */
const KEEPING_EXTENSION = 'X-GM-EXT-1'

/**
 * What a mail program does after it has sent a message: a copy in the mailbox of sent mail, a flag
 * on the message that it replied to, and no draft any more.
 */
export async function keepSentMessage(
  { kernel }: MailboxContext,
  daemon: Daemon,
  submission: Submission,
  signal: AbortSignal
): Promise<void> {
  const account = await daemon.accounts.find(submission.account)
  if (account === undefined || !hasImap(account)) return
  if (daemon.serverOf(account, 'imap') === undefined) return
  const { original, draft } = submission.options
  const hasCopy = wantsCopy(account, submission)
  if (!hasCopy && original === undefined && draft === undefined) return
  const { database, files } = kernel
  const readMessage = async () => {
    const file = await files.open(submission.hash ?? '')
    return file === undefined ? undefined : buffer(file.stream)
  }
  await daemon.connections.run(account.id, { signal, timeoutMs: TIMEOUT_MS }, async (client) => {
    const session = { client, database, account: account.id, hints: hintsOf(account), signal }
    // First, because it fails least often.
    if (original !== undefined) await markOriginal(session, original)
    if (hasCopy) await storeCopy(session, submission, readMessage)
    if (draft !== undefined) await removeDraft(session, draft)
  })
}

async function markOriginal(
  session: MailSession,
  { message, action }: NonNullable<Submission['options']['original']>
): Promise<void> {
  const flags = action === 'forward' ? ['\\Answered', '$Forwarded'] : ['\\Answered']
  await withMessage(session, message, (uid) => storeFlags(session.client, [uid], 'add', flags))
}

async function removeDraft(session: MailSession, draft: string): Promise<void> {
  await withMessage(session, draft, (uid) => expungeMessages(session.client, [uid]))
}

/** Nothing is done if the message is not there any more. */
async function withMessage(
  session: MailSession,
  id: string,
  change: (uid: number) => Promise<unknown>
): Promise<void> {
  const key = parseMessageId(id)
  if (key === undefined) return
  try {
    await openMailboxOfMessage(session.client, session, key, 'write')
  } catch (error) {
    if (error instanceof MessageNotFound) return
    throw error
  }
  await change(key.uid)
}

async function storeCopy(
  { client, hints }: MailSession,
  { options, run, attempts, messageId }: Submission,
  readMessage: () => Promise<Buffer | undefined>
): Promise<void> {
  const keepsByItself = client.capabilities.has(KEEPING_EXTENSION) && options.copy !== true
  if (keepsByItself) return
  const path =
    options.sentMailPath === undefined
      ? (await findSpecialUse(client, hints, '\\Sent'))?.path
      : await resolvePath(client, hints, options.sentMailPath)
  if (path === undefined) throw new Error('There is no mailbox of sent mail')
  // Selected for writing: flags that the selected mailbox does not keep are not stored.
  await openMailbox(client, path, 'write')
  // A run that was interrupted may have stored the copy.
  if (run > attempts) {
    const found = await client.search({ header: { 'message-id': messageId } }, { uid: true })
    if (found && found.length > 0) return
  }
  const message = await readMessage()
  if (message === undefined) throw new Error('The file of the message is missing')
  if ((await client.append(path, message, ['\\Seen'])) === false) {
    throw new Error('The mail server did not store the copy')
  }
}
