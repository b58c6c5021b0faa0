import { PEOPLE, type Role, roleOf, USERS } from '../../data/fixtures.ts'
import type { RequestContext } from '../../pipeline/request-context.ts'
import type { RecordRow } from '../../store/records.ts'
import { fieldsOf } from '../resource/stored-records.ts'
import { comparable, isEmail } from './email.ts'

/** An account that can log in. */
export interface Account {
  readonly id: number
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly role: Role
  readonly email_verified: boolean
  /** Hash of the password; undefined for sample accounts, which accept any password. */
  readonly secret: string | undefined
}

/** Finds a sample account, with its changes in the workspace, or a registered account. */
export async function findAccount(
  call: RequestContext,
  identifier: string
): Promise<Account | undefined> {
  if (!isEmail(identifier)) return undefined
  const email = comparable(identifier)
  const sample = PEOPLE.find((person) => person.email === email)
  if (call.workspace === undefined) return sample && accountOf(sample.id, undefined)
  const row = await call.context.store.findByEmail(call.workspaceId, email)
  if (row !== undefined) return accountOf(row.id, row)
  return sample && findAccountById(call, sample.id, email)
}

/** With `email`, undefined if the account has another email address by now. */
export async function findAccountById(
  call: RequestContext,
  id: number,
  email?: string
): Promise<Account | undefined> {
  const row =
    call.workspace === undefined
      ? undefined
      : await call.context.store.findRecord({ ws: call.workspaceId, collection: USERS }, id)
  const account = accountOf(id, row)
  if (account === undefined || (email !== undefined && comparable(account.email) !== email)) {
    return undefined
  }
  return account
}

function accountOf(id: number, row: RecordRow | undefined): Account | undefined {
  const fields = fieldsOf(USERS, id, row)
  if (fields === undefined) return undefined
  return {
    id,
    email: String(fields.email ?? ''),
    first_name: String(fields.first_name ?? ''),
    last_name: String(fields.last_name ?? ''),
    role: roleOf(id),
    email_verified: row === undefined || row.verified === 1,
    secret: row?.secret ?? undefined
  }
}
