import {
  ChallengeGone,
  OneTimeTokenInvalid,
  PasswordMissing,
  rejectToken,
  SecondFactorWrong,
  TokenAbsent,
  TokenExpired,
  TokenInvalid,
  TokenRevoked
} from '../../contract.ts'
import { USERS } from '../../data/fixtures.ts'
import { textOf } from '../../http/body.ts'
import { type ApiResponse, json } from '../../http/response.ts'
import { countWithin, type RequestContext, use } from '../../pipeline/request-context.ts'
import { refreshFails, refreshRace } from '../../scenario/access.ts'
import type { Rotation } from '../../store/sessions.ts'
import { fieldsOf, restOf } from '../resource/stored-records.ts'
import { authenticate, issueOneTimeToken } from './authenticate.ts'
import { cookieOf, REFRESH_COOKIE } from './bearer.ts'
import { readCredentials } from './credentials.ts'
import { comparable } from './email.ts'
import { requireAccount } from './identity.ts'
import { storeEmail } from './mail.ts'
import { findAccount, findAccountById } from './people.ts'
import { register, sendVerification } from './register.ts'
import { digest, hashPassword } from './secrets.ts'
import { lifetimeOf, makeRefresh, openSession, pairResponse, profileOf } from './session.ts'
import { isRightCode } from './totp.ts'

const MAX_TRIES = 5
const RACE_MS = 2000
const RESET_MS = 3_600_000

/** `POST /api/auth/login`. */
export async function login(call: RequestContext): Promise<ApiResponse> {
  const { fields } = await call.body()
  const account = await authenticate(call, readCredentials(fields))
  return openSession(call, account, lifetimeOf(call, fields.expiresInSecs))
}

/** `POST /api/auth/register`. */
export async function registerWithSession(call: RequestContext): Promise<ApiResponse> {
  const { fields } = await call.body()
  const account = await register(call, readCredentials(fields), fields)
  return openSession(call, account, lifetimeOf(call, fields.expiresInSecs), 201)
}

/** `GET /api/me`. */
export async function me(call: RequestContext): Promise<ApiResponse> {
  return json({ data: profileOf(call, await requireAccount(call)) })
}

const REJECTIONS: Readonly<Record<Exclude<Rotation, 'rotated'>, () => Error & { code: string }>> = {
  reused: () => new TokenRevoked(),
  ended: () => new TokenRevoked(),
  expired: () => new TokenExpired(),
  unknown: () => new TokenInvalid()
}

/** `POST /api/auth/refresh`: each token works once. */
export async function refresh(call: RequestContext): Promise<ApiResponse> {
  const { fields } = await call.body()
  const inCookies = textOf(fields.refreshToken) === undefined
  const token = textOf(fields.refreshToken) ?? cookieOf(call.request, REFRESH_COOKIE)
  if (token === undefined) throw rejectToken(new TokenAbsent())
  if (use(call, refreshFails)) throw rejectToken(new TokenInvalid())
  const hash = digest(token)
  if (call.selection.has(refreshRace.name)) await loseRace(call, hash)
  const next = await makeRefresh(call)
  const { outcome, person, session } = await call.context.store.rotateRefresh(
    call.workspaceId,
    hash,
    call.now(),
    () => ({ hash: next.hash, purpose: 'refresh', expires: next.expires })
  )
  if (outcome !== 'rotated') throw rejectToken(REJECTIONS[outcome]() as TokenError)
  const account = await findAccountById(call, person)
  if (account === undefined) throw rejectToken(new TokenRevoked())
  const seconds = lifetimeOf(call, fields.expiresInSecs)
  return pairResponse(call, account, { session, refreshToken: next.token, seconds, inCookies })
}

type TokenError = Parameters<typeof rejectToken>[0]

/** Rejects the second of two simultaneous requests, without ending the session of the first. */
async function loseRace(call: RequestContext, hash: Buffer): Promise<void> {
  const { n } = await countWithin(call, `refresh-race ${hash.toString('base64url')}`, RACE_MS)
  if (n < 2) return
  use(call, refreshRace)
  throw rejectToken(new TokenRevoked())
}

/** `POST /api/auth/mfa`. */
export async function verifySecondFactor(call: RequestContext): Promise<ApiResponse> {
  const { fields } = await call.body()
  const { store } = call.context
  const hash = digest(textOf(fields.challenge_id) ?? '')
  const time = call.now()
  const ticket = await store.findTicket(call.workspaceId, hash, 'mfa')
  if (ticket === undefined || ticket.used !== null || (ticket.expires ?? 0) <= time) {
    throw new ChallengeGone()
  }
  if ((await store.tryTicket(call.workspaceId, hash)) > MAX_TRIES) throw new ChallengeGone()
  if (!isRightCode(textOf(fields.code) ?? '', time)) throw new SecondFactorWrong()
  if (!(await store.spendTicket(call.workspaceId, hash, time))) throw new ChallengeGone()
  const account = await findAccountById(call, ticket.person)
  if (account === undefined) throw new ChallengeGone()
  return openSession(call, account, lifetimeOf(call, fields.expiresInSecs))
}

/** `POST /api/auth/forgot`: the response does not reveal whether the account exists. */
export async function forgotPassword(call: RequestContext): Promise<ApiResponse> {
  const { fields } = await call.body()
  const account = await findAccount(call, textOf(fields.email) ?? '')
  if (account !== undefined && call.workspace !== undefined) {
    const token = await issueOneTimeToken(call, account.id, 'reset', RESET_MS)
    const to = account.email
    await storeEmail(call, { to, kind: 'reset', subject: 'Choose a new password', token })
  }
  return json({}, 202)
}

/** `POST /api/auth/reset`: sets a new password and ends all sessions and tokens of the account. */
export async function resetPassword(call: RequestContext): Promise<ApiResponse> {
  const { fields } = await call.body()
  const password = textOf(fields.password)
  const person = await spend(call, fields.token, 'reset', () => {
    if (password === undefined) throw new PasswordMissing()
  })
  if (call.workspace !== undefined && password !== undefined) {
    await changePerson(call, person, { secret: await hashPassword(password) })
    await call.context.store.endAccessOf(call.workspaceId, person, call.now())
  }
  return json({})
}

/** `POST /api/auth/verify`. */
export async function verifyEmail(call: RequestContext): Promise<ApiResponse> {
  const { fields } = await call.body()
  const person = await spend(call, fields.token, 'verify', () => {})
  if (call.workspace !== undefined) await changePerson(call, person, { verified: 1 })
  return json({})
}

/** `POST /api/auth/verify/resend`. */
export async function resendVerification(call: RequestContext): Promise<ApiResponse> {
  const { fields } = await call.body()
  const account = await findAccount(call, textOf(fields.email) ?? '')
  if (account !== undefined && call.workspace !== undefined) {
    await sendVerification(call, account.id, account.email)
  }
  return json({}, 202)
}

async function spend(
  { context, workspaceId: ws, now }: RequestContext,
  token: unknown,
  purpose: 'reset' | 'verify',
  check: () => void
): Promise<number> {
  const hash = digest(textOf(token) ?? '')
  const ticket = await context.store.findTicket(ws, hash, purpose)
  if (ticket === undefined || ticket.used !== null || (ticket.expires ?? 0) <= now()) {
    throw new OneTimeTokenInvalid()
  }
  check()
  if (!(await context.store.spendTicket(ws, hash, now()))) throw new OneTimeTokenInvalid()
  return ticket.person
}

/** Changes the password hash or `verified`; the fields that clients see stay the same. */
async function changePerson(
  call: RequestContext,
  id: number,
  change: { secret?: string; verified?: number }
): Promise<void> {
  let doc = '{}'
  await call.context.store.changeRecord(
    { ws: call.workspaceId, collection: USERS },
    id,
    (row) => {
      const fields = fieldsOf(USERS, id, row)
      if (fields === undefined) return undefined
      doc = JSON.stringify(fields)
      const email = typeof fields.email === 'string' ? comparable(fields.email) : null
      return { doc, email, ...change }
    },
    { type: 'user.updated', rest: () => restOf(doc), at: call.now() }
  )
}
