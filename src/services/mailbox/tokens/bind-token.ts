import { ALL_RESOURCES } from '../../../kernel/credentials/authorize.ts'
import {
  TokenAccountMissing,
  TokenAccountsTooMany,
  TokenAccountUnknown,
  TokenFlagsExclusive
} from '../contract.ts'
import type { MailStore } from '../sandbox/mail-store.ts'

const MAX_ACCOUNTS = 100

/** The accounts that a new token is for, named by id or address; `--admin` stands for all. */
export async function bindToken(
  store: Pick<MailStore, 'findAccount'>,
  { account, admin }: Readonly<Record<string, unknown>>
): Promise<readonly string[]> {
  const names = typeof account === 'string' ? account.split(',').map((name) => name.trim()) : []
  const wanted = [...new Set(names.filter((name) => name !== ''))]
  if (admin === true && wanted.length > 0) throw new TokenFlagsExclusive()
  if (admin === true) return [ALL_RESOURCES]
  if (wanted.length === 0) throw new TokenAccountMissing()
  if (wanted.length > MAX_ACCOUNTS) throw new TokenAccountsTooMany(MAX_ACCOUNTS)
  const ids = await Promise.all(wanted.map((name) => accountId(store, name)))
  return [...new Set(ids)]
}

async function accountId(store: Pick<MailStore, 'findAccount'>, name: string): Promise<string> {
  const account = await store.findAccount(name)
  if (account === undefined) throw new TokenAccountUnknown(name)
  return account.id
}

/** Addresses of accounts, for lists of tokens. */
export async function nameBindings(
  store: Pick<MailStore, 'findAccount'>,
  bindings: readonly string[]
): Promise<ReadonlyMap<string, string>> {
  const names = new Map([[ALL_RESOURCES, 'all accounts']])
  for (const id of bindings) {
    const account = await store.findAccount(id)
    if (account !== undefined) names.set(id, account.address)
  }
  return names
}
