import { EmailInvalid, RegistrationDenied, UserExists } from '../../contract.ts'
import { LAST_SAMPLE_ID, USERS } from '../../data/fixtures.ts'
import { textOf } from '../../http/body.ts'
import { type RequestContext, use } from '../../pipeline/request-context.ts'
import { mfa } from '../../scenario/logins.ts'
import { restOf } from '../resource/stored-records.ts'
import { timestamp } from '../resource/unsaved-records.ts'
import { challenge, checkExpired, checkScenarios, issueOneTimeToken } from './authenticate.ts'
import type { Credentials } from './credentials.ts'
import { comparable, isEmail } from './email.ts'
import { storeEmail } from './mail.ts'
import { type Account, findAccount } from './people.ts'
import { hashPassword } from './secrets.ts'

const VERIFY_MS = 24 * 3_600_000

/**
 * As in ReqRes, sample accounts can be registered, unless a password was set for one in this
 * workspace; new accounts require a workspace.
 */
export async function register(
  call: RequestContext,
  { identifier, password }: Credentials,
  fields: Readonly<Record<string, unknown>>
): Promise<Account> {
  const found = await findAccount(call, identifier)
  if (found !== undefined) {
    checkScenarios(call)
    // Before the scenarios that issue a reset token or a challenge for the account.
    if (found.id > LAST_SAMPLE_ID || found.secret !== undefined) throw new UserExists()
    await checkExpired(call, found)
    if (use(call, mfa)) throw await challenge(call, found)
    return found
  }
  if (call.workspace === undefined) throw new RegistrationDenied()
  if (!isEmail(identifier)) throw new EmailInvalid()
  return createAccount(call, identifier.trim(), password, fields)
}

async function createAccount(
  call: RequestContext,
  email: string,
  password: string,
  fields: Readonly<Record<string, unknown>>
): Promise<Account> {
  const first_name = textOf(fields.first_name) ?? ''
  const last_name = textOf(fields.last_name) ?? ''
  const doc = JSON.stringify({ email, first_name, last_name, createdAt: timestamp(call) })
  const secret = await hashPassword(password)
  const { id } = await call.context.store
    .insertRecord(
      { ws: call.workspaceId, collection: USERS },
      { doc, email: comparable(email), secret, verified: 0 },
      { type: 'user.created', rest: () => restOf(doc), at: call.now() }
    )
    .catch((error) => {
      throw error.code === 'EMAIL_TAKEN' ? new UserExists() : error
    })
  await sendVerification(call, id, email)
  return { id, email, first_name, last_name, role: 'user', email_verified: false, secret }
}

export async function sendVerification(
  call: RequestContext,
  id: number,
  email: string
): Promise<void> {
  const token = await issueOneTimeToken(call, id, 'verify', VERIFY_MS)
  await storeEmail(call, { to: email, kind: 'verify', subject: 'Verify your email address', token })
}
