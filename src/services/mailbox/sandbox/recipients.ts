import { lookupAddresses, normaliseAddress } from './address.ts'
import type { MailStore } from './mail-store.ts'

/** Id of the account that gets mail to an address; undefined if it is caught. */
export async function recipientAccount(
  store: Pick<MailStore, 'findAccount'>,
  sent: string
): Promise<string | undefined> {
  const address = normaliseAddress(sent)
  if (address === undefined) return undefined
  for (const candidate of lookupAddresses(address)) {
    const account = await store.findAccount(candidate)
    if (account !== undefined) return account.id
  }
  return undefined
}

/** Ids of the accounts, each once; the account of caught mail for all addresses without one. */
export async function recipientAccounts(
  store: Pick<MailStore, 'findAccount' | 'caughtAccount'>,
  addresses: readonly string[]
): Promise<readonly string[]> {
  const found = new Set(await Promise.all(addresses.map((to) => recipientAccount(store, to))))
  const known = [...found].filter((id) => id !== undefined)
  if (known.length === found.size) return known
  const caught = await store.caughtAccount()
  return [...new Set([...known, caught.id])]
}
