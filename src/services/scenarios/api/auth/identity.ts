import { rejectToken, TokenAbsent, TokenInvalid, TokenRevoked } from '../../contract.ts'
import { samplePersonOf } from '../../data/fixtures.ts'
import type { RequestContext } from '../../pipeline/request-context.ts'
import { verifyAccessToken } from './access-token.ts'
import { tokenOf } from './bearer.ts'
import { type Account, findAccountById } from './people.ts'
import { digest } from './secrets.ts'

/** Prefix of the random tokens of accounts with a password. */
export const CLASSIC_START = 'wst_'

/** The account of the request's token; throws a 401 with the reason if it is missing or invalid. */
export async function requireAccount(call: RequestContext): Promise<Account> {
  const token = tokenOf(call.request)
  if (token === undefined) {
    const isGiven = call.request.headers.authorization !== undefined
    throw rejectToken(isGiven ? new TokenInvalid() : new TokenAbsent())
  }
  return identify(call, token)
}

export async function identify(call: RequestContext, token: string): Promise<Account> {
  const person = await personOf(call, token).catch((error) => {
    throw error.statusCode === 401 ? rejectToken(error) : error
  })
  const account = await findAccountById(call, person)
  if (account === undefined || isOpenToAll(account, token)) throw rejectToken(new TokenRevoked())
  return account
}

/** The fixed token of a sample account ends when a password is set, because anyone can know it. */
function isOpenToAll({ secret }: Account, token: string): boolean {
  return secret !== undefined && samplePersonOf(token) !== undefined
}

async function personOf(call: RequestContext, token: string): Promise<number> {
  const sample = samplePersonOf(token)
  if (sample !== undefined) return sample.id
  const { store } = call.context
  if (token.startsWith(CLASSIC_START)) {
    const ticket = await store.findTicket(call.workspaceId, digest(token), 'classic')
    if (ticket === undefined) throw new TokenInvalid()
    if (ticket.used !== null) throw new TokenRevoked()
    return ticket.person
  }
  const { person, session } = await verifyAccessToken(call, token)
  const found = await store.findSession(call.workspaceId, session)
  if (found === undefined || found.ended !== null) throw new TokenRevoked()
  return person
}

/** Revokes a token or ends its session; an invalid token is ignored. */
export async function revoke(call: RequestContext, token: string): Promise<void> {
  const { store } = call.context
  if (token.startsWith(CLASSIC_START)) {
    await store.spendTicket(call.workspaceId, digest(token), call.now())
    return
  }
  if (samplePersonOf(token) !== undefined) return
  const claims = await verifyAccessToken(call, token).catch((error) => {
    if (error.statusCode !== 401) throw error
  })
  if (claims) await store.endSession(call.workspaceId, claims.session, call.now())
}
