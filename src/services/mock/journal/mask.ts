import { isSecretName } from '../../../kernel/secret-names.ts'
import type { Operation } from '../model/api.ts'
import { maskBody } from './mask-body.ts'

const MASK = '***'

const CREDENTIAL_HEADERS = [
  ...['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'www-authenticate'],
  ...['x-api-key', 'api-key', 'apikey', 'x-auth-token', 'x-csrf-token', 'x-xsrf-token']
]
const CREDENTIAL_FIELDS = [
  ...['access_token', 'refresh_token', 'id_token', 'token', 'api_key', 'apikey', 'api-key', 'key'],
  ...['password', 'secret', 'client_secret', 'code_verifier', 'signature', 'sig', 'auth']
]

/** Masks credentials in headers, queries and bodies that are shown. */
export interface Mask {
  /** Adds the names that the documents use for API keys; names of earlier versions stay. */
  follow: (operations: readonly Operation[]) => void
  headers: (
    headers: Readonly<Record<string, string | readonly string[] | undefined>>
  ) => Record<string, string | string[]>
  query: (query: string) => string
  /** The text of a body, complete or cut; bytes that are not text are given as Latin-1. */
  body: (text: string, isText: boolean) => string
}

export function createMask(): Mask {
  const headerNames = new Set(CREDENTIAL_HEADERS)
  const fieldNames = new Set(CREDENTIAL_FIELDS)

  return {
    follow(operations) {
      for (const { security } of operations) {
        for (const { name, in: location } of security.flat()) {
          if (name === undefined) continue
          if (location === 'header') headerNames.add(name.toLowerCase())
          if (location === 'query') fieldNames.add(name.toLowerCase())
        }
      }
    },
    headers(headers) {
      const shown: Record<string, string | string[]> = Object.create(null)
      for (const [name, value] of Object.entries(headers)) {
        if (value === undefined) continue
        const hide = isSecretHeader(name) ? hideHeader : (text: string) => text
        shown[name] = typeof value === 'string' ? hide(value) : value.map(hide)
      }
      return shown
    },
    query: maskFields,
    body: (text, isText) => maskBody(text, isSecret, MASK) ?? (isText ? maskFields(text) : text)
  }

  function isSecretHeader(name: string): boolean {
    return headerNames.has(name.toLowerCase()) || isSecretName(name)
  }

  function isSecret(name: string): boolean {
    return fieldNames.has(name.toLowerCase()) || isSecretName(name)
  }

  function maskFields(text: string): string {
    return text.includes('=') ? text.split('&').map(hideField).join('&') : text
  }

  function hideField(pair: string): string {
    const end = pair.indexOf('=')
    return end !== -1 && isSecret(nameOf(pair.slice(0, end)))
      ? `${pair.slice(0, end)}=${MASK}`
      : pair
  }
}

/** The scheme is not secret and shows which kind of credential was sent. */
function hideHeader(value: string): string {
  const scheme = /^(basic|bearer|digest) /i.exec(value)?.[0] ?? ''
  return scheme + MASK
}

function nameOf(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' ')).toLowerCase()
  } catch {
    return text.toLowerCase()
  }
}
