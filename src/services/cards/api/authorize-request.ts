import { parseDuration } from '../../../kernel/credentials/expiry.ts'
import { RequestInvalid, ValueInvalid } from '../contract.ts'
import type { Input } from '../http/input.ts'
import { choiceValue, namesOf, textValue } from './values.ts'

const MAX_NAME = 100
const MAX_URL = 2000
const HIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u
/** Trello's names and the durations they stand for. */
const EXPIRATIONS: Readonly<Record<string, string>> = {
  '1hour': '1h',
  '1day': '1d',
  '30days': '30d'
}
/** Trello's scopes and ours. */
const SCOPES: Readonly<Record<string, string>> = { read: 'read', write: 'write', account: 'admin' }
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** What an app asks for. */
export interface Authorization {
  readonly name: string
  readonly expiration: string
  readonly lifetimeMs: number | undefined
  /** Trello's names. */
  readonly scope: readonly string[]
  readonly scopes: readonly string[]
  /** Where the token is sent to in the fragment; undefined if it is shown. */
  readonly returnUrl: string | undefined
}

/** Parameters of the page, as Trello's clients send them. */
export function readAuthorization(input: Input, origin: string): Authorization {
  choiceValue(input, 'response_type', ['token', 'fragment'])
  const expirations = ['never', ...Object.keys(EXPIRATIONS)]
  const expiration = choiceValue(input, 'expiration', expirations) ?? '30days'
  const scope = namesOf(input.values.get('scope') ?? 'read')
  if (scope === undefined || scope.length === 0) throw new ValueInvalid('scope')
  const scopes = scope.map((name) => (Object.hasOwn(SCOPES, name) ? SCOPES[name] : undefined))
  const known = scopes.filter((name) => name !== undefined)
  if (known.length < scopes.length) throw new ValueInvalid('scope')
  const name = textValue(input, 'name', { max: MAX_NAME }) ?? ''
  if (HIDDEN.test(name)) throw new ValueInvalid('name')
  return {
    name,
    expiration,
    lifetimeMs: parseDuration(EXPIRATIONS[expiration] ?? ''),
    scope: [...new Set(scope)],
    scopes: [...new Set(known)],
    returnUrl: returnUrlIn(input, origin)
  }
}

/** A token must not reach other sites, whose pages could have sent the browser here. */
function returnUrlIn(input: Input, origin: string): string | undefined {
  const text = textValue(input, 'return_url', { max: MAX_URL }) ?? ''
  if (text === '') return undefined
  const url = URL.parse(text)
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (url !== null && isWeb && (url.origin === origin || LOOPBACK.test(url.hostname))) {
    return url.href
  }
  throw new RequestInvalid('return_url must be a page of this machine or of this site')
}
