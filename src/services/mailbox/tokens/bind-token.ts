import { ALL_RESOURCES } from '../../../kernel/credentials/authorize.ts'
import type { AccountStore } from '../accounts/account.ts'
import { openAccounts } from '../accounts/open-accounts.ts'
import type { MailboxContext } from '../context.ts'
import {
  TokenAccountAmbiguous,
  TokenAccountMissing,
  TokenAccountsTooMany,
  TokenAccountUnknown,
  TokenFlagsExclusive
} from '../contract.ts'

const MAX_ACCOUNTS = 100

type AccountContext = Pick<MailboxContext, 'kernel' | 'startedAt'>

/** The accounts that a new token is for, named by id or address; `--admin` stands for all. */
export async function bindToken(
  context: AccountContext,
  { account, admin }: Readonly<Record<string, unknown>>
): Promise<readonly string[]> {
  const names = typeof account === 'string' ? account.split(',').map((name) => name.trim()) : []
  const wanted = [...new Set(names.filter((name) => name !== ''))]
  if (admin === true && wanted.length > 0) throw new TokenFlagsExclusive()
  if (admin === true) return [ALL_RESOURCES]
  if (wanted.length === 0) throw new TokenAccountMissing()
  if (wanted.length > MAX_ACCOUNTS) throw new TokenAccountsTooMany(MAX_ACCOUNTS)
  const accounts = openAccounts(context)
  const ids = await Promise.all(wanted.map((name) => accountId(accounts, name)))
  return [...new Set(ids)]
}

async function accountId(accounts: AccountStore, name: string): Promise<string> {
  const [id, another] = await accounts.findIds(name)
  if (id === undefined) throw new TokenAccountUnknown(name)
  if (another !== undefined) throw new TokenAccountAmbiguous(name)
  return id
}

/** Addresses or names of accounts, for lists of tokens. */
export async function nameBindings(
  context: AccountContext,
  bindings: readonly string[]
): Promise<ReadonlyMap<string, string>> {
  const names = new Map([[ALL_RESOURCES, 'all accounts']])
  const accounts = openAccounts(context)
  for (const id of bindings) {
    const { email, name } = (await accounts.find(id)) ?? {}
    const shown = email ?? name
    if (shown) names.set(id, shown)
  }
  return names
}
