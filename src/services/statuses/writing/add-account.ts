import { AccountExists, FieldInvalid, UserNameNotAllowed } from '../contract.ts'
import { isNewUserName } from '../records/new-user-name.ts'
import type { StatusStore } from '../store/store.ts'
import type { NewAccount } from './view.ts'

const MAX_NAME_LENGTH = 50

export function accountIn(fields: URLSearchParams): NewAccount {
  return {
    userName: (fields.get('user_name') ?? '').trim().replace(/^@/, ''),
    name: (fields.get('name') ?? '').trim()
  }
}

/** Adds an account that is not imported; its name is the user name by default. */
export async function addAccount(
  store: Pick<StatusStore, 'addAccount'>,
  { userName, name: given }: NewAccount
): Promise<{ id: string; user_name: string; name: string }> {
  const name = given === '' ? userName : given
  if (!isNewUserName(userName)) throw new UserNameNotAllowed(userName)
  if (name.length > MAX_NAME_LENGTH || name.includes('\0') || !name.isWellFormed()) {
    throw new FieldInvalid('name', `a text of at most ${MAX_NAME_LENGTH} characters`)
  }
  const added = await store.addAccount({ userName, name, bio: '' })
  if (added === 'taken') throw new AccountExists(userName)
  return { id: added.id, user_name: userName, name }
}
