import type { ImapFlow } from 'imapflow'
import { isOperator } from '../../api/access.ts'
import type { Handler } from '../../api/route.ts'
import type { MailboxContext } from '../../context.ts'
import { invalidInput } from '../../contract.ts'
import type { Daemon } from '../../daemon/daemon.ts'
import { hintsOf, listFolders } from '../../messages/folders.ts'
import { describeFolder } from '../../messages/mailbox-handlers.ts'
import { openMailSocket } from '../../submit/open-socket.ts'
import { openSmtp } from '../../submit/smtp-connection.ts'
import type { Account } from '../account.ts'
import type { ImapInput, ServerInput } from '../account-input.ts'
import type { MailServer } from '../servers.ts'
import { serversToTry } from './servers-to-try.ts'
import { resultOf, type VerifyResult } from './verify-result.ts'

export interface VerifyInput {
  readonly imap?: ImapInput | false
  readonly smtp?: ServerInput | false
  readonly mailboxes?: boolean
  readonly smtpEhloName?: string
}

/** `POST /v1/verifyAccount` signs in to servers and stores nothing. */
export const verifyAccount: Handler<unknown, VerifyInput> = async (
  context,
  { caller, body: { mailboxes = false, ...input }, signal }
) => {
  const { account, imap, smtp } = serversToTry(context, input, isOperator(caller))
  if (imap === undefined && smtp === undefined) {
    throw invalidInput([{ key: 'imap', message: 'is required without smtp' }])
  }
  const daemon = await context.daemon()
  const [triedImap, triedSmtp] = await Promise.all([
    imap && tryImap(daemon, { account, server: imap, signal, mailboxes }),
    smtp && trySmtp(context, daemon, { account, server: smtp, signal })
  ])
  return {
    ...(triedImap && { imap: triedImap.tried }),
    ...(triedSmtp && { smtp: triedSmtp }),
    ...(triedImap?.mailboxes && { mailboxes: triedImap.mailboxes })
  }
}

interface Attempt {
  readonly account: Account
  readonly server: MailServer
  readonly signal: AbortSignal
}

async function tryImap(
  daemon: Daemon,
  { account, server, signal, mailboxes }: Attempt & { readonly mailboxes: boolean }
): Promise<{ tried: VerifyResult; mailboxes?: readonly object[] }> {
  const { connect } = daemon.connections
  let found: readonly object[] | undefined
  const tried = await resultOf(server, signal, async () => {
    const client = await connect({ account, server, signal, log: undefined })
    const close = () => client.close()
    signal.addEventListener('abort', close, { once: true })
    try {
      if (mailboxes) found = await describeFolders(client, account)
    } finally {
      signal.removeEventListener('abort', close)
      client.close()
    }
  })
  return { tried, ...(found !== undefined && { mailboxes: found }) }
}

async function describeFolders(client: ImapFlow, account: Account): Promise<readonly object[]> {
  const folders = await listFolders(client, hintsOf(account))
  return folders.map((folder) => describeFolder(folder, false))
}

async function trySmtp(
  { kernel }: MailboxContext,
  { settings }: Daemon,
  { account, server, signal }: Attempt
): Promise<VerifyResult> {
  const { smtpEhloName, ignoreMailCertErrors } = await settings.read()
  return resultOf(server, signal, async () => {
    const session = await openSmtp(server, {
      connect: (target, ended) => openMailSocket(kernel, target, ended),
      ehloName: account.settings.smtpEhloName ?? smtpEhloName,
      ignoreCertificateErrors: ignoreMailCertErrors,
      signal
    })
    session.close()
  })
}
