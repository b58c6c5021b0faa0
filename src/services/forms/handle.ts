import type { FormConfig, FormDeps, FormInput } from './config.ts'
import {
  exceptionResponse,
  type FormResponse,
  HONEYPOT_RESPONSE,
  jsonResponse,
  ORIGIN_NOT_ALLOWED,
  PREFLIGHT_PASSED,
  redirectResponse,
  tooManyRequests
} from './contract.ts'
import { isEmpty, isFormPost, readFields, toForm } from './form.ts'
import { answersPreflight, isOriginNotAllowed, withCors } from './origins.ts'
import { callWebhook, dataOf, type WebhookReply } from './webhook.ts'

/** What became of a submission; an error is the text that the client gets. */
export type Outcome =
  | { readonly kind: 'forwarded'; readonly status: number; readonly ok: boolean }
  | { readonly kind: 'unanswered'; readonly error: string }
  | { readonly kind: 'rejected'; readonly error: string }
  | { readonly kind: 'honeypot' }

export interface Handled {
  response: FormResponse
  /** Undefined for a preflight request, which is not a submission. */
  outcome: Outcome | undefined
}

interface Submitted extends Handled {
  accepted: boolean
  outcome: Outcome
}

/** Responds to a request, and tells what became of it. */
export async function handleForm(
  input: FormInput,
  config: FormConfig,
  deps: FormDeps
): Promise<Handled> {
  const { response, outcome } = await respondTo(input, config, deps)
  return { response: withCors(response, input.origin, config), outcome }
}

async function respondTo(input: FormInput, config: FormConfig, deps: FormDeps): Promise<Handled> {
  if (config.enforceOrigin && isOriginNotAllowed(input.origin, config)) {
    return rejected(ORIGIN_NOT_ALLOWED)
  }
  if (isPreflight(input) && answersPreflight(input.origin, config)) {
    return { response: PREFLIGHT_PASSED, outcome: undefined }
  }
  const seconds = deps.secondsToWait?.(input.ip ?? '') ?? 0
  if (seconds > 0) return rejected(tooManyRequests(seconds))
  const { accepted, response, outcome } = await submit(input, config, deps)
  const page = accepted ? config.redirectSuccess : config.redirectError
  const isRedirected = page !== undefined && isFormPost(input, config)
  return { response: isRedirected ? redirectResponse(page) : response, outcome }
}

/** Other requests with OPTIONS are submissions, as with any method. */
function isPreflight({ method, origin, requestMethod, rawBody }: FormInput): boolean {
  const hasHeaders = typeof origin === 'string' && typeof requestMethod === 'string'
  return method === 'OPTIONS' && hasHeaders && isEmpty(rawBody)
}

async function submit(input: FormInput, config: FormConfig, deps: FormDeps): Promise<Submitted> {
  let body: string
  try {
    const fields = await readFields(input, config)
    if (config.honeypot !== undefined && fields[config.honeypot]) {
      return { accepted: true, response: HONEYPOT_RESPONSE, outcome: { kind: 'honeypot' } }
    }
    body = JSON.stringify(toForm(fields, config))
  } catch (error) {
    return rejected(exceptionResponse(error))
  }
  return sendForm(body, config, deps)
}

/** By specification, any error becomes a response with 500 and the error's string form. */
export async function sendForm(
  body: string,
  config: FormConfig,
  deps: FormDeps
): Promise<Submitted> {
  let reply: WebhookReply | undefined
  try {
    reply = await callWebhook(body, config, deps)
    return {
      accepted: reply.ok,
      response: jsonResponse(dataOf(reply)),
      outcome: forwarded(reply)
    }
  } catch (error) {
    const response = exceptionResponse(error)
    const outcome: Outcome =
      reply === undefined ? { kind: 'unanswered', error: response.body } : forwarded(reply)
    return { accepted: false, response, outcome }
  }
}

function forwarded({ status, ok }: WebhookReply): Outcome {
  return { kind: 'forwarded', status, ok }
}

export function rejected(response: FormResponse): Submitted {
  return { accepted: false, response, outcome: { kind: 'rejected', error: response.body } }
}
