import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BaseUrl } from '../../kernel/base-url.ts'
import { matchesEtag } from '../../kernel/etag.ts'
import type { AnswerReady } from '../../kernel/service.ts'
import type { Answer } from './answer.ts'
import type { Call } from './call.ts'
import { COMMON_HEADERS } from './contract.ts'
import { hasOurCookie } from './cors.ts'

const MAX_ANSWERS = 2000
const MAX_URL_LENGTH = 256
const BYTES = 'latin1'

interface Ready {
  /** One character per byte: `http` sends a string together with the head in one write. */
  readonly body: string
  readonly etag: string
  /** Names and values in turn, as `writeHead` takes them without copying. */
  readonly headers: string[]
  readonly unchangedHeaders: string[]
}

/** Parameters that make the answer depend on more than the address. */
const LIVELY = ['scenario', 'workspace', 'delay', 'seed']

export interface ReadyAnswers {
  answerReady: AnswerReady
  /** Keeps an answer of public mode that will be the same next time. */
  keep: (call: Call, answer: Answer) => void
}

/** Answers of public mode are the same for everybody: they are rendered once per address. */
export function createReadyAnswers(baseUrl: BaseUrl, isAlways: boolean): ReadyAnswers {
  const answers = new Map<string, Ready>()

  const keyOf = (request: IncomingMessage, url: string) => `${baseUrl(request)} ${url}`

  return {
    answerReady(request, response) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return false
      const ready = answers.get(keyOf(request, request.url ?? ''))
      if (ready === undefined || asksForMore(request)) return false
      sendReady(request, response, ready)
      return true
    },
    keep({ request, visit, ...call }, { status, headers, body }) {
      const { url } = visit
      const isPlain = isAlways && call.route.isResource && call.method === 'GET' && status === 200
      if (!isPlain || call.workspace !== undefined || call.selection.size > 0) return
      if (LIVELY.some((name) => visit.parameters.has(name)) || asksForMore(request)) return
      if (url.length > MAX_URL_LENGTH || typeof body !== 'string') return
      if (answers.size >= MAX_ANSWERS) answers.clear()
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

function prepare(headers: Readonly<Record<string, string>>, text: string): Ready {
  const body = Buffer.from(text)
  const { 'content-type': _, ...unchanged } = headers
  const own = { ...COMMON_HEADERS, ...headers, 'content-length': String(body.length) }
  return {
    body: body.toString(BYTES),
    etag: (headers.etag ?? '').replace(/^W\//, ''),
    headers: Object.entries(own).flat(),
    unchangedHeaders: Object.entries({ ...COMMON_HEADERS, ...unchanged }).flat()
  }
}

function sendReady(request: IncomingMessage, response: ServerResponse, ready: Ready): void {
  const tags = request.headers['if-none-match']
  if (tags !== undefined && matchesEtag(tags, ready.etag)) {
    response.writeHead(304, ready.unchangedHeaders)
    response.end()
    return
  }
  response.writeHead(200, ready.headers)
  response.end(ready.body, BYTES)
}
