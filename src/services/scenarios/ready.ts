import type { IncomingMessage } from 'node:http'
import type { BaseUrl } from '../../kernel/base-url.ts'
import { createCache } from '../../kernel/cache.ts'
import { type PreparedResponse, prepareBody, sendPrepared } from '../../kernel/prepared-response.ts'
import type { AnswerReady } from '../../kernel/service.ts'
import type { Answer } from './answer.ts'
import { COMMON_HEADERS } from './contract.ts'
import { hasOurCookie } from './cors.ts'
import type { Visit } from './visit.ts'

const MAX_ANSWERS = 2000
const MAX_URL_LENGTH = 256

/** Parameters that make the answer depend on more than the address. */
const LIVELY = ['scenario', 'workspace', 'delay', 'seed']

/** The parts of a call that decide whether its answer is kept. */
export interface AnsweredCall {
  readonly request: IncomingMessage
  readonly method: string
  readonly visit: Visit
  readonly route: { readonly isResource?: true }
  readonly workspace: object | undefined
  readonly selection: { readonly size: number }
}

export interface ReadyAnswers {
  answerReady: AnswerReady
  /** Keeps an answer of public mode that will be the same next time. */
  keep: (call: AnsweredCall, answer: Answer) => void
}

/** Answers of public mode are the same for everybody: they are rendered once per address. */
export function createReadyAnswers(baseUrl: BaseUrl, isAlways: boolean): ReadyAnswers {
  const answers = createCache<PreparedResponse>(MAX_ANSWERS)

  const keyOf = (request: IncomingMessage, url: string) => `${baseUrl(request)} ${url}`

  return {
    answerReady(request, response) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return false
      const ready = answers.get(keyOf(request, request.url ?? ''))
      if (ready === undefined || asksForMore(request)) return false
      sendPrepared(request, response, ready)
      return true
    },
    keep({ request, visit, ...call }, { status, headers, body }) {
      const { url } = visit
      const isPlain = isAlways && call.route.isResource && call.method === 'GET' && status === 200
      if (!isPlain || call.workspace !== undefined || call.selection.size > 0) return
      if (LIVELY.some((name) => visit.parameters.has(name)) || asksForMore(request)) return
      if (url.length > MAX_URL_LENGTH || typeof body !== 'string') return
      answers.set(keyOf(request, url), prepare(headers, body))
    }
  }
}

function asksForMore(request: IncomingMessage): boolean {
  const { headers } = request
  return (
    headers['x-workspace'] !== undefined ||
    headers['x-scenario'] !== undefined ||
    headers['x-seed'] !== undefined ||
    (headers.cookie !== undefined && hasOurCookie(request))
  )
}

function prepare(headers: Readonly<Record<string, string>>, text: string): PreparedResponse {
  const { 'content-type': _, ...notModified } = headers
  const identity = prepareBody(
    Buffer.from(text),
    (headers.etag ?? '').replace(/^W\//, ''),
    { ...COMMON_HEADERS, ...headers },
    { ...COMMON_HEADERS, ...notModified }
  )
  return { status: 200, identity, gzip: undefined, modified: undefined }
}
