/** Body sent to the webhook: these fields in this order, then the additional ones of the settings. */
export interface Form {
  email: string
  fullName: string
}

export interface FormResponse {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
}

/** An error in the table of the specification, not a defect; its string form is `Error: …`. */
class FormError extends Error {
  readonly statusCode = 500
}

/** An error whose string form is the message alone, as in the table of the specification. */
class FormRejection extends FormError {
  override toString(): string {
    return this.message
  }
}

/** Every error is sent with 500 and its string form, as plain text without a newline. */
export const errors = {
  bodyMissing: () => new FormRejection('Name and email are required.'),
  emailMissing: () => new FormRejection('email parameter required'),
  nameMissing: () => new FormRejection('name parameter required'),
  bodyTooLarge: () => new FormError('Request body too large'),
  bodyNotText: (charset: string) => new FormError(`Request body is not valid ${charset}`),
  /** The engine's own message would quote the body, which contains personal data. */
  formNotJson: () =>
    new SyntaxError(
      'The body is an HTML form, not JSON; --forms-accept-forms (acceptForms in a function) accepts it'
    ),
  tooManyFields: (most: number) =>
    new FormError(`A form may have at most ${most} fields: send fewer`),
  bodyTimedOut: (ms: number) => new FormError(`Request body timed out after ${ms} ms`),
  bodyAborted: () => new FormError('Request body aborted'),
  webhookMissing: () => new FormError('Webhook is not configured'),
  webhookFailed: (status: number) => new FormError(`Request failed with status code ${status}`),
  webhookTimedOut: (ms: number) => new FormError(`Webhook timed out after ${ms} ms`),
  webhookTooLarge: () => new FormError('Webhook response too large'),
  webhookUnreachable: (code: string) => new FormError(`Webhook unreachable (${code})`),
  tooManyRedirects: () => new FormError('Too many redirects'),
  secretInvalid: () => new FormError('Signing secret is not valid')
} as const

export const TEXT_TYPE = 'text/plain; charset=utf-8'
export const JSON_TYPE = 'application/json; charset=utf-8'

/** Responses quote strings of clients and webhooks, so browsers must not sniff or run them. */
const SAFE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'"
} as const

const TEXT_HEADERS = Object.freeze({ 'content-type': TEXT_TYPE, ...SAFE_HEADERS })
const JSON_HEADERS = Object.freeze({ 'content-type': JSON_TYPE, ...SAFE_HEADERS })

export function textResponse(status: number, body: string): FormResponse {
  return { status, headers: TEXT_HEADERS, body }
}

/** By specification, any unexpected exception is sent in its string form. */
export function exceptionResponse(error: unknown): FormResponse {
  return textResponse(500, String(error))
}

export function jsonResponse(value: unknown): FormResponse {
  return { status: 200, headers: JSON_HEADERS, body: JSON.stringify(value) }
}

export function redirectResponse(location: string): FormResponse {
  return { status: 303, headers: { location, ...SAFE_HEADERS }, body: '' }
}

export const PREFLIGHT_PASSED: FormResponse = {
  status: 204,
  headers: {
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type',
    'access-control-max-age': '600',
    ...SAFE_HEADERS
  },
  body: ''
}

export const ORIGIN_NOT_ALLOWED = textResponse(403, 'Origin not allowed')

export function tooManyRequests(seconds: number): FormResponse {
  const response = textResponse(429, 'Too many requests')
  return { ...response, headers: { ...response.headers, 'retry-after': String(seconds) } }
}

/** Response to a request that filled the honeypot field; it looks like a webhook's success. */
export const HONEYPOT_RESPONSE = jsonResponse({ status: 'success' })

/** Renders errors outside of the function; malformed HTTP keeps the status that the host sets. */
export function renderError(error: Error & { statusCode?: number | undefined }) {
  const status = error.statusCode ?? 500
  // The string form of HTTP errors contains class and code; clients get the plain form.
  const text = 'code' in error ? `Error: ${error.message}` : String(error)
  return { status, body: text, type: TEXT_TYPE, headers: SAFE_HEADERS }
}
