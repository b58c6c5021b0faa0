import {
  AccountFlagMissing,
  AccountNotChosen,
  NoAccount,
  UserNameNotAllowed,
  UserNameTaken,
  UserUnknown
} from '../contract.ts'
import { isNewUserName } from '../records/new-user-name.ts'
import { listUserNames, readAccountId } from '../store/accounts.ts'
import type { StatusStore } from '../store/store.ts'

/** Accounts that a sentence names. */
const NAMED = 10

/** The account that a new token is for, which `--new-account` adds. */
export async function bindToken(
  store: StatusStore,
  flags: Readonly<Record<string, unknown>>
): Promise<readonly string[]> {
  const { account: userName, 'new-account': isNew } = flags
  if (isNew === true) return [await addAccount(store, userName)]
  if (typeof userName !== 'string') return [await onlyAccount(store)]
  const id = await store.read(() => readAccountId(userName))
  if (id === undefined) throw new UserUnknown(userName)
  return [id]
}

async function addAccount(store: StatusStore, userName: unknown): Promise<string> {
  if (typeof userName !== 'string') throw new AccountFlagMissing()
  if (!isNewUserName(userName)) throw new UserNameNotAllowed(userName)
  const added = await store.addAccount({ userName, name: userName, bio: '' })
  if (added === 'taken') throw new UserNameTaken(userName)
  return added.id
}

async function onlyAccount(store: StatusStore): Promise<string> {
  const accounts = await store.read(() => listUserNames(NAMED + 1))
  const [first, second] = accounts
  if (first === undefined) throw new NoAccount()
  if (second === undefined) return first.id
  const names = accounts.slice(0, NAMED).map((account) => account.userName)
  throw new AccountNotChosen(names.join(', ') + (accounts.length > NAMED ? ', …' : ''))
}
