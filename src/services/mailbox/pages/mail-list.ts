import type { Caller } from '../api/access.ts'
import type { FoundMessage, MailStore, SandboxAccount } from '../sandbox/mail-store.ts'
import { filterOf, type ListQuery } from './list-query.ts'

const PER_PAGE = 25
/** Accounts that the page offers; others are found by their id in the URL. */
const MAX_ACCOUNTS = 100

export interface MailList {
  readonly query: ListQuery
  readonly messages: readonly FoundMessage[]
  /** Of all that match, on other pages too. */
  readonly total: number
  readonly hasOlder: boolean
  /** Recipients of SMTP are for operators, because others may have got a blind copy. */
  readonly showsEnvelope: boolean
  /** Accounts that the reader can choose from. */
  readonly accounts: readonly SandboxAccount[]
}

export async function readMailList(
  store: MailStore,
  caller: Caller,
  query: ListQuery
): Promise<MailList> {
  const filter = filterOf(query)
  const [found, total, accounts] = await Promise.all([
    store.findMessages(filter, PER_PAGE + 1),
    store.countMessages({ ...filter, before: undefined }),
    readAccounts(store, caller)
  ])
  return {
    query,
    messages: found.slice(0, PER_PAGE),
    total,
    hasOlder: found.length > PER_PAGE,
    showsEnvelope: caller.accounts === undefined,
    accounts
  }
}

async function readAccounts(
  store: MailStore,
  { accounts }: Caller
): Promise<readonly SandboxAccount[]> {
  if (accounts === undefined) return store.listAccounts(MAX_ACCOUNTS, '')
  const found = await Promise.all(accounts.slice(0, MAX_ACCOUNTS).map(store.findAccount))
  return found.filter((account) => account !== undefined)
}
