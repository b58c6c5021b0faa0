import {
  DEFAULT_TIMEOUT_MS,
  type FormConfig,
  type FormDeps,
  RESPONSE_MAX_BYTES,
  type Send,
  type SendResponse
} from './config.ts'
import { errors } from './contract.ts'
import { sendByFetch } from './send.ts'
import { signatureHeaders } from './signature.ts'

const MAX_REDIRECTS = 5

const PLAIN_HEADERS = {
  accept: 'application/json, text/plain, */*',
  'user-agent': 'nonet-forms'
}
const POST_HEADERS = { ...PLAIN_HEADERS, 'content-type': 'application/json' }

export interface WebhookReply {
  ok: boolean
  status: number
  text: string
}

interface Hop {
  url: URL
  /** Undefined after a redirect has turned the POST into a GET. */
  body: string | undefined
  /** Signature and headers of the operator; not sent to other origins. */
  secrets: Readonly<Record<string, string>>
}

/** Posts the form and follows redirects, all within one time budget. */
export async function callWebhook(
  body: string,
  config: FormConfig,
  { send = sendByFetch, now = () => new Date() }: FormDeps
): Promise<WebhookReply> {
  const timeoutMs = config.timeoutMs ?? DEFAULT_TIMEOUT_MS
  const url = findWebhook(config.webhook)
  if (url === undefined) throw errors.webhookMissing()
  const signature = await signatureHeaders(config.signingSecret, body, now())
  let hop: Hop | undefined = { url, body, secrets: { ...config.webhookHeaders, ...signature } }
  const deadline = performance.now() + timeoutMs
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response: SendResponse = await sendHop(send, hop, deadline, timeoutMs)
    hop = nextHop(hop, response, config.redirectHosts ?? [])
    if (hop === undefined) return describe(response)
  }
  throw errors.tooManyRedirects()
}

/** Data of the webhook's response, or the first of its errors; throws if it has no errors array. */
export function dataOf({ ok, status, text }: WebhookReply): unknown {
  const data = parseData(text)
  if (ok) return data
  const { errors: reported } = Object(data)
  if (!Array.isArray(reported)) throw errors.webhookFailed(status)
  return reported[0] ?? null
}

/** Parses any response as JSON, whatever its type; a response that is not JSON is a string. */
function parseData(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The configured URL; undefined if it cannot be called. Requests have no influence on it. */
export function findWebhook(webhook: string | undefined): URL | undefined {
  if (webhook === undefined || !URL.canParse(webhook)) return undefined
  const url = new URL(webhook)
  return isCallable(url) ? url : undefined
}

function isCallable(url: URL): boolean {
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

async function sendHop(
  send: Send,
  { url, body, secrets }: Hop,
  deadline: number,
  timeoutMs: number
): Promise<SendResponse> {
  const isPost = body !== undefined
  try {
    return await send(url.href, {
      method: isPost ? 'POST' : 'GET',
      headers: { ...(isPost ? POST_HEADERS : PLAIN_HEADERS), ...secrets },
      body,
      timeoutMs: Math.max(1, Math.ceil(deadline - performance.now())),
      maxBytes: RESPONSE_MAX_BYTES
    })
  } catch (error) {
    throw describeError(error, timeoutMs)
  }
}

/** Passes on the code only, because runtimes put the secret URL into their messages. */
function describeError(error: unknown, timeoutMs: number): Error {
  const { name, code, cause }: Partial<Record<string, unknown>> = Object(error)
  if (name === 'TimeoutError' || code === 'TIMEOUT') return errors.webhookTimedOut(timeoutMs)
  if (code === 'TOO_LARGE') return errors.webhookTooLarge()
  const known = [code, Object(cause).code].find(isCode)
  return errors.webhookUnreachable(known ?? 'NETWORK')
}

function isCode(code: unknown): code is string {
  return typeof code === 'string' && /^[A-Za-z]\w{1,39}$/.test(code)
}

/** The next request of a redirect; undefined if this response is the final one. */
function nextHop(hop: Hop, response: SendResponse, hosts: readonly string[]): Hop | undefined {
  const url = redirectTarget(hop.url, response)
  if (url === undefined) return undefined
  const sameOrigin = url.origin === hop.url.origin
  const secrets = sameOrigin ? hop.secrets : {}
  if (response.status < 307) return { url, secrets, body: undefined }
  const mayRepeat = sameOrigin || hop.body === undefined || hosts.includes(url.host)
  return mayRepeat ? { url, secrets, body: hop.body } : undefined
}

function redirectTarget(from: URL, { status, headers }: SendResponse): URL | undefined {
  const location = headers.get('location')
  if (![301, 302, 303, 307, 308].includes(status) || location === null) return undefined
  if (!URL.canParse(location, from.href)) return undefined
  const url = new URL(location, from)
  const isDowngrade = from.protocol === 'https:' && url.protocol === 'http:'
  return isCallable(url) && !isDowngrade ? url : undefined
}

async function describe(response: SendResponse): Promise<WebhookReply> {
  return { ok: response.ok, status: response.status, text: await response.text() }
}
