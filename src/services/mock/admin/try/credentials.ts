import type { Operation, SecurityScheme } from '../../model/api.ts'
import { credentialField, type FormValues } from './form-values.ts'

export interface CredentialField {
  field: string
  label: string
  /** Where the value is sent, such as `header X-Api-Key`. */
  hint: string
  /** A value that the mock accepts: it checks only that there is one. */
  sample: string
}

export interface Credential {
  scheme: SecurityScheme
  /** Whether the first documented requirement needs it. */
  isFirst: boolean
  fields: readonly CredentialField[]
}

const BEARER_TYPES = ['oauth2', 'openIdConnect']
const DIGEST_SAMPLE =
  'Digest username="user", realm="*", nonce="abc123", uri="/", response="0123456789abcdef"'

/** The credentials of an operation, each scheme once; those of unknown types are left out. */
export function credentialsOf({ security }: Pick<Operation, 'security'>): Credential[] {
  const [first = []] = security
  const schemes = new Map(security.flat().map((scheme) => [scheme.key, scheme]))
  return [...schemes.values()].flatMap((scheme) => {
    const fields = fieldsOf(scheme)
    const isFirst = first.some(({ key }) => key === scheme.key)
    return fields.length === 0 ? [] : [{ scheme, isFirst, fields }]
  })
}

function fieldsOf(scheme: SecurityScheme): CredentialField[] {
  const { key, type, scheme: kind, name, in: location } = scheme
  const field = credentialField(key)
  if (BEARER_TYPES.includes(type) || (type === 'http' && kind === 'bearer')) {
    return [{ field, label: key, hint: 'bearer token', sample: 'example-token' }]
  }
  if (type === 'http' && kind === 'basic') {
    return [
      { field: credentialField(key, 'user'), label: key, hint: 'user', sample: 'user' },
      { field: credentialField(key, 'password'), label: key, hint: 'password', sample: 'password' }
    ]
  }
  if (type === 'http' && kind === 'digest') {
    return [{ field, label: key, hint: 'header Authorization', sample: DIGEST_SAMPLE }]
  }
  if (type !== 'apiKey' || name === undefined) return []
  return [{ field, label: key, hint: `${location} ${name}`, sample: 'example-key' }]
}

export interface WrittenCredentials {
  headers: [string, string][]
  query: string[]
  cookies: string[]
}

/** What the filled fields add to a request. */
export function writeCredentials(
  credentials: readonly Credential[],
  values: FormValues
): WrittenCredentials {
  const written: WrittenCredentials = { headers: [], query: [], cookies: [] }
  for (const { scheme, fields } of credentials) {
    const texts = fields.map(({ field }) => values[field] ?? '')
    if (texts.every((text) => text === '')) continue
    const [text = '', password = ''] = texts
    if (scheme.type === 'apiKey') writeKey(written, scheme, text)
    else written.headers.push(['authorization', authorizationOf(scheme, text, password)])
  }
  return written
}

function authorizationOf({ type, scheme }: SecurityScheme, text: string, password: string): string {
  if (type === 'http' && scheme === 'digest') return text
  if (type !== 'http' || scheme !== 'basic') return `Bearer ${text}`
  return `Basic ${Buffer.from(`${text}:${password}`).toString('base64')}`
}

function writeKey(written: WrittenCredentials, scheme: SecurityScheme, text: string): void {
  const { name = '', in: location } = scheme
  const pair = `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(text.toWellFormed())}`
  if (location === 'header') written.headers.push([name, text])
  else if (location === 'query') written.query.push(pair)
  else written.cookies.push(`${name}=${encodeURIComponent(text.toWellFormed())}`)
}
