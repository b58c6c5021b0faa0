import { ALL_RESOURCES } from '../kernel/credentials/authorize.ts'
import type { Credentials } from '../kernel/credentials/credentials.ts'
import { TokenUnknown } from '../kernel/credentials/errors.ts'
import {
  type CreatedToken,
  type ListedToken,
  listToken
} from '../kernel/credentials/listed-token.ts'
import { readTokenRequest } from '../kernel/credentials/read-request.ts'
import type { TokenFacts } from '../kernel/credentials/rules.ts'
import type { Mounted } from '../kernel/service.ts'
import type { ConsoleService } from './mounted-service.ts'

export type TokenService = Pick<ConsoleService, 'mounted'> & { credentials: Credentials }

export async function createToken(
  { credentials, mounted }: TokenService,
  body: unknown
): Promise<CreatedToken> {
  const { rules } = credentials
  const { flags, ...request } = readTokenRequest(body, rules, Date.now())
  const own =
    request.replaces === undefined
      ? await ownFacts(mounted, flags, request.scopes ?? rules.defaultScopes)
      : {}
  const { secret, token } = await credentials.create({ ...own, ...request })
  return { secret, token: listToken(token, await namesOf(mounted, [token])) }
}

async function ownFacts(
  { bindToken }: Mounted,
  flags: Readonly<Record<string, unknown>>,
  scopes: readonly string[]
): Promise<Pick<TokenFacts, 'scopes' | 'bindings'>> {
  const bindings = bindToken === undefined ? [ALL_RESOURCES] : await bindToken(flags, scopes)
  return { scopes, bindings }
}

async function namesOf(
  { nameBindings }: Mounted,
  tokens: readonly TokenFacts[]
): Promise<ReadonlyMap<string, string>> {
  const bindings = new Set(tokens.flatMap((token) => token.bindings))
  return nameBindings === undefined ? new Map() : nameBindings([...bindings])
}

export async function listTokens({
  credentials,
  mounted
}: TokenService): Promise<{ tokens: ListedToken[] }> {
  const tokens = await credentials.list()
  const names = await namesOf(mounted, tokens)
  return { tokens: tokens.map((token) => listToken(token, names)) }
}

export async function revokeToken(
  { credentials }: TokenService,
  id: string
): Promise<{ revoked: string }> {
  if (!(await credentials.revoke(id))) throw new TokenUnknown(id)
  return { revoked: id }
}
