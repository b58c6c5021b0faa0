import type { FormConfig, FormDeps, FormInput } from './config.ts'
import {
  exceptionAnswer,
  type FormAnswer,
  jsonAnswer,
  ORIGIN_REFUSED,
  PREFLIGHT_PASSED,
  redirectAnswer,
  TRAP_ANSWER,
  tooManyRequests
} from './contract.ts'
import { isEmpty, isFormPost, readFields, toForm } from './form.ts'
import { isForeign, withCors } from './origins.ts'
import { callWebhook, dataOf } from './webhook.ts'

export type { FormConfig, FormDeps, FormInput, Send, SendAnswer, SendRequest } from './config.ts'
export type { FormAnswer } from './contract.ts'

interface Outcome {
  accepted: boolean
  answer: FormAnswer
}

/** I-5 in one call, on web-standard APIs only: it runs wherever there is `fetch`. */
export async function forward(
  input: FormInput,
  config: FormConfig,
  deps: FormDeps = {}
): Promise<FormAnswer> {
  const { origins = [] } = config
  const answer = await answerTo(input, config, deps, origins)
  return withCors(answer, input.origin, origins)
}

async function answerTo(
  input: FormInput,
  config: FormConfig,
  deps: FormDeps,
  origins: readonly string[]
): Promise<FormAnswer> {
  if (config.enforceOrigin && isForeign(input.origin, origins)) return ORIGIN_REFUSED
  const isPreflight = input.method === 'OPTIONS' && isEmpty(input.rawBody)
  if (isPreflight && origins.length > 0) return PREFLIGHT_PASSED
  const seconds = deps.secondsToWait?.(input.ip ?? '') ?? 0
  if (seconds > 0) return tooManyRequests(seconds)
  const { accepted, answer } = await submit(input, config, deps)
  const page = accepted ? config.redirectSuccess : config.redirectError
  return page !== undefined && isFormPost(input, config) ? redirectAnswer(page) : answer
}

/** Any failure is the answer 500 with the error's string form; the seed wants it so. */
async function submit(input: FormInput, config: FormConfig, deps: FormDeps): Promise<Outcome> {
  try {
    const fields = await readFields(input, config)
    if (config.honeypot !== undefined && fields[config.honeypot]) {
      return { accepted: true, answer: TRAP_ANSWER }
    }
    const reply = await callWebhook(JSON.stringify(toForm(fields)), config, deps)
    return { accepted: reply.ok, answer: jsonAnswer(dataOf(reply)) }
  } catch (error) {
    return { accepted: false, answer: exceptionAnswer(error) }
  }
}
