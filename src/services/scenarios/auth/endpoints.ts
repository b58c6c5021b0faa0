import { type Answer, json } from '../answer.ts'
import { textOf } from '../body.ts'
import { type Call, countWithin, use } from '../call.ts'
import {
  ChallengeGone,
  PasswordMissing,
  refuseToken,
  SecondFactorWrong,
  TicketRefused,
  TokenAbsent,
  TokenExpired,
  TokenInvalid,
  TokenRevoked
} from '../contract.ts'
import { USERS } from '../fixtures.ts'
import { fieldsOf, restOf } from '../resource/kept.ts'
import { refreshFails, refreshRace } from '../scenario/access.ts'
import type { Rotation } from '../store/sessions.ts'
import { cookieOf, REFRESH_COOKIE } from './bearer.ts'
import { readCredentials } from './credentials.ts'
import { comparable } from './email.ts'
import { requireAccount } from './identity.ts'
import { sendMail } from './mail.ts'
import { authenticate, issueTicket } from './outcome.ts'
import { findAccount, findAccountById } from './people.ts'
import { register, sendVerification } from './register.ts'
import { digest, hashPassword } from './secrets.ts'
import { lifetimeOf, makeRefresh, openSession, pairAnswer, profileOf } from './session.ts'
import { isRightCode } from './totp.ts'

const MAX_TRIES = 5
const RACE_MS = 2000
const RESET_MS = 3_600_000

/** `POST /api/auth/login`. */
export async function login(call: Call): Promise<Answer> {
  const { fields } = await call.body()
  const account = await authenticate(call, readCredentials(fields))
  return openSession(call, account, lifetimeOf(call, fields.expiresInSecs))
}

/** `POST /api/auth/register`. */
export async function registerWithSession(call: Call): Promise<Answer> {
  const { fields } = await call.body()
  const account = await register(call, readCredentials(fields), fields)
  return openSession(call, account, lifetimeOf(call, fields.expiresInSecs), 201)
}

/** `GET /api/me`. */
export async function me(call: Call): Promise<Answer> {
  return json({ data: profileOf(call, await requireAccount(call)) })
}

const REFUSALS: Readonly<Record<Exclude<Rotation, 'rotated'>, () => Error & { code: string }>> = {
  reused: () => new TokenRevoked(),
  ended: () => new TokenRevoked(),
  expired: () => new TokenExpired(),
  unknown: () => new TokenInvalid()
}

/** `POST /api/auth/refresh`: each token works once. */
export async function refresh(call: Call): Promise<Answer> {
  const { fields } = await call.body()
  const inCookies = textOf(fields.refreshToken) === undefined
  const token = textOf(fields.refreshToken) ?? cookieOf(call.request, REFRESH_COOKIE)
  if (token === undefined) throw refuseToken(new TokenAbsent())
  if (use(call, refreshFails)) throw refuseToken(new TokenInvalid())
  const hash = digest(token)
  if (call.selection.has(refreshRace.name)) await loseRace(call, hash)
  const next = await makeRefresh(call)
  const { outcome, person, session } = await call.room.store.rotateRefresh(
    call.ws,
    hash,
    call.now(),
    () => ({ hash: next.hash, purpose: 'refresh', expires: next.expires })
  )
  if (outcome !== 'rotated') throw refuseToken(REFUSALS[outcome]() as TokenFailure)
  const account = await findAccountById(call, person)
  if (account === undefined) throw refuseToken(new TokenRevoked())
  const seconds = lifetimeOf(call, fields.expiresInSecs)
  return pairAnswer(call, account, { session, refreshToken: next.token, seconds, inCookies })
}

type TokenFailure = Parameters<typeof refuseToken>[0]

/** The second of two at once is refused, without ending the session of the first. */
async function loseRace(call: Call, hash: Buffer): Promise<void> {
  const { n } = await countWithin(call, `refresh-race ${hash.toString('base64url')}`, RACE_MS)
  if (n < 2) return
  use(call, refreshRace)
  throw refuseToken(new TokenRevoked())
}

/** `POST /api/auth/mfa`. */
export async function verifySecondFactor(call: Call): Promise<Answer> {
  const { fields } = await call.body()
  const { store } = call.room
  const hash = digest(textOf(fields.challenge_id) ?? '')
  const time = call.now()
  const ticket = await store.findTicket(call.ws, hash, 'mfa')
  if (ticket === undefined || ticket.used !== null || (ticket.expires ?? 0) <= time) {
    throw new ChallengeGone()
  }
  if ((await store.tryTicket(call.ws, hash)) > MAX_TRIES) throw new ChallengeGone()
  if (!isRightCode(textOf(fields.code) ?? '', time)) throw new SecondFactorWrong()
  if (!(await store.spendTicket(call.ws, hash, time))) throw new ChallengeGone()
  const account = await findAccountById(call, ticket.person)
  if (account === undefined) throw new ChallengeGone()
  return openSession(call, account, lifetimeOf(call, fields.expiresInSecs))
}

/** `POST /api/auth/forgot`: the answer tells nobody who has an account. */
export async function forgotPassword(call: Call): Promise<Answer> {
  const { fields } = await call.body()
  const account = await findAccount(call, textOf(fields.email) ?? '')
  if (account !== undefined && call.workspace !== undefined) {
    const token = await issueTicket(call, account.id, 'reset', RESET_MS)
    const to = account.email
    await sendMail(call, { to, kind: 'reset', subject: 'Choose a new password', token })
  }
  return json({}, 202)
}

/** `POST /api/auth/reset`: a new password, and an end to every session under the old one. */
export async function resetPassword(call: Call): Promise<Answer> {
  const { fields } = await call.body()
  const password = textOf(fields.password)
  const person = await spend(call, fields.token, 'reset', () => {
    if (password === undefined) throw new PasswordMissing()
  })
  if (call.workspace !== undefined && password !== undefined) {
    await changePerson(call, person, { secret: await hashPassword(password) })
    await call.room.store.endSessionsOf(call.ws, person, call.now())
  }
  return json({})
}

/** `POST /api/auth/verify`. */
export async function verifyEmail(call: Call): Promise<Answer> {
  const { fields } = await call.body()
  const person = await spend(call, fields.token, 'verify', () => {})
  if (call.workspace !== undefined) await changePerson(call, person, { verified: 1 })
  return json({})
}

/** `POST /api/auth/verify/resend`. */
export async function resendVerification(call: Call): Promise<Answer> {
  const { fields } = await call.body()
  const account = await findAccount(call, textOf(fields.email) ?? '')
  if (account !== undefined && call.workspace !== undefined) {
    await sendVerification(call, account.id, account.email)
  }
  return json({}, 202)
}

async function spend(
  { room, ws, now }: Call,
  token: unknown,
  purpose: 'reset' | 'verify',
  check: () => void
): Promise<number> {
  const hash = digest(textOf(token) ?? '')
  const ticket = await room.store.findTicket(ws, hash, purpose)
  if (ticket === undefined || ticket.used !== null || (ticket.expires ?? 0) <= now()) {
    throw new TicketRefused()
  }
  check()
  if (!(await room.store.spendTicket(ws, hash, now()))) throw new TicketRefused()
  return ticket.person
}

/** What others see of the record stays as it is. */
async function changePerson(
  call: Call,
  id: number,
  change: { secret?: string; verified?: number }
): Promise<void> {
  let doc = '{}'
  await call.room.store.changeRecord(
    { ws: call.ws, collection: USERS },
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
