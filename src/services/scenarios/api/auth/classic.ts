import { LAST_SAMPLE_ID, sampleToken } from '../../data/fixtures.ts'
import { textOf } from '../../http/body.ts'
import { type ApiResponse, json } from '../../http/response.ts'
import type { RequestContext } from '../../pipeline/request-context.ts'
import { authenticate } from './authenticate.ts'
import { cookieOf, REFRESH_COOKIE, tokenOf } from './bearer.ts'
import { readCredentials } from './credentials.ts'
import { CLASSIC_START, revoke } from './identity.ts'
import type { Account } from './people.ts'
import { register } from './register.ts'
import { digest, toBase62 } from './secrets.ts'
import { clearCookies } from './session.ts'

const TOKEN_LENGTH = 32

/** `POST /api/login`: a token that identifies the account. */
export async function classicLogin(call: RequestContext): Promise<ApiResponse> {
  const account = await authenticate(call, readCredentials((await call.body()).fields))
  return json({ token: await classicToken(call, account) })
}

/** `POST /api/register`. */
export async function classicRegister(call: RequestContext): Promise<ApiResponse> {
  const { fields } = await call.body()
  const account = await register(call, readCredentials(fields), fields)
  return json({ id: account.id, token: await classicToken(call, account) })
}

/** Sample accounts have the tokens of ReqRes, accounts with a password a random token. */
async function classicToken(
  { context, workspaceId: ws }: RequestContext,
  { id, secret }: Account
): Promise<string> {
  if (id <= LAST_SAMPLE_ID && secret === undefined) return sampleToken(id)
  const token = CLASSIC_START + toBase62(await context.secrets.make(ws, 'classic', TOKEN_LENGTH))
  const ticket = { hash: digest(token), purpose: 'classic', person: id, expires: null } as const
  await context.store.addTicket(ws, ticket)
  return token
}

/** `POST /api/logout` and `/api/auth/logout`: all tokens of the request are revoked. */
export async function logout(call: RequestContext): Promise<ApiResponse> {
  const { fields } = await call.body().catch((error) => {
    // Logout is never rejected; a body that cannot be read contains no token.
    if (error.statusCode === undefined) throw error
    return { fields: {} as Readonly<Record<string, unknown>> }
  })
  const token = tokenOf(call.request)
  if (token !== undefined) await revoke(call, token)
  const refresh = textOf(fields.refreshToken) ?? cookieOf(call.request, REFRESH_COOKIE)
  if (refresh !== undefined) await endByRefresh(call, refresh)
  const response = json({})
  return call.route.takesCookies ? { ...response, cookies: clearCookies(call) } : response
}

async function endByRefresh(
  { context, workspaceId: ws, now }: RequestContext,
  token: string
): Promise<void> {
  const ticket = await context.store.findTicket(ws, digest(token), 'refresh')
  if (ticket?.session) await context.store.endSession(ws, ticket.session, now())
}
