import { drawBetween } from '../data/hash-random.ts'
import { DROPPED } from '../http/response.ts'
import { countCall } from '../pipeline/request-context.ts'
import { defineScenario, readNothing, wholeOf } from './definition.ts'

const MAX_SLOW_MS = 60_000
const HANG_MS = 300_000
const DEFAULT_SLOW_MS = 2000
const DEFAULT_DRIP_MS = 1000

interface Span {
  readonly least: number
  readonly most: number
}

export const slow = defineScenario<Span>({
  name: 'slow',
  usage: 'slow[:ms] or slow:min-max',
  about: 'waits before the first byte (default 2000 ms, at most 60 s)',
  example: 'GET /api/users?scenario=slow:1500',
  read(args) {
    if (args.length === 0) return { least: DEFAULT_SLOW_MS, most: DEFAULT_SLOW_MS }
    if (args.length > 1) return undefined
    const [first, last = first] = (args[0] ?? '').split('-')
    const least = wholeOf(first, 0, 999_999_999)
    const most = wholeOf(last, 0, 999_999_999)
    if (least === undefined || most === undefined || least > most) return undefined
    return { least: Math.min(least, MAX_SLOW_MS), most: Math.min(most, MAX_SLOW_MS) }
  },
  async before(call, { least, most }) {
    call.applied.add('slow')
    const isFixed = least === most
    const n = isFixed ? 0 : await countCall(call, 'slow')
    const wait = isFixed
      ? least
      : drawBetween(least, most, call.seed, 'slow', call.route.pattern, n)
    const passed = await call.context.held.delay(call.response, wait)
    return passed ? undefined : DROPPED
  }
})

export const hang = defineScenario({
  name: 'hang',
  usage: 'hang',
  about: 'sends no response; the connection is closed after five minutes',
  example: 'GET /api/users?scenario=hang',
  read: readNothing,
  async before(call) {
    call.applied.add('hang')
    await call.context.held.delay(call.response, HANG_MS)
    return DROPPED
  }
})

export const drip = defineScenario<number>({
  name: 'drip',
  usage: 'drip[:ms]',
  about: 'sends the headers at once, then the body in ten parts over that time (default 1000 ms)',
  example: 'GET /api/users?scenario=drip:3000',
  read: (args) =>
    args.length > 1 ? undefined : wholeOf(args[0] ?? String(DEFAULT_DRIP_MS), 0, MAX_SLOW_MS),
  after(call, response, dripMs) {
    call.applied.add('drip')
    return { ...response, dripMs }
  }
})
