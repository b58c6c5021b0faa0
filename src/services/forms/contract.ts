/** What leaves for the webhook, in this order and nothing else. */
export interface Form {
  email: string
  fullName: string
}

export interface FormAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
}

/** Known to the table, so no defect of ours; its string form is `Error: …`. */
class Failure extends Error {
  readonly statusCode = 500
}

/** A failure whose string form is its bare text, as the seed's table writes it. */
class Refusal extends Failure {
  override toString(): string {
    return this.message
  }
}

/** Every failure is answered with 500 and its string form, plain text without a newline. */
export const failures = {
  bodyMissing: () => new Refusal('Name and email are required.'),
  emailMissing: () => new Refusal('email parameter required'),
  nameMissing: () => new Refusal('name parameter required'),
  bodyTooLarge: () => new Failure('Request body too large'),
  bodyTimedOut: (ms: number) => new Failure(`Request body timed out after ${ms} ms`),
  bodyAborted: () => new Failure('Request body aborted'),
  webhookMissing: () => new Failure('Webhook is not configured'),
  webhookFailed: (status: number) => new Failure(`Request failed with status code ${status}`),
  webhookTimedOut: (ms: number) => new Failure(`Webhook timed out after ${ms} ms`),
  webhookTooLarge: () => new Failure('Webhook response too large'),
  webhookUnreachable: (code: string) => new Failure(`Webhook unreachable (${code})`),
  tooManyRedirects: () => new Failure('Too many redirects'),
  secretInvalid: () => new Failure('Signing secret is not valid')
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

export function textAnswer(status: number, body: string): FormAnswer {
  return { status, headers: TEXT_HEADERS, body }
}

/** The seed: any unexpected exception is answered with its string form. */
export function exceptionAnswer(error: unknown): FormAnswer {
  return textAnswer(500, String(error))
}

export function jsonAnswer(value: unknown): FormAnswer {
  return { status: 200, headers: JSON_HEADERS, body: JSON.stringify(value) }
}

export function redirectAnswer(location: string): FormAnswer {
  return { status: 303, headers: { location, ...SAFE_HEADERS }, body: '' }
}

export const PREFLIGHT_PASSED: FormAnswer = {
  status: 204,
  headers: {
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type',
    'access-control-max-age': '600',
    ...SAFE_HEADERS
  },
  body: ''
}

export const ORIGIN_REFUSED = textAnswer(403, 'Origin not allowed')

export function tooManyRequests(seconds: number): FormAnswer {
  const answer = textAnswer(429, 'Too many requests')
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(seconds) } }
}

/** What a bot that filled the trap field sees: the answer of a webhook that took it. */
export const TRAP_ANSWER = jsonAnswer({ status: 'success' })

/** For what never reaches the function: malformed HTTP keeps the status the host gives it. */
export function renderFailure(error: Error & { statusCode?: number | undefined }) {
  const status = error.statusCode ?? 500
  // Failures of the HTTP layer print their class and code; a caller gets the plain form.
  const text = 'code' in error ? `Error: ${error.message}` : String(error)
  return { status, body: text, type: TEXT_TYPE, headers: SAFE_HEADERS }
}
