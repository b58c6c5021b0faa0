import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Problem } from '../contract.ts'
import type { Json } from '../document/json.ts'
import type { Diagnostic, Incoming, Outgoing } from '../message.ts'
import type { Operation, ResponseModel } from '../model/api.ts'
import type { RequestValues } from '../request/check.ts'
import type { FaultName } from '../serve/faults.ts'
import type { ServedApi } from '../served-api.ts'

/** A request whose body may not be complete yet. */
export type Arrival = Incoming & {
  stream?: Readable | undefined
  httpVersion?: string | undefined
  /** Whose connection is counted while the response is delayed. */
  request?: IncomingMessage | undefined
}

/** A response whose body may be a stream; `body` is then undefined. */
export type OutgoingResponse = Outgoing & { stream?: Readable | undefined }

/** One request, its response, and the results of processing it. */
export interface Exchange {
  /** As the client sent it. */
  readonly arrived: Arrival
  /** The request after the rules of the request phase. */
  incoming: Arrival
  outgoing: OutgoingResponse
  api: ServedApi | undefined
  operation: Operation | undefined
  /** The response of the document that was used. */
  response: ResponseModel | undefined
  /** Key of the example that was sent. */
  example: string | undefined
  /** As in `sl-violations`: each location starts with `request` or `response`. */
  diagnostics: readonly Diagnostic[]
  problem: Problem | undefined
  /** Whether the response came from the upstream. */
  forwarded: boolean
  milliseconds: number
  /** Values by the names in the path template, percent-encoded. */
  pathValues: ReadonlyMap<string, string> | undefined
  /** Values of the request, typed as documented; undefined before validation. */
  values: RequestValues | undefined
  /** Value of the response body, if it is already known. */
  value: { value: Json | undefined } | undefined
  /** Whether a hook produced the response. */
  isSent: boolean
  session: string | undefined
  seed: string | undefined
  /** Delay in milliseconds that the client asked for. */
  delay: number | undefined
  /** Fault to simulate when the response is sent. */
  fault: FaultName | undefined
  /** Frees the slot of a delayed request; to be called at the end of its response. */
  release: (() => void) | undefined
  /** Diagnostics of rules that could not be applied. */
  remarks: readonly Diagnostic[]
  /** Number of its journal entry; undefined if it is not recorded. */
  entryId: number | undefined
}

const NONE: readonly Diagnostic[] = []
const UNANSWERED: OutgoingResponse = { status: 500, headers: {}, body: undefined }

export function openExchange(incoming: Arrival): Exchange {
  return {
    arrived: incoming,
    incoming,
    outgoing: UNANSWERED,
    api: undefined,
    operation: undefined,
    response: undefined,
    example: undefined,
    diagnostics: NONE,
    problem: undefined,
    forwarded: false,
    milliseconds: 0,
    pathValues: undefined,
    values: undefined,
    value: undefined,
    isSent: false,
    session: undefined,
    seed: undefined,
    delay: undefined,
    fault: undefined,
    release: undefined,
    remarks: NONE,
    entryId: undefined
  }
}
