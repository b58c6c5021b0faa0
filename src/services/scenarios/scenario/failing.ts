import { JSON_TYPE } from '../contract.ts'
import { draw, isChosen } from '../data/hash-random.ts'
import { type ApiResponse, json, simpleError } from '../http/response.ts'
import { countCall, countWithin, type RequestContext } from '../pipeline/request-context.ts'
import { defineScenario, readNothing, readWhole, wholeOf } from './definition.ts'

const MAX_COUNT = 1_000_000
const SECOND_MS = 1000
const HTML_TYPE = 'text/html; charset=utf-8'

interface Share {
  readonly share: number
  readonly of: number
}

interface Repeated {
  readonly n: number
  readonly status: number
}

/** Parsed `max/secs`; `now` is true for `rate-limit:now`. */
interface Rate {
  readonly limit: number
  readonly width: number
  readonly now: boolean
}

const MAX_BLOCK = 1000

function readPair(text: string | undefined, most: number): [number, number] | undefined {
  const [first, second, ...others] = (text ?? '').split('/')
  const pair = [wholeOf(first, 0, most), wholeOf(second, 1, most)]
  const [a, b] = pair
  return others.length > 0 || a === undefined || b === undefined ? undefined : [a, b]
}

function readRepeated(count: number, standard: number) {
  return (args: readonly string[]): Repeated | undefined => {
    const n = wholeOf(args[0] ?? String(count), 1, MAX_COUNT)
    const status = wholeOf(args[1] ?? String(standard), 400, 599)
    return args.length > 2 || n === undefined || status === undefined ? undefined : { n, status }
  }
}

export const flaky = defineScenario<Share>({
  name: 'flaky',
  usage: 'flaky[:a/b]',
  about:
    'responds with 503 to a of every b requests (default 1/3), chosen by the seed, or by X-Request-Key if present',
  example: 'GET /api/users?scenario=flaky:1/3',
  read(args) {
    if (args.length > 1) return undefined
    const [share, of] = readPair(args[0] ?? '1/3', MAX_BLOCK) ?? []
    return share === undefined || of === undefined || share > of ? undefined : { share, of }
  },
  async before(call, share) {
    const key = call.request.headers['x-request-key']
    const fails =
      typeof key === 'string'
        ? draw(call.seed, 'flaky', key) < share.share / share.of
        : isChosen(
            await countCall(call, 'flaky'),
            share,
            ...([call.seed, 'flaky', call.method, call.route.pattern] as const)
          )
    if (!fails) return undefined
    call.applied.add('flaky')
    return simpleError(503)
  }
})

export const failFirst = defineScenario<Repeated>({
  name: 'fail-first',
  usage: 'fail-first[:n[:status]]',
  about:
    'the first n requests (default 2) fail with that status (default 503); later requests succeed',
  example: 'GET /api/users?scenario=fail-first:2',
  read: readRepeated(2, 503),
  async before(call, { n, status }) {
    if ((await countCall(call, 'fail-first')) > n) return undefined
    call.applied.add('fail-first')
    return simpleError(status)
  }
})

export const every = defineScenario<Repeated>({
  name: 'every',
  usage: 'every[:n[:status]]',
  about: 'every n-th request (default 3) fails with that status (default 500)',
  example: 'GET /api/users?scenario=every:2',
  read: readRepeated(3, 500),
  async before(call, { n, status }) {
    if ((await countCall(call, 'every')) % n !== 0) return undefined
    call.applied.add('every')
    return simpleError(status)
  }
})

export const status = defineScenario<{ code: number; text: string | undefined }>({
  name: 'status',
  usage: 'status:code[:text]',
  about: 'responds with that status and {"error":"<reason phrase, or your text>"}',
  example: 'GET /api/users?scenario=status:503',
  read([first, text, ...others]) {
    const code = wholeOf(first, 200, 599)
    return others.length > 0 || code === undefined ? undefined : { code, text }
  },
  async before(call, { code, text }) {
    call.applied.add('status')
    const response = simpleError(code, text)
    return code === 204 || code === 205 || code === 304 ? { status: code, headers: {} } : response
  }
})

export const rateLimit = defineScenario<Rate>({
  name: 'rate-limit',
  usage: 'rate-limit[:max/secs] or rate-limit:now',
  about:
    'limits the rate to max requests in secs seconds (default 5/60): above it 429 with Retry-After; every response has RateLimit-* headers',
  example: 'GET /api/users?scenario=rate-limit:2/30',
  read(args) {
    if (args.length > 1) return undefined
    if (args[0] === 'now') return { limit: 0, width: 60 * SECOND_MS, now: true }
    const [limit, secs] = readPair(args[0] ?? '5/60', MAX_COUNT) ?? []
    if (limit === undefined || secs === undefined) return undefined
    return { limit, width: secs * SECOND_MS, now: false }
  },
  async before(call, { limit, width, now }) {
    call.applied.add('rate-limit')
    const time = call.now()
    const { n, since } = now
      ? { n: 1, since: time }
      : await countWithin(call, `rate-limit ${limit}/${width}`, width)
    const wait = Math.max(1, Math.ceil((since + width - time) / SECOND_MS))
    tellRate(call, limit, Math.max(0, limit - n), wait, since + width)
    if (n <= limit) return undefined
    const headers = { 'retry-after': String(wait) }
    return json({ error: 'Too many requests', retry_after: wait }, 429, headers)
  }
})

function tellRate(
  call: RequestContext,
  limit: number,
  left: number,
  wait: number,
  endsAt: number
): void {
  Object.assign(call.headers, {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(left),
    'ratelimit-reset': String(wait),
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(left),
    'x-ratelimit-reset': String(Math.ceil(endsAt / SECOND_MS))
  })
}

export const maintenance = defineScenario<number>({
  name: 'maintenance',
  usage: 'maintenance[:secs]',
  about: 'responds with 503, Retry-After (default 120 s) and the end of the maintenance',
  example: 'GET /api/users?scenario=maintenance:30',
  read: readWhole(120, 1, 31_536_000),
  async before(call, seconds) {
    call.applied.add('maintenance')
    const until = new Date(call.now() + seconds * SECOND_MS).toISOString()
    const headers = { 'retry-after': String(seconds) }
    return json({ error: 'Service under maintenance', until }, 503, headers)
  }
})

const GATEWAY_PAGE =
  '<!doctype html><html lang="en"><head><title>502 Bad Gateway</title></head>' +
  '<body><h1>Bad Gateway</h1><p>The upstream server sent an invalid response.</p></body></html>\n'

export const badGateway = defineScenario({
  name: 'bad-gateway',
  usage: 'bad-gateway',
  about: 'responds with 502 and an HTML page, for clients that parse every response as JSON',
  example: 'GET /api/users?scenario=bad-gateway',
  read: readNothing,
  async before(call) {
    call.applied.add('bad-gateway')
    return { status: 502, headers: { 'content-type': HTML_TYPE }, body: GATEWAY_PAGE }
  }
})

/** JSON that ends in the middle of a record. */
const CUT_JSON = '{"page":1,"data":[{"id":1,'

function replaced(
  response: ApiResponse,
  headers: Record<string, string>,
  body: string
): ApiResponse {
  const { 'www-authenticate': _, ...kept } = response.headers
  return { status: 200, headers: { ...kept, ...headers }, body }
}

export const malformedJson = defineScenario({
  name: 'malformed-json',
  usage: 'malformed-json',
  about: 'responds with 200 and application/json, but the JSON is cut off',
  example: 'GET /api/users?scenario=malformed-json',
  read: readNothing,
  after(call, response) {
    call.applied.add('malformed-json')
    return replaced(response, { 'content-type': JSON_TYPE }, CUT_JSON)
  }
})

export const emptyBody = defineScenario({
  name: 'empty-body',
  usage: 'empty-body',
  about: 'responds with 200 and Content-Length: 0',
  example: 'GET /api/users?scenario=empty-body',
  read: readNothing,
  after(call, response) {
    call.applied.add('empty-body')
    return replaced(response, { 'content-type': JSON_TYPE }, '')
  }
})

export const wrongType = defineScenario({
  name: 'wrong-type',
  usage: 'wrong-type',
  about: 'responds with the correct JSON as text/plain',
  example: 'GET /api/users?scenario=wrong-type',
  read: readNothing,
  after(call, response) {
    if (response.body === undefined) return response
    call.applied.add('wrong-type')
    const headers = { ...response.headers, 'content-type': 'text/plain; charset=utf-8' }
    return { ...response, headers }
  }
})
