import type { IncomingHttpHeaders } from 'node:http'
import type { Exchange } from '../engine/exchange.ts'
import {
  bytesOf,
  type Diagnostic,
  MAX_TEXT_BYTES,
  type Outgoing,
  type SentBody
} from '../message.ts'
import type { FaultName } from '../serve/faults.ts'
import { createShare } from './share.ts'

/** One recorded exchange. It references existing objects and is rendered on demand. */
export interface JournalEntry {
  id: number
  /** Time at which the response was ready, in milliseconds since 1970. */
  at: number
  method: string
  path: string
  query: string
  requestHeaders: IncomingHttpHeaders
  /** Beginning of the body; `requestBytes` is the length of the whole body. */
  requestBody: SentBody | undefined
  requestBytes: number
  /** Template, id and document of the operation; undefined if no operation matched. */
  template: string | undefined
  operationId: string | undefined
  document: string | undefined
  status: number
  responseHeaders: Outgoing['headers']
  responseBody: SentBody | undefined
  /** Undefined if the response was streamed without being recorded. */
  responseBytes: number | undefined
  example: string | undefined
  problem: string | undefined
  /** Simulated fault; the response is then the one that would have been sent. */
  fault: FaultName | undefined
  forwarded: boolean
  diagnostics: readonly Diagnostic[]
  milliseconds: number
  /** Size of the entry, which counts towards `MAX_BYTES`. */
  size: number
}

export interface JournalCounts {
  /** Number of entries since the start or the last clearing. */
  recorded: number
  kept: number
  bytes: number
  /** Id of the latest entry, also if it is no longer kept. */
  last: number
}

export interface Journal {
  /** Sets `entryId` of the exchange. */
  record: (exchange: Exchange) => void
  /** Entries, latest first. */
  list: () => Iterable<JournalEntry>
  find: (id: number) => JournalEntry | undefined
  counts: () => JournalCounts
  clear: () => void
  /** Calls `told` for each new entry; the returned function ends this. */
  watch: (told: (entry: JournalEntry) => void) => () => void
}

export const MAX_ENTRIES = 1000
export const MAX_BYTES = 16 * 1024 * 1024
/** Number of bytes that are kept of each body; bodies that are strings are never longer. */
export const MAX_BODY_BYTES = MAX_TEXT_BYTES
const MAX_DIAGNOSTICS = 100
/** Approximate size of an entry without its strings, and of a diagnostic with its message. */
const ENTRY_BYTES = 512
const DIAGNOSTIC_BYTES = 256

export function createJournal(): Journal {
  /** Slots are reused, because new objects that live for a while are expensive to collect. */
  const slots: JournalEntry[] = []
  const told = new Set<(entry: JournalEntry) => void>()
  const keepBody = createKeep()
  const shareSent = createShare<IncomingHttpHeaders>(4)
  const shareResponseHeaders = createShare<Outgoing['headers']>(2)
  let next = 1
  let oldest = 1
  let cleared = 1
  let bytes = 0

  function slotOf(id: number): JournalEntry {
    const index = id % MAX_ENTRIES
    slots[index] ??= { ...EMPTY_ENTRY }
    return slots[index]
  }

  function drop(): void {
    const slot = slotOf(oldest++)
    bytes -= slot.size
    Object.assign(slot, EMPTY_ENTRY)
  }

  function entryOf(id: number): JournalEntry {
    return { ...slotOf(id) }
  }

  return {
    record(exchange) {
      if (next - oldest === MAX_ENTRIES) bytes -= slotOf(oldest++).size
      const entry = slotOf(next)
      entry.id = next++
      exchange.entryId = entry.id
      fill(entry, exchange)
      entry.requestHeaders = shareSent(exchange.arrived.headers)
      entry.responseHeaders = shareResponseHeaders(exchange.outgoing.headers)
      entry.requestBody = keepBody(bodyOf(exchange))
      entry.responseBody = keepBody(exchange.outgoing.body)
      entry.size = sizeOf(entry)
      bytes += entry.size
      while (bytes > MAX_BYTES) drop()
      for (const tell of told) tell({ ...entry })
    },
    *list() {
      for (let id = next - 1; id >= oldest; id--) yield entryOf(id)
    },
    find: (id) => (id >= oldest && id < next ? entryOf(id) : undefined),
    counts: () => ({ recorded: next - cleared, kept: next - oldest, bytes, last: next - 1 }),
    clear() {
      slots.length = 0
      oldest = next
      cleared = next
      bytes = 0
    },
    watch(tell) {
      told.add(tell)
      return () => told.delete(tell)
    }
  }
}

/** An exchange in the form of an entry, without being recorded; its number is 0. */
export function unrecordedEntry(exchange: Exchange): JournalEntry {
  const entry: JournalEntry = { ...EMPTY_ENTRY }
  fill(entry, exchange)
  entry.requestHeaders = exchange.arrived.headers
  entry.responseHeaders = exchange.outgoing.headers
  entry.requestBody = bodyOf(exchange)
  entry.responseBody = exchange.outgoing.body
  return entry
}

const EMPTY_ENTRY: Readonly<JournalEntry> = {
  id: 0,
  at: 0,
  method: '',
  path: '',
  query: '',
  requestHeaders: {},
  requestBody: undefined,
  requestBytes: 0,
  template: undefined,
  operationId: undefined,
  document: undefined,
  status: 0,
  responseHeaders: {},
  responseBody: undefined,
  responseBytes: undefined,
  example: undefined,
  problem: undefined,
  fault: undefined,
  forwarded: false,
  diagnostics: [],
  milliseconds: 0,
  size: 0
}

/** The body that the client sent, if it is known; otherwise the body after the rules. */
function bodyOf({ arrived, incoming }: Exchange): Uint8Array | undefined {
  return arrived.body ?? incoming.body
}

/** Holds no reference to a document, so that a reload can free the old one. */
function fill(entry: JournalEntry, exchange: Exchange): void {
  const { arrived, outgoing, operation, api, diagnostics, problem } = exchange
  entry.at = Date.now()
  entry.method = arrived.method
  entry.path = arrived.path
  entry.query = arrived.query
  entry.requestBytes = bodyOf(exchange)?.length ?? 0
  entry.template = operation?.path
  entry.operationId = operation?.id
  entry.document = api?.label
  entry.status = outgoing.status
  entry.responseBytes = outgoing.stream === undefined ? (outgoing.body?.length ?? 0) : undefined
  entry.example = problem === undefined ? exchange.example : undefined
  entry.problem = problem?.code
  entry.fault = exchange.fault
  entry.forwarded = exchange.forwarded
  entry.diagnostics =
    diagnostics.length > MAX_DIAGNOSTICS ? diagnostics.slice(0, MAX_DIAGNOSTICS) : diagnostics
  entry.milliseconds = exchange.milliseconds
}

/**
 * Keeps at most the beginning of a body. A view would keep its whole buffer alive, so the bytes are
 * copied, short ones into a string. Beginnings are cached by body, because a prepared response has
 * the same bytes every time.
 */
function createKeep(): (body: SentBody | undefined) => SentBody | undefined {
  const beginnings = new WeakMap<Uint8Array, Uint8Array>()
  return function keep(body) {
    if (body === undefined || typeof body === 'string') return body
    if (body.buffer.byteLength <= MAX_BODY_BYTES) return body
    if (body.length <= MAX_BODY_BYTES) return bytesOf(body).toString('latin1')
    const known = beginnings.get(body)
    if (known !== undefined) return known
    const beginning = new Uint8Array(body.subarray(0, MAX_BODY_BYTES))
    beginnings.set(body, beginning)
    return beginning
  }
}

function sizeOf(entry: JournalEntry): number {
  const { path, query, requestHeaders, responseHeaders, requestBody, responseBody } = entry
  let size = ENTRY_BYTES + path.length + query.length
  for (const name in requestHeaders) {
    size += name.length + (requestHeaders[name]?.length ?? 0)
  }
  for (const name in responseHeaders) size += name.length + (responseHeaders[name]?.length ?? 0)
  size += (requestBody?.length ?? 0) + (responseBody?.length ?? 0)
  return size + entry.diagnostics.length * DIAGNOSTIC_BYTES
}
