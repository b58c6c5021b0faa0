import type { Readable } from 'node:stream'
import type { Problem } from '../contract.ts'
import type { Json } from '../document/json.ts'
import type { Diagnostic, Incoming, Outgoing } from '../message.ts'
import type { Operation, ResponseModel } from '../model/api.ts'
import type { RequestValues } from '../request/check.ts'
import type { FaultName } from '../serve/faults.ts'
import type { ServedApi } from '../served-api.ts'

/** A request whose body may still be on its way. */
export type Arrival = Incoming & { stream?: Readable | undefined }

/** An answer whose body may follow as it comes; then there is no other. */
export type OutgoingResponse = Outgoing & { stream?: Readable | undefined }

/** One request and all that came of it. */
export interface Exchange {
  /** As the client sent it. */
  readonly arrived: Arrival
  /** As the rules of the request phase left it. */
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
  /** Whether the upstream gave the answer. */
  forwarded: boolean
  milliseconds: number
  /** By name as in the template, still percent-encoded. */
  pathValues: ReadonlyMap<string, string> | undefined
  /** What the request says, typed as documented; nothing before it was checked. */
  values: RequestValues | undefined
  /** What the body of the answer says, as far as somebody has it at hand. */
  value: { value: Json | undefined } | undefined
  /** Whether a hook gave the answer. */
  isSent: boolean
  session: string | undefined
  seed: string | undefined
  /** How long the client wants to wait. */
  delay: number | undefined
  /** What goes wrong on purpose when the answer is sent. */
  fault: FaultName | undefined
  /** What rules could not do. */
  remarks: readonly Diagnostic[]
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
    remarks: NONE
  }
}
