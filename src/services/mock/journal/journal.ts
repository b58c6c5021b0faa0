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

/** One exchange as it is remembered: references to what was there anyway, rendered when asked. */
export interface JournalEntry {
  id: number
  /** When the answer was ready, in milliseconds since 1970. */
  at: number
  method: string
  path: string
  query: string
  requestHeaders: IncomingHttpHeaders
  /** The beginning of it; its length may be larger. */
  requestBody: SentBody | undefined
  requestBytes: number
  /** Template, id and document of the operation; nothing for a request that met none. */
  template: string | undefined
  operationId: string | undefined
  document: string | undefined
  status: number
  responseHeaders: Outgoing['headers']
  responseBody: SentBody | undefined
  /** Nothing for an answer that ran through unread. */
  responseBytes: number | undefined
  example: string | undefined
  problem: string | undefined
  /** What went wrong on purpose; the answer is then what would have been sent. */
  fault: FaultName | undefined
  forwarded: boolean
  diagnostics: readonly Diagnostic[]
  milliseconds: number
  /** What it counts for in the limit of all entries. */
  size: number
}

export interface JournalCounts {
  /** Since the start or the last clearing. */
  recorded: number
  kept: number
  bytes: number
  /** Number of the latest entry ever. */
  last: number
}

export interface Journal {
  record: (exchange: Exchange) => void
  /** The latest first. */
  list: () => Iterable<JournalEntry>
  find: (id: number) => JournalEntry | undefined
  counts: () => JournalCounts
  clear: () => void
  /** Told of each entry from now on; the result ends it. */
  watch: (told: (entry: JournalEntry) => void) => () => void
}

export const MAX_ENTRIES = 1000
export const MAX_BYTES = 16 * 1024 * 1024
/** Of each body; texts are kept whole. */
export const MAX_BODY_BYTES = MAX_TEXT_BYTES
const MAX_DIAGNOSTICS = 100
/** About what an entry takes beside its texts, and a finding with its text. */
const ENTRY_BYTES = 512
const DIAGNOSTIC_BYTES = 256

export function createJournal(): Journal {
  /** Written again and again: what is new and stays for a while is what the memory is slow at. */
  const slots: JournalEntry[] = []
  const told = new Set<(entry: JournalEntry) => void>()
  const keepBody = createKeep()
  const shareSent = createShare<IncomingHttpHeaders>(4)
  const shareAnswered = createShare<Outgoing['headers']>(2)
  let next = 1
  let oldest = 1
  let cleared = 1
  let bytes = 0

  function slotOf(id: number): JournalEntry {
    const index = id % MAX_ENTRIES
    slots[index] ??= { ...BLANK }
    return slots[index]
  }

  function drop(): void {
    const slot = slotOf(oldest++)
    bytes -= slot.size
    Object.assign(slot, BLANK)
  }

  function entryOf(id: number): JournalEntry {
    return { ...slotOf(id) }
  }

  return {
    record(exchange) {
      if (next - oldest === MAX_ENTRIES) bytes -= slotOf(oldest++).size
      const entry = slotOf(next)
      entry.id = next++
      fill(entry, exchange)
      entry.requestHeaders = shareSent(exchange.arrived.headers)
      entry.responseHeaders = shareAnswered(exchange.outgoing.headers)
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

const BLANK: Readonly<JournalEntry> = {
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

/** Rules may have changed the request; what no rule looked into came later, and is the client's. */
function bodyOf({ arrived, incoming }: Exchange): Uint8Array | undefined {
  return arrived.body ?? incoming.body
}

/** Nothing of a document is held: a reload must be able to let go of the old one. */
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
 * A view would keep the whole body alive, or the buffer that it was read into; a short text is
 * cheap. What is cut is remembered by the body, because a prepared answer is the same bytes every
 * time.
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
