/**
 * Limits the work that a mail server can cause. imapflow 2.1.2 has no hook for it, so this replaces
 * `handleResponse`, which it calls with each response before parsing it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ImapFlow } from 'imapflow'
import { connectionLost } from './contract.ts'
import { takeLine } from './line-sinks.ts'
import { parseSearchLine } from './search-line.ts'

/** Responses are parsed for so long before others get a turn. */
const TURN_MS = 10
/** Of a line that imapflow parses, which takes up to 3 µs a byte without a pause. */
const MAX_LINE_BYTES = 512 * 1024

/** Of QRESYNC; imapflow would take half a minute for a large range. */
const VANISHED = /^\* VANISHED/i

/** A response: its text without literals, and these. */
interface Response {
  readonly payload: Buffer
  readonly literals?: readonly Buffer[]
}

type Handle = (response: Response) => Promise<boolean>
type UntaggedHandler = (parsed: object) => Promise<void>

export interface ResponseCount {
  /** The beginning of the line. */
  readonly line: string
  readonly lineBytes: number
  readonly literalBytes: number
  /** Whether imapflow neither parses nor collects it. */
  readonly isTaken?: boolean
}

/** `onResponse` is called before a response is parsed; an error that it throws ends the connection. */
export function guardResponses(
  client: ImapFlow,
  onResponse: (response: ResponseCount) => void
): void {
  const handle: unknown = Reflect.get(client, 'handleResponse')
  const findHandler: unknown = Reflect.get(client, 'getUntaggedHandler')
  if (!isFunction<Handle>(handle) || !isFunction(findHandler)) {
    throw new Error('This version of imapflow has no handleResponse')
  }
  let turnBegan = performance.now()
  let isEnded = false

  function count({ payload, literals = [] }: Response): ResponseCount {
    return {
      isTaken: literals.length === 0 && takeLine(client, payload),
      line: payload.toString('latin1', 0, 64),
      lineBytes: payload.length,
      literalBytes: literals.reduce((sum, { length }) => sum + length, 0)
    }
  }

  /** Many lines may arrive at once, also of those that take no time each. */
  async function giveWay(): Promise<void> {
    if (performance.now() - turnBegan <= TURN_MS) return
    await nextTurn()
    turnBegan = performance.now()
  }

  const guarded: Handle = async (response) => {
    const { payload } = response
    // What was received before the connection closes.
    if (isEnded) return false
    try {
      const counted = count(response)
      onResponse(counted)
      if (counted.isTaken || VANISHED.test(counted.line)) {
        await giveWay()
        return true
      }
      const numbers = parseSearchLine(payload)
      if (numbers !== undefined) {
        const handler = Reflect.apply(findHandler, client, ['SEARCH', numbers])
        const parsed = { tag: '*', command: 'SEARCH', attributes: numbers }
        if (isFunction<UntaggedHandler>(handler)) await handler(parsed)
        return true
      }
      if (payload.length > MAX_LINE_BYTES) {
        throw connectionLost('The mail server sends lines that are too long')
      }
    } catch (error) {
      isEnded = true
      client.emit('error', error)
      client.closeAfter()
      return false
    }
    await giveWay()
    return Reflect.apply(handle, client, [response])
  }
  Reflect.set(client, 'handleResponse', guarded)
}

function isFunction<T = (...args: never[]) => unknown>(value: unknown): value is T {
  return typeof value === 'function'
}
