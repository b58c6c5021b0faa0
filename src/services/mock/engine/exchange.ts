import type { Readable } from 'node:stream'
import type { Problem } from '../contract.ts'
import type { Diagnostic, Incoming, Outgoing } from '../message.ts'
import type { Operation, ResponseModel } from '../model/api.ts'
import type { RequestValues } from '../request/check.ts'
import type { ServedApi } from '../served-api.ts'

/** A request whose body may still be on its way. */
export type Arrival = Incoming & { stream?: Readable | undefined }

/** An answer whose body may follow as it comes; then there is no other. */
export type Answer = Outgoing & { stream?: Readable | undefined }

/** One request and all that came of it. */
export interface Exchange {
  readonly incoming: Arrival
  outgoing: Answer
  api: ServedApi | undefined
  operation: Operation | undefined
  /** The response of the document that was used. */
  response: ResponseModel | undefined
  /** Key of the example that was sent. */
  example: string | undefined
  /** Values of the parameters that the client sent; nothing when none were looked for. */
  sent: RequestValues | undefined
  /** As in `sl-violations`: each location starts with `request` or `response`. */
  diagnostics: readonly Diagnostic[]
  problem: Problem | undefined
  /** Whether the upstream gave the answer. */
  forwarded: boolean
  milliseconds: number
}

const UNANSWERED: Answer = { status: 500, headers: {}, body: undefined }

export function openExchange(incoming: Arrival): Exchange {
  return {
    incoming,
    outgoing: UNANSWERED,
    api: undefined,
    operation: undefined,
    response: undefined,
    example: undefined,
    sent: undefined,
    diagnostics: [],
    problem: undefined,
    forwarded: false,
    milliseconds: 0
  }
}
