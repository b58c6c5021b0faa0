/** Calls of the demo application: scenarios from the panel, retries, and a log of all of it. */

export interface Call {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly milliseconds: number
  readonly applied: string | null
}

export interface Network {
  readonly home: string
  /** What the panel asks for at this moment. */
  readonly scenario: () => string
  readonly token: () => string | undefined
  readonly noteCall: (call: Call) => void
  readonly noteRetry: (reason: string, attempt: number, attempts: number) => void
}

/** An answer that is none the application can use. */
export class Refusal extends Error {
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

const ATTEMPTS = 4
const FIRST_PAUSE_MS = 300
const LONGEST_PAUSE_MS = 5000
/** What may be better in a moment. */
const PASSING = [0, 408, 429, 502, 503, 504]

export async function call(
  network: Network,
  method: string,
  path: string,
  body?: object
): Promise<Record<string, unknown>> {
  for (let attempt = 1; ; attempt++) {
    const { refusal, value, pauseMs } = await tryOnce(network, method, path, body)
    if (refusal === undefined) return value
    if (!PASSING.includes(refusal.status) || attempt === ATTEMPTS) throw refusal
    network.noteRetry(refusal.message, attempt + 1, ATTEMPTS)
    await new Promise((resolve) => setTimeout(resolve, pauseMs ?? FIRST_PAUSE_MS * 2 ** attempt))
  }
}

interface Attempt {
  readonly refusal?: Refusal
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
    const answer = await fetch(url, { method, headers, body: body ? JSON.stringify(body) : null })
    const text = await answer.text()
    note(answer.status, answer.headers.get('x-scenario-applied'))
    return readAnswer(answer, text)
  } catch {
    note(0, null)
    return { refusal: new Refusal('The connection was lost', 0), value: {} }
  }
}

function readAnswer(answer: Response, text: string): Attempt {
  const value = parse(text)
  if (answer.ok) {
    const isUsable = text === '' || value !== undefined
    const refusal = new Refusal('The response cannot be read', answer.status)
    return isUsable ? { value: value ?? {} } : { refusal, value: {} }
  }
  const told = typeof value?.error === 'string' ? value.error : answer.statusText
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN)
  const refusal = new Refusal(`${answer.status} ${told}`, answer.status)
  if (!(seconds >= 0)) return { refusal, value: {} }
  return { refusal, value: {}, pauseMs: Math.min(seconds * 1000, LONGEST_PAUSE_MS) }
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}
