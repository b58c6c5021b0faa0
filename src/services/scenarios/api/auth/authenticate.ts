import {
  AccountDisabled,
  AccountLocked,
  CredentialsInvalid,
  EmailUnverified,
  PasswordExpired,
  SecondFactorRequired,
  UserUnknown,
  withDetails
} from '../../contract.ts'
import { type RequestContext, use } from '../../pipeline/request-context.ts'
import { disabled, locked, mfa, passwordExpired, unverified, wrong } from '../../scenario/logins.ts'
import type { Credentials } from './credentials.ts'
import { type Account, findAccount } from './people.ts'
import { digest, fitsPassword } from './secrets.ts'

const LOCK_MS = 900_000
const SECOND_MS = 1000
const CHALLENGE_SECONDS = 300
const RESET_MS = 3_600_000

/** The account of these credentials; throws if login is denied. */
export async function authenticate(
  call: RequestContext,
  credentials: Credentials
): Promise<Account> {
  const account = await findAccount(call, credentials.identifier)
  if (account === undefined) throw new UserUnknown()
  checkScenarios(call)
  await checkPassword(call, account, credentials.password)
  await checkExpired(call, account)
  if (use(call, mfa)) throw await challenge(call, account)
  return account
}

/** Throws the error of a login scenario that a tag of the email address or another way selects. */
export function checkScenarios(call: RequestContext): void {
  if (call.selection.size === 0) return
  if (use(call, disabled)) throw new AccountDisabled()
  const seconds = use(call, locked)
  if (seconds !== undefined) throw lockedFor(seconds)
  if (use(call, wrong)) throw new CredentialsInvalid()
  if (use(call, unverified)) throw new EmailUnverified()
}

/** Only after the password was checked, because the error contains a token that replaces it. */
export async function checkExpired(call: RequestContext, account: Account): Promise<void> {
  if (!use(call, passwordExpired)) return
  const reset_token = await issueOneTimeToken(call, account.id, 'reset', RESET_MS)
  throw withDetails(new PasswordExpired(), { more: { reset_token } })
}

function lockedFor(seconds: number) {
  return withDetails(new AccountLocked(), {
    more: { retry_after: seconds },
    headers: { 'retry-after': String(seconds) }
  })
}

/** Sample accounts accept any password unless one was set in this workspace. */
async function checkPassword(
  call: RequestContext,
  account: Account,
  password: string
): Promise<void> {
  if (account.secret === undefined) return
  const { store } = call.context
  const most = call.workspace?.options.lockout ?? 0
  const name = `wrong password ${account.id}`
  const lock = `lock ${account.id}`
  const time = call.now()
  const { n: locks, since } = await store.readCount(call.workspaceId, lock)
  if (most > 0 && locks > 0 && since + LOCK_MS > time) {
    throw lockedFor(Math.ceil((since + LOCK_MS - time) / SECOND_MS))
  }
  if (await fitsPassword(password, account.secret)) {
    if ((await store.readCount(call.workspaceId, name)).n > 0)
      await store.forgetCount(call.workspaceId, name)
    return
  }
  const { n } = await store.countWithin(call.workspaceId, name, LOCK_MS, time)
  if (most > 0 && n >= most) {
    // The lock starts at the last wrong password, not at the first.
    await store.countWithin(call.workspaceId, lock, LOCK_MS, time)
    await store.forgetCount(call.workspaceId, name)
  }
  throw new CredentialsInvalid()
}

/** Error that requires the second factor. */
export async function challenge(call: RequestContext, { id }: Account) {
  const challenge_id = await issueOneTimeToken(call, id, 'mfa', CHALLENGE_SECONDS * SECOND_MS)
  const verify = '/api/auth/mfa'
  const details = { challenge_id, methods: ['totp'], expires_in: CHALLENGE_SECONDS, verify }
  return withDetails(new SecondFactorRequired(), { more: { mfa: details } })
}

const TICKET_BYTES = 32

/** Creates a one-time token; only its hash is stored. */
export async function issueOneTimeToken(
  { context, workspaceId: ws, ...call }: RequestContext,
  person: number,
  purpose: 'reset' | 'verify' | 'mfa',
  lifetime: number
): Promise<string> {
  const secret = (await context.secrets.make(ws, purpose, TICKET_BYTES)).toString('base64url')
  const expires = call.now() + lifetime
  await context.store.addTicket(ws, { hash: digest(secret), purpose, person, expires })
  return secret
}
