import type { IncomingHttpHeaders } from 'node:http'
import type { Exchange } from '../engine/exchange.ts'
import type { Diagnostic, Outgoing } from '../message.ts'

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
  requestBody: Uint8Array | undefined
  requestBytes: number
  /** Template, id and document of the operation; nothing for a request that met none. */
  template: string | undefined
  operationId: string | undefined
  document: string | undefined
  status: number
  responseHeaders: Outgoing['headers']
  /** A text has a character for each byte. */
  responseBody: Uint8Array | string | undefined
  /** Nothing for an answer that ran through unread. */
  responseBytes: number | undefined
  example: string | undefined
  problem: string | undefined
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
/** Of each body. */
export const MAX_BODY_BYTES = 16 * 1024
const MAX_DIAGNOSTICS = 100
/** About what an entry takes beside its texts, and a finding with its text. */
const ENTRY_BYTES = 512
const DIAGNOSTIC_BYTES = 256

export function createJournal(): Journal {
  const slots = new Array<JournalEntry | undefined>(MAX_ENTRIES).fill(undefined)
  const told = new Set<(entry: JournalEntry) => void>()
  const cut = createCut()
  const keepAnswer = createKeepAnswer(cut)
  let next = 1
  let oldest = 1
  let cleared = 1
  let bytes = 0

  function drop(): void {
    const slot = oldest % MAX_ENTRIES
    bytes -= slots[slot]?.size ?? 0
    slots[slot] = undefined
    oldest++
  }

  function keep(entry: JournalEntry): void {
    if (entry.id - oldest === MAX_ENTRIES) drop()
    slots[entry.id % MAX_ENTRIES] = entry
    bytes += entry.size
    while (bytes > MAX_BYTES) drop()
    for (const tell of told) tell(entry)
  }

  return {
    record(exchange) {
      const entry = remember(exchange, next++)
      entry.requestBody = cut(bodyOf(exchange))
      entry.responseBody = keepAnswer(exchange.outgoing)
      entry.size = sizeOf(entry)
      keep(entry)
    },
    *list() {
      for (let id = next - 1; id >= oldest; id--) {
        const entry = slots[id % MAX_ENTRIES]
        if (entry !== undefined) yield entry
      }
    },
    find: (id) => (id >= oldest && id < next ? slots[id % MAX_ENTRIES] : undefined),
    counts: () => ({ recorded: next - cleared, kept: next - oldest, bytes, last: next - 1 }),
    clear() {
      slots.fill(undefined)
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

/** Rules may have changed the request; what no rule looked into came later, and is the client's. */
function bodyOf({ arrived, incoming }: Exchange): Uint8Array | undefined {
  return arrived.body ?? incoming.body
}

/** Nothing of a document is held: a reload must be able to let go of the old one. */
function remember(exchange: Exchange, id: number): JournalEntry {
  const { arrived, outgoing, operation, api, diagnostics, problem } = exchange
  return {
    id,
    at: Date.now(),
    method: arrived.method,
    path: arrived.path,
    query: arrived.query,
    requestHeaders: arrived.headers,
    requestBody: undefined,
    requestBytes: bodyOf(exchange)?.length ?? 0,
    template: operation?.path,
    operationId: operation?.id,
    document: api?.label,
    status: outgoing.status,
    responseHeaders: outgoing.headers,
    responseBody: undefined,
    responseBytes: outgoing.stream === undefined ? (outgoing.body?.length ?? 0) : undefined,
    example: problem === undefined ? exchange.example : undefined,
    problem: problem?.code,
    forwarded: exchange.forwarded,
    diagnostics:
      diagnostics.length > MAX_DIAGNOSTICS ? diagnostics.slice(0, MAX_DIAGNOSTICS) : diagnostics,
    milliseconds: exchange.milliseconds,
    size: 0
  }
}

type Cut = (body: Uint8Array | undefined) => Uint8Array | undefined

/**
 * A view would keep the whole body alive, or the buffer that it was read into. What is cut is
 * remembered by the body, because a prepared answer is the same bytes every time.
 */
function createCut(): Cut {
  const beginnings = new WeakMap<Uint8Array, Uint8Array>()
  return function cut(body) {
    if (body === undefined || body.buffer.byteLength <= MAX_BODY_BYTES) return body
    if (body.length <= MAX_BODY_BYTES) return new Uint8Array(body)
    const known = beginnings.get(body)
    if (known !== undefined) return known
    const beginning = new Uint8Array(body.subarray(0, MAX_BODY_BYTES))
    beginnings.set(body, beginning)
    return beginning
  }
}

/** An answer that was made for one request is part of a larger buffer, and a text is cheap. */
function createKeepAnswer(cut: Cut): (outgoing: Outgoing) => JournalEntry['responseBody'] {
  return function keepAnswer({ body, ascii }) {
    if (body === undefined || body.length > MAX_BODY_BYTES) return cut(body)
    if (body.buffer.byteLength <= MAX_BODY_BYTES) return body
    if (ascii?.body === body) return ascii.text
    return Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1')
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
