import type { IncomingHttpHeaders } from 'node:http'
import { cutText } from '../../kernel/cut-text.ts'
import type { Kernel } from '../../kernel/service.ts'
import { RESPONSE_MAX_BYTES } from './config.ts'
import type { FormOptions } from './start-check.ts'

/** Fields of the form to try; `message` shows what becomes of other fields. */
export const TRIAL_FIELDS = ['email', 'fullName', 'message'] as const
const MAX_SHOWN = 2000
/** Time in which the function responds, after its own timeouts. */
const EXTRA_MS = 5000
/** A string of 1 MiB can become longer when it is encoded as JSON. */
const MAX_BYTES = 8 * RESPONSE_MAX_BYTES
const BROWSER_HEADERS = [
  'user-agent',
  'accept-language',
  'sec-ch-ua',
  'sec-ch-ua-mobile',
  'sec-ch-ua-platform'
]

/** The response of the function to the form of the console's page. */
export interface Trial {
  readonly number: number
  /** Undefined if the function did not respond; the text then tells why. */
  readonly status: number | undefined
  readonly location: string | undefined
  readonly text: string
}

export interface Trials {
  /** Sends the fields to the function with the headers of this browser. */
  run: (fields: URLSearchParams, headers: IncomingHttpHeaders) => Promise<Trial>
  /** The last trial if it has this number. */
  find: (number: number) => Trial | undefined
}

export function createTrials(
  { origins, timeoutMs }: FormOptions,
  { outbound, localUrl }: Pick<Kernel, 'outbound' | 'localUrl'>
): Trials {
  // A page of an allowed origin; without a setting, the function does not look at the origin.
  const origin = origins.find((allowed) => allowed !== '*')
  let last: Trial | undefined

  async function send(fields: URLSearchParams, browser: IncomingHttpHeaders): Promise<Response> {
    const isForm = fields.get('as') === 'form'
    const values = TRIAL_FIELDS.map((name): [string, string] => [name, fields.get(name) ?? ''])
    return outbound.fetch(`${localUrl()}/`, {
      method: 'POST',
      headers: {
        ...browserHeaders(browser),
        accept: isForm ? 'text/html,application/xhtml+xml,*/*;q=0.8' : '*/*',
        'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
        ...(origin === undefined ? {} : { origin })
      },
      body: isForm ? String(new URLSearchParams(values)) : JSON.stringify(fromPairs(values)),
      timeoutMs: 2 * timeoutMs + EXTRA_MS,
      maxBytes: MAX_BYTES,
      named: true,
      toConsole: true
    })
  }

  return {
    async run(fields, browser) {
      const result = await send(fields, browser).then(describe, describeError)
      last = { ...result, number: (last?.number ?? 0) + 1 }
      return last
    },
    find: (number) => (last?.number === number ? last : undefined)
  }
}

type Result = Omit<Trial, 'number'>

async function describe(response: Response): Promise<Result> {
  return {
    status: response.status,
    location: response.headers.get('location') ?? undefined,
    text: cutText(await response.text(), MAX_SHOWN)
  }
}

function describeError(error: unknown): Result {
  const text = `The function did not respond: ${error instanceof Error ? error.message : 'unknown error'}`
  return { status: undefined, location: undefined, text }
}

/** An empty field is left out, as front ends do. */
function fromPairs(pairs: readonly [string, string][]): Record<string, string> {
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''))
}

function browserHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    BROWSER_HEADERS.flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    })
  )
}
