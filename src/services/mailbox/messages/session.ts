import type { ImapFlow } from 'imapflow'
import type { Database } from '../../../kernel/database/database.ts'
import type { ApiRequest } from '../api/route.ts'
import type { MailboxContext } from '../context.ts'
import { AccountNotFound } from '../contract.ts'
import { type FolderHints, hintsOf } from './folders.ts'

/** The connection of an account while a request uses it. */
export interface MailSession {
  readonly client: ImapFlow
  readonly account: string
  readonly database: Database
  readonly hints: FolderHints
  /** Aborted when the client is gone, for what takes many commands. */
  readonly signal: AbortSignal
}

/** A session of a request that changes messages. */
export interface ChangingSession extends MailSession {
  readonly now: () => Date
}

/** Runs a command of a request on the connection of its account. */
export async function withSession<T>(
  { kernel, daemon }: Pick<MailboxContext, 'kernel' | 'daemon'>,
  { params, signal, timeoutMs }: Pick<ApiRequest, 'params' | 'signal' | 'timeoutMs'>,
  command: (session: ChangingSession) => Promise<T>,
  { isDownload = false }: { readonly isDownload?: boolean } = {}
): Promise<T> {
  const { accounts, connections } = await daemon()
  const account = await accounts.find(params.account ?? '')
  if (account === undefined) throw new AccountNotFound()
  const { database, now } = kernel
  const hints = hintsOf(account)
  return connections.run(account.id, { signal, timeoutMs, isDownload }, (client) =>
    command({ client, account: account.id, database, hints, signal, now })
  )
}
