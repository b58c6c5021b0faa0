import { parseRanges } from '../../../kernel/base-url.ts'
import { ALL_RESOURCES } from '../../../kernel/credentials/authorize.ts'
import { parseExpiry } from '../../../kernel/credentials/expiry.ts'
import { cutText } from '../../../kernel/cut-text.ts'
import type { ApiRequest } from '../api/route.ts'
import type { MailboxContext } from '../context.ts'
import { AccountNotFound, type InvalidField, invalidInput } from '../contract.ts'
import { findMailAccount } from '../store/mail-accounts.ts'
import { addTokenDetails } from '../store/tokens.ts'
import { tokenIdOf } from '../tokens/read-tokens.ts'
import type { TokenDetails } from '../tokens/token-details.ts'

const ALL_SCOPES = '*'
/** Of the name in `nonet token list`, which shows no control characters. */
const NAME_LENGTH = 100
const CONTROL_CHARACTERS = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu

interface TokenRequest extends TokenDetails {
  readonly account?: string | null
  readonly description: string
  readonly scopes: readonly string[]
  readonly expires?: string
}

export async function addToken(
  { kernel }: MailboxContext,
  { request, body }: ApiRequest<unknown, TokenRequest>
): Promise<object> {
  const time = kernel.now().getTime()
  const fields = problemsOf(body, time)
  if (fields.length > 0) throw invalidInput(fields)
  const { account = null, scopes, expires = '', ...told } = body
  const details: TokenDetails = { ...told, remoteAddress: kernel.clientIp(request) }
  const known = Object.keys(kernel.credentials.rules.scopes)
  const wanted = scopes.includes(ALL_SCOPES) ? known : known.filter((one) => scopes.includes(one))
  const { secret } = await kernel.credentials.create({
    name: cutText(body.description.replace(CONTROL_CHARACTERS, ' '), NAME_LENGTH),
    scopes: wanted,
    bindings: [account ?? ALL_RESOURCES],
    expiresAt: parseExpiry(expires, time),
    *write(id) {
      if (account !== null && (yield* findMailAccount(account)) === undefined) {
        throw new AccountNotFound()
      }
      yield* addTokenDetails(id, JSON.stringify(details))
    }
  })
  return { token: secret, id: tokenIdOf(secret) }
}

function problemsOf(body: TokenRequest, time: number): InvalidField[] {
  const { account = null, permissions, expires, metadata, restrictions } = body
  const fields: InvalidField[] = []
  if (account === null && permissions === undefined) {
    const message =
      'is required without permissions; nonet token create mailbox --admin creates a token for all'
    fields.push({ key: 'account', message })
  }
  if (expires !== undefined && parseExpiry(expires, time) === undefined) {
    fields.push({ key: 'expires', message: 'must be a time of the next hundred years' })
  }
  if (metadata !== undefined && !isJson(metadata)) {
    fields.push({ key: 'metadata', message: 'must be JSON in a string' })
  }
  for (const [number, range] of (restrictions?.addresses ?? []).entries()) {
    if (isRange(range)) continue
    const key = `restrictions.addresses.${number}`
    fields.push({ key, message: 'must be an IP address or a range such as 192.0.2.0/24' })
  }
  return fields
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function isRange(text: string): boolean {
  try {
    return parseRanges([text]) !== undefined
  } catch {
    return false
  }
}
