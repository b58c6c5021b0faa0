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
import { isOriginNotAllowed, withCors } from './origins.ts'
import { callWebhook, dataOf } from './webhook.ts'

export type {
  FormConfig,
  FormDeps,
  FormInput,
  Send,
  SendRequest,
  SendResponse as SendAnswer
} from './config.ts'
export type { FormResponse as FormAnswer } from './contract.ts'

interface Outcome {
  accepted: boolean
  response: FormResponse
}

/** I-5 in one function. It uses web-standard APIs only, so it runs on any runtime with `fetch`. */
export async function forward(
  input: FormInput,
  config: FormConfig,
  deps: FormDeps = {}
): Promise<FormResponse> {
  const { origins = [] } = config
  const response = await respondTo(input, config, deps, origins)
  return withCors(response, input.origin, origins)
}

async function respondTo(
  input: FormInput,
  config: FormConfig,
  deps: FormDeps,
  origins: readonly string[]
): Promise<FormResponse> {
  if (config.enforceOrigin && isOriginNotAllowed(input.origin, origins)) return ORIGIN_NOT_ALLOWED
  const isPreflight = input.method === 'OPTIONS' && isEmpty(input.rawBody)
  if (isPreflight && origins.length > 0) return PREFLIGHT_PASSED
  const seconds = deps.secondsToWait?.(input.ip ?? '') ?? 0
  if (seconds > 0) return tooManyRequests(seconds)
  const { accepted, response } = await submit(input, config, deps)
  const page = accepted ? config.redirectSuccess : config.redirectError
  return page !== undefined && isFormPost(input, config) ? redirectResponse(page) : response
}

/** By specification, any error becomes a response with 500 and the error's string form. */
async function submit(input: FormInput, config: FormConfig, deps: FormDeps): Promise<Outcome> {
  try {
    const fields = await readFields(input, config)
    if (config.honeypot !== undefined && fields[config.honeypot]) {
      return { accepted: true, response: HONEYPOT_RESPONSE }
    }
    const reply = await callWebhook(JSON.stringify(toForm(fields)), config, deps)
    return { accepted: reply.ok, response: jsonResponse(dataOf(reply)) }
  } catch (error) {
    return { accepted: false, response: exceptionResponse(error) }
  }
}
