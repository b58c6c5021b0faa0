/** Requests of the demo application: scenarios from the panel, retries and a log. */

export interface LoggedCall {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly milliseconds: number
  readonly applied: string | null
}

export interface Network {
  readonly home: string
  /** Scenarios that are selected in the panel. */
  readonly scenario: () => string
  readonly token: () => string | undefined
  readonly noteCall: (call: LoggedCall) => void
  readonly noteRetry: (reason: string, attempt: number, attempts: number) => void
}

/** A response that the application cannot use. */
export class Rejection extends Error {
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

const ATTEMPTS = 4
const FIRST_PAUSE_MS = 300
const LONGEST_PAUSE_MS = 5000
/** Statuses that may be temporary; 0 is a network error. */
const PASSING = [0, 408, 429, 502, 503, 504]

export async function call(
  network: Network,
  method: string,
  path: string,
  body?: object
): Promise<Record<string, unknown>> {
  for (let attempt = 1; ; attempt++) {
    const { rejection, value, pauseMs } = await tryOnce(network, method, path, body)
    if (rejection === undefined) return value
    if (!PASSING.includes(rejection.status) || attempt === ATTEMPTS) throw rejection
    network.noteRetry(rejection.message, attempt + 1, ATTEMPTS)
    await new Promise((resolve) => setTimeout(resolve, pauseMs ?? FIRST_PAUSE_MS * 2 ** attempt))
  }
}

interface Attempt {
  readonly rejection?: Rejection
  readonly value: Record<string, unknown>
  readonly pauseMs?: number
}

async function tryOnce(
  network: Network,
  method: string,
  path: string,
  body: object | undefined
): Promise<Attempt> {
  const url = new URL(network.home + path, location.href)
  const scenario = network.scenario()
  if (scenario !== '') url.searchParams.set('scenario', scenario)
  const token = network.token()
  const headers: Record<string, string> = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' })
  }
  const began = performance.now()
  const note = (status: number, applied: string | null) =>
    network.noteCall({ method, path, status, milliseconds: performance.now() - began, applied })
  try {
    const response = await fetch(url, { method, headers, body: body ? JSON.stringify(body) : null })
    const text = await response.text()
    note(response.status, response.headers.get('x-scenario-applied'))
    return readResponse(response, text)
  } catch {
    note(0, null)
    return { rejection: new Rejection('The connection was lost', 0), value: {} }
  }
}

function readResponse(response: Response, text: string): Attempt {
  const value = parse(text)
  if (response.ok) {
    const isUsable = text === '' || value !== undefined
    const rejection = new Rejection('The response cannot be read', response.status)
    return isUsable ? { value: value ?? {} } : { rejection, value: {} }
  }
  const told = typeof value?.error === 'string' ? value.error : response.statusText
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const rejection = new Rejection(`${response.status} ${told}`, response.status)
  if (!(seconds >= 0)) return { rejection, value: {} }
  return { rejection, value: {}, pauseMs: Math.min(seconds * 1000, LONGEST_PAUSE_MS) }
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}
