import { ControlInvalid } from '../contract.ts'
import { matchesGlob } from './glob.ts'

/** A rule such as "the third GET /api/users fails", set from outside of the page under test. */
export interface Rule {
  readonly method?: string
  /** `*` is anything but a slash, `**` anything. */
  readonly path?: string
  /** The first matching call that gets the scenario, from 1. */
  readonly nth?: number
  /** How many matching calls get it. */
  readonly times?: number
  readonly scenario: string
}

/** Throws if the string does not name scenarios. */
type CheckSpec = (spec: string) => void

const MAX_RULES = 100
const MAX_PATH_LENGTH = 500
const KEYS = ['method', 'path', 'nth', 'times', 'scenario']

/** Throws an error for the client if the value is not an array of rules. */
export function readRules(value: unknown, checkSpec: CheckSpec): Rule[] {
  if (!Array.isArray(value)) throw new ControlInvalid('Rules must be an array of objects')
  if (value.length > MAX_RULES) throw new ControlInvalid(`At most ${MAX_RULES} rules are allowed`)
  return value.map((rule, index) => readRule(rule, index, checkSpec))
}

function readRule(value: unknown, index: number, checkSpec: CheckSpec): Rule {
  const reject = (text: string) => new ControlInvalid(`Rule ${index + 1}: ${text}`)
  if (typeof value !== 'object' || value === null) throw reject('must be an object')
  const { method, path, nth, times, scenario, ...others }: Record<string, unknown> = { ...value }
  const [other] = Object.keys(others)
  if (other !== undefined) throw reject(`unknown key ${other}; known keys: ${KEYS.join(', ')}`)
  if (typeof scenario !== 'string') throw reject('scenario must be a string')
  checkSpec(scenario)
  if (method !== undefined && !(typeof method === 'string' && /^[A-Za-z]{1,20}$/.test(method))) {
    throw reject('method must be a string such as GET')
  }
  if (path !== undefined && !(typeof path === 'string' && path.length <= MAX_PATH_LENGTH)) {
    throw reject(`path must be a string of at most ${MAX_PATH_LENGTH} characters`)
  }
  if (!isCount(nth) || !isCount(times))
    throw reject('nth and times must be whole numbers, 1 or greater')
  return {
    ...(method === undefined ? {} : { method: method.toUpperCase() }),
    ...(path === undefined ? {} : { path }),
    ...(nth === undefined ? {} : { nth }),
    ...(times === undefined ? {} : { times }),
    scenario
  }
}

function isCount(value: unknown): value is number | undefined {
  return value === undefined || (Number.isSafeInteger(value) && Number(value) >= 1)
}

export function matchesRule({ method, path }: Rule, asked: { method: string; path: string }) {
  if (method !== undefined && method !== asked.method) return false
  return path === undefined || matchesGlob(path, asked.path)
}

/** Whether the rule applies to the n-th matching request. */
export function isDue({ nth, times }: Rule, n: number): boolean {
  const first = nth ?? 1
  const count = times ?? (nth === undefined ? Number.POSITIVE_INFINITY : 1)
  return n >= first && n < first + count
}

/** Whether the rule requires that requests are counted. */
export function isCounted({ nth, times }: Rule): boolean {
  return nth !== undefined || times !== undefined
}
