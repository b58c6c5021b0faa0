import type { IncomingMessage } from 'node:http'
import { bearerToken } from '../../../kernel/admin.ts'
import type { Principal } from '../../../kernel/credentials/rules.ts'
import type { FindToken } from '../../../kernel/credentials/table.ts'
import { splitOutsideQuotes, unquote } from '../../../kernel/quoted-string.ts'
import type { CardContext } from '../context.ts'
import { PermissionMissing, TokenInvalid, TooManyRequests } from '../contract.ts'
import { BOARD_BINDING, MEMBER_BINDING } from '../records/bindings.ts'
import { ANONYMOUS, type Identity, type Viewer } from '../records/viewer.ts'
import { queryTokens } from './read-input.ts'

export interface ResolveOptions {
  /** Only where preview tokens are accepted. Returns undefined if the text is no valid one. */
  readPreviewToken?: (text: string) => Viewer | undefined | Promise<Viewer | undefined>
  /** By default the token alone is read. */
  findToken?: FindToken | undefined
}

/** Tokens of `Authorization`, `Bearer` or Trello's `OAuth oauth_token="…"`, and of the query. */
export function requestTokens(
  { headers }: Pick<IncomingMessage, 'headers'>,
  query: URLSearchParams | undefined
): string[] {
  const header = bearerToken(headers) ?? oauthToken(headers.authorization)
  const tokens = header === undefined ? [] : [header]
  return query === undefined ? tokens : [...tokens, ...queryTokens(query)]
}

function oauthToken(authorization = ''): string | undefined {
  const [, parameters] = /^OAuth\s+(.*)$/is.exec(authorization) ?? []
  for (const part of splitOutsideQuotes(parameters ?? '', ',')) {
    const [, name, value = ''] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/s.exec(part) ?? []
    if (name?.toLowerCase() === 'oauth_token') return unquote(value) || undefined
  }
  return undefined
}

/** Who sent the request. Throws if the tokens differ, or if the token is not accepted. */
export async function identify(
  { kernel }: Pick<CardContext, 'kernel'>,
  raw: IncomingMessage,
  tokens: readonly unknown[],
  { readPreviewToken, findToken }: ResolveOptions = {}
): Promise<Identity> {
  const [token, ...others] = tokens
  if (token === undefined) return { viewer: ANONYMOUS, principal: undefined, token: undefined }
  if (typeof token !== 'string' || others.some((other) => other !== token)) {
    throw new TokenInvalid()
  }
  const reading = readPreviewToken?.(token)
  const preview = reading && (await reading)
  if (preview !== undefined) return { viewer: preview, principal: undefined, token }
  const principal = await kernel.credentials.authenticate(raw, token, findToken)
  if (typeof principal === 'object' && 'retryAfter' in principal) {
    const { retryAfter } = principal
    throw Object.assign(new TooManyRequests(), {
      headers: { 'retry-after': String(retryAfter) }
    })
  }
  const viewer = typeof principal === 'string' ? undefined : viewerOf(principal)
  if (typeof principal === 'string' || viewer === undefined) throw new TokenInvalid()
  return { viewer, principal, token }
}

/** Who reads; throws if the token does not allow that. For routes that change nothing. */
export async function resolveViewer(
  context: Pick<CardContext, 'kernel'>,
  raw: IncomingMessage,
  query: URLSearchParams,
  options?: ResolveOptions
): Promise<Viewer> {
  const identity = await identify(context, raw, requestTokens(raw, query), options)
  if (!mayRead(identity)) throw new PermissionMissing()
  return identity.viewer
}

export function mayRead({ viewer, principal }: Identity): boolean {
  return viewer.kind !== 'member' || principal?.scopes.includes('read') === true
}

/** Undefined if the token names neither a member nor, as a publishable key, one board. */
export function viewerOf({ tokenId, scopes, bindings }: Principal): Viewer | undefined {
  const [member] = withoutPrefix(bindings, MEMBER_BINDING)
  const boards = withoutPrefix(bindings, BOARD_BINDING)
  if (scopes.includes('published')) {
    const [board, ...more] = boards
    return board === undefined || more.length > 0 ? undefined : { kind: 'publishable', board }
  }
  if (member === undefined) return undefined
  return {
    kind: 'member',
    member,
    boards: boards.length === 0 ? undefined : boards,
    canWrite: scopes.includes('write'),
    canAdminister: scopes.includes('admin'),
    tokenId
  }
}

function withoutPrefix(bindings: readonly string[], prefix: string): string[] {
  return bindings.flatMap((binding) =>
    binding.startsWith(prefix) ? [binding.slice(prefix.length)] : []
  )
}
