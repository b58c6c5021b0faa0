/** The refresh of access tokens: RFC 6749, section 6. */
import { isObject } from '../../../../kernel/json.ts'
import { type Outbound, OutboundError } from '../../../../kernel/outbound.ts'
import { MASK } from '../../api/schemas/parts.ts'
import { oneLine } from '../../one-line.ts'
import type { TokenRequestError } from '../account.ts'
import { TokenError } from './token-error.ts'
import { isTokenUrl, TOKEN_URL_MESSAGE } from './token-url.ts'

export const REQUEST_TIMEOUT_MS = 10_000
const MAX_RESPONSE_BYTES = 64 * 1024
const MAX_TOKEN_LENGTH = 16_384
const MAX_TEXT_LENGTH = 300
const MAX_EXPIRES_S = 366 * 24 * 3600
/** SASL separates its fields by control characters, and IMAP and SMTP end commands with them. */
const TOKEN = /^[\x21-\x7e]+$/

export interface TokenGrant {
  readonly tokenUrl: string
  /** Whether the token of an account named the URL, so it may not be of this machine. */
  readonly isPublic: boolean
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  readonly refreshToken: string
  readonly scopes: readonly string[] | undefined
}

export interface NewTokens {
  readonly accessToken: string
  /** If the server rotates them: the one that was used is no longer valid. */
  readonly refreshToken: string | undefined
  readonly expiresInMs: number | undefined
}

/** Fetches an access token. Redirects are errors: they would carry the secrets elsewhere. */
export async function requestTokens(
  outbound: Pick<Outbound, 'fetch'>,
  grant: TokenGrant
): Promise<NewTokens> {
  if (!isTokenUrl(grant.tokenUrl)) {
    throw new TokenError(`The token URL ${TOKEN_URL_MESSAGE}`, { isTemporary: false })
  }
  const inBody = await send(outbound, grant, 'body')
  // Servers must accept the secret in the header and may accept it in the body, which most prefer.
  const isRejectedClient = inBody.status === 401 && grant.clientSecret !== undefined
  return readTokens(isRejectedClient ? await send(outbound, grant, 'header') : inBody, grant)
}

async function send(
  outbound: Pick<Outbound, 'fetch'>,
  grant: TokenGrant,
  secretIn: 'body' | 'header'
): Promise<{ status: number; text: string }> {
  const { tokenUrl, clientId = '', clientSecret, refreshToken, scopes = [] } = grant
  const isInBody = secretIn === 'body'
  const body = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    ...(isInBody && clientId !== '' && { client_id: clientId }),
    ...(isInBody && clientSecret !== undefined && { client_secret: clientSecret }),
    ...(scopes.length > 0 && { scope: scopes.join(' ') })
  })
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
    ...(!isInBody && { authorization: basic(clientId, clientSecret ?? '') })
  }
  try {
    const response = await outbound.fetch(tokenUrl, {
      method: 'POST',
      headers,
      body: body.toString(),
      forwarded: grant.isPublic,
      timeoutMs: REQUEST_TIMEOUT_MS,
      maxBytes: MAX_RESPONSE_BYTES
    })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    throw unreachable(grant, error)
  }
}

function basic(user: string, password: string): string {
  const encode = (text: string) => new URLSearchParams({ '': text }).toString().slice(1)
  return `Basic ${Buffer.from(`${encode(user)}:${encode(password)}`).toString('base64')}`
}

function unreachable(grant: TokenGrant, error: unknown): TokenError {
  const code = error instanceof OutboundError ? error.code : 'UNKNOWN'
  const isBlocked = code === 'ADDRESS_REFUSED'
  const message = isBlocked
    ? 'Requests to the token URL are not allowed; an operator can allow its host with --outbound-allow'
    : `The token server cannot be reached (${code})`
  return new TokenError(message, { isTemporary: !isBlocked, tokenRequest: about(grant) })
}

function readTokens(
  { status, text }: { status: number; text: string },
  grant: TokenGrant
): NewTokens {
  const body = parseObject(text)
  if (status !== 200) throw rejected(grant, status, body)
  const { access_token: accessToken, refresh_token: refreshToken, token_type: type } = body
  if (!isToken(accessToken)) throw unusable(grant, 'has no access token')
  if (refreshToken !== undefined && !isToken(refreshToken)) {
    throw unusable(grant, 'has a refresh token that is not valid')
  }
  if (type !== undefined && String(type).toLowerCase() !== 'bearer') {
    throw unusable(grant, 'has a token that is not a bearer token')
  }
  const seconds = Number(body.expires_in)
  const isKnown = seconds > 0 && seconds <= MAX_EXPIRES_S
  return { accessToken, refreshToken, expiresInMs: isKnown ? seconds * 1000 : undefined }
}

function isToken(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TOKEN_LENGTH && TOKEN.test(value)
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

function unusable(grant: TokenGrant, problem: string): TokenError {
  const message = `The response of the token server ${problem}`
  return new TokenError(message, { isTemporary: true, tokenRequest: about(grant, 200) })
}

function rejected(grant: TokenGrant, status: number, body: Record<string, unknown>): TokenError {
  const error = plain(body.error, grant)
  const description = plain(body.error_description, grant)
  const response = {
    ...(error !== undefined && { error }),
    ...(description !== undefined && { error_description: description })
  }
  const shown = [error, description].filter((text) => text !== undefined).join(': ')
  const isTemporary = status >= 500 || status === 408 || status === 429
  return new TokenError(
    `The token server responded ${status}${shown === '' ? '' : ` (${shown})`}`,
    { isTemporary, tokenRequest: { ...about(grant, status), response } }
  )
}

/** A string of the server without secrets, which some servers repeat, and without line ends. */
function plain(value: unknown, { refreshToken, clientSecret }: TokenGrant): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  let text = value
  for (const secret of [refreshToken, clientSecret]) {
    if (secret === undefined || secret === '') continue
    text = text.replaceAll(secret, MASK).replaceAll(encodeURIComponent(secret), MASK)
  }
  return oneLine(text, MAX_TEXT_LENGTH)
}

function about({ clientId, scopes }: TokenGrant, status?: number): TokenRequestError {
  return {
    grant: 'refresh_token',
    ...(clientId !== undefined && { clientId }),
    ...(scopes !== undefined && { scopes }),
    ...(status !== undefined && { status })
  }
}
