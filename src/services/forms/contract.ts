/** What leaves for the webhook, in this order and nothing else. */
export interface Form {
  email: string
  fullName: string
}

export interface FormResponse {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
}

/** Known to the table, so no defect of ours; its string form is `Error: …`. */
class FormError extends Error {
  readonly statusCode = 500
}

/** A failure whose string form is its bare text, as the seed's table writes it. */
class FormRejection extends FormError {
  override toString(): string {
    return this.message
  }
}

/** Every failure is answered with 500 and its string form, plain text without a newline. */
export const errors = {
  bodyMissing: () => new FormRejection('Name and email are required.'),
  emailMissing: () => new FormRejection('email parameter required'),
  nameMissing: () => new FormRejection('name parameter required'),
  bodyTooLarge: () => new FormError('Request body too large'),
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

/** Answers quote foreign text, so no browser may guess at their type or run them. */
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

/** The seed: any unexpected exception is answered with its string form. */
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

/** What a bot that filled the trap field sees: the answer of a webhook that took it. */
export const HONEYPOT_RESPONSE = jsonResponse({ status: 'success' })

/** For what never reaches the function: malformed HTTP keeps the status the host gives it. */
export function renderError(error: Error & { statusCode?: number | undefined }) {
  const status = error.statusCode ?? 500
  // Failures of the HTTP layer print their class and code; a caller gets the plain form.
  const text = 'code' in error ? `Error: ${error.message}` : String(error)
  return { status, body: text, type: TEXT_TYPE, headers: SAFE_HEADERS }
}
