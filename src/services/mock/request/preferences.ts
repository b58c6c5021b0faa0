import type { IncomingHttpHeaders } from 'node:http'
import { splitOutsideQuotes, unquote } from '../../../kernel/quoted-string.ts'
import { Problem } from '../contract.ts'
import { FAULTS, type FaultName, isFault } from '../serve/faults.ts'
import type { Query } from './query-string.ts'

/** Options that the client sets with the `Prefer` header or `__` parameters. */
export interface Preferences {
  /** Three digits. */
  code: string | undefined
  example: string | undefined
  dynamic: boolean | undefined
  seed: string | undefined
  /** URL that must be one of the servers of the document; only available as a parameter. */
  server: string | undefined
  /** Milliseconds. */
  delay: number | undefined
  fault: FaultName | undefined
  validate: 'off' | 'request' | 'response' | undefined
  session: string | undefined
}

const MAX_DELAY_MS = 600_000
const MAX_NAME_LENGTH = 200

const NONE: Preferences = Object.freeze({
  code: undefined,
  example: undefined,
  dynamic: undefined,
  seed: undefined,
  server: undefined,
  delay: undefined,
  fault: undefined,
  validate: undefined,
  session: undefined
})

type Given = ReadonlyMap<string, string>

/** With a `Prefer` header, all parameters except `__server` are ignored. */
export function readPreferences(headers: IncomingHttpHeaders, query: Query): Preferences {
  const header = headers.prefer
  if (header === undefined && query.pairs.length === 0) return NONE
  const server = query.byName.get('__server')?.[0]?.value || undefined
  const given = header === undefined ? readTwins(query) : parsePrefer(String(header))
  if (given.size === 0) return server === undefined ? NONE : { ...NONE, server }
  return { ...interpret(given), server }
}

/** Undefined if the preferences are invalid; they may be meant for another server. */
export function readWillingly(headers: IncomingHttpHeaders, query: Query): Preferences | undefined {
  try {
    return readPreferences(headers, query)
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

/** Any string except an empty one is valid for these. */
const FREE_TEXTS = ['example', 'seed']
const KEYS = ['code', 'example', 'dynamic', 'seed', 'delay', 'fault', 'validate', 'session']

function readTwins({ byName }: Query): Given {
  const given = new Map<string, string>()
  for (const key of KEYS) {
    const pair = byName.get(`__${key}`)?.[0]
    if (pair === undefined || (pair.value === '' && FREE_TEXTS.includes(key))) continue
    given.set(key, pair.value)
  }
  return given
}

/**
 * RFC 7240: `key=value` separated by commas, the first value of a key is used. A key without a
 * value has an empty one; parameters after a semicolon are ignored.
 */
function parsePrefer(text: string): Given {
  const given = new Map<string, string>()
  for (const item of splitOutsideQuotes(text, ',')) {
    const [preference = ''] = splitOutsideQuotes(item, ';')
    const equals = preference.indexOf('=')
    const key = (equals === -1 ? preference : preference.slice(0, equals)).trim().toLowerCase()
    const value = equals === -1 ? '' : unquote(preference.slice(equals + 1).trim())
    if (!KEYS.includes(key) || given.has(key)) continue
    if (value === '') throw reject(`Preference ${key} requires a value.`)
    given.set(key, value)
  }
  return given
}

function interpret(given: Given): Preferences {
  return {
    code: pattern(given, 'code', /^\d{3}$/, 'three digits'),
    example: given.get('example'),
    dynamic: readDynamic(given.get('dynamic')),
    seed: given.get('seed'),
    server: undefined,
    delay: readDelay(given.get('delay')),
    fault: readFault(given.get('fault')),
    validate: readValidate(given.get('validate')),
    session: readSession(given.get('session'))
  }
}

function pattern(given: Given, key: string, form: RegExp, words: string): string | undefined {
  const value = given.get(key)
  if (value !== undefined && !form.test(value)) throw reject(`Preference ${key} must be ${words}.`)
  return value
}

function readDynamic(value: string | undefined): boolean | undefined {
  if (value === undefined) return undefined
  if (value === 'true' || value === 'false') return value === 'true'
  throw reject('Preference dynamic must be true or false.')
}

function readDelay(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const delay = /^\d{1,7}$/.test(value) ? Number(value) : Number.NaN
  if (delay <= MAX_DELAY_MS) return delay
  throw reject(`Preference delay must be milliseconds from 0 to ${MAX_DELAY_MS}.`)
}

function readFault(value: string | undefined): FaultName | undefined {
  if (value === undefined || isFault(value)) return value
  throw reject(`Preference fault must be one of ${Object.keys(FAULTS).join(', ')}.`)
}

function readValidate(value: string | undefined): Preferences['validate'] {
  if (value === undefined || value === 'off' || value === 'request' || value === 'response') {
    return value
  }
  throw reject('Preference validate must be off, request or response.')
}

function readSession(value: string | undefined): string | undefined {
  if (value === undefined || (value !== '' && value.length <= MAX_NAME_LENGTH)) return value
  throw reject(`Preference session must be a name of 1 to ${MAX_NAME_LENGTH} characters.`)
}

function reject(detail: string): Problem {
  return new Problem('UNPROCESSABLE_ENTITY', detail)
}
