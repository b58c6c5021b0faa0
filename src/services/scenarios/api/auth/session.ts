import { type ApiResponse, json } from '../../http/response.ts'
import { type RequestContext, use } from '../../pipeline/request-context.ts'
import { shortToken } from '../../scenario/access.ts'
import { avatarOf } from '../resource/source.ts'
import { signAccessToken } from './access-token.ts'
import { ACCESS_COOKIE, REFRESH_COOKIE } from './bearer.ts'
import type { Account } from './people.ts'
import { digest } from './secrets.ts'

const DEFAULT_SECONDS = 900
const MAX_SECONDS = 2_592_000
const REFRESH_MS = 30 * 24 * 3_600_000
const SECOND_MS = 1000
const REFRESH_BYTES = 32
const SESSION_BYTES = 16

/** Account data in the responses of `/api/me` and logins. */
export function profileOf(call: RequestContext, account: Account): object {
  const { id, email, first_name, last_name, role, email_verified } = account
  return { id, email, first_name, last_name, avatar: avatarOf(call, id), role, email_verified }
}

/** Lifetime of an access token in seconds: the requested value if it is valid, else the default. */
export function lifetimeOf(call: RequestContext, asked: unknown): number {
  const short = use(call, shortToken)
  if (short !== undefined) return short
  const seconds = typeof asked === 'string' ? Number(asked) : asked
  const isFine = Number.isInteger(seconds) && Number(seconds) >= 1
  return isFine && Number(seconds) <= MAX_SECONDS ? Number(seconds) : DEFAULT_SECONDS
}

export interface NewRefresh {
  readonly token: string
  readonly hash: Buffer
  readonly expires: number
}

export async function makeRefresh(call: RequestContext): Promise<NewRefresh> {
  const bytes = await call.context.secrets.make(call.workspaceId, 'refresh', REFRESH_BYTES)
  const token = bytes.toString('base64url')
  return { token, hash: digest(token), expires: call.now() + REFRESH_MS }
}

/** Opens a session after a successful login; returns its first pair of tokens. */
export async function openSession(
  call: RequestContext,
  account: Account,
  seconds: number,
  status = 200
): Promise<ApiResponse> {
  const { store, secrets } = call.context
  const id = (await secrets.make(call.workspaceId, 'session', SESSION_BYTES)).toString('base64url')
  const { token, hash, expires } = await makeRefresh(call)
  const refresh = { hash, expires, purpose: 'refresh', person: account.id, session: id } as const
  await store.openSession(call.workspaceId, { id, created: call.now() }, refresh)
  return pairResponse(call, account, { session: id, refreshToken: token, seconds, status })
}

interface Pair {
  readonly session: string
  readonly refreshToken: string
  readonly seconds: number
  readonly status?: number
  /** The client keeps its tokens in cookies already. */
  readonly inCookies?: boolean
}

export async function pairResponse(
  call: RequestContext,
  account: Account,
  pair: Pair
): Promise<ApiResponse> {
  const { session, refreshToken, seconds, status = 200, inCookies = false } = pair
  const accessToken = await signAccessToken(call, account, session, seconds)
  const user = profileOf(call, account)
  const response = json(
    { accessToken, refreshToken, tokenType: 'Bearer', expiresIn: seconds, user },
    status,
    { 'cache-control': 'no-store' }
  )
  if (!inCookies && call.target.parameters.get('cookie') !== '1') return response
  const cookies = [
    cookie(call, ACCESS_COOKIE, accessToken, seconds),
    cookie(call, REFRESH_COOKIE, refreshToken, REFRESH_MS / SECOND_MS)
  ]
  return { ...response, cookies }
}

export function clearCookies(call: RequestContext): string[] {
  return [ACCESS_COOKIE, REFRESH_COOKIE].map((name) => cookie(call, name, '', 0))
}

function cookie(
  { target, base }: RequestContext,
  name: string,
  value: string,
  seconds: number
): string {
  const path = target.workspace === undefined ? '/' : `/w/${target.workspace}`
  const secure = base.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}
