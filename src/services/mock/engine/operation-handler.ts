import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Operation } from '../model/api.ts'
import { type Checker, createRequestCheck } from '../request/check.ts'
import { createMocker, type Mocker } from '../response/mocker.ts'
import { createPairing, type Pairing } from '../response/pairing.ts'
import type { Match } from '../routing/router.ts'
import { renewServed, type ServedApi } from '../served-api.ts'
import type { EngineOptions } from './options.ts'

/** Prepared parts of one operation. */
export interface OperationHandler {
  /** Its validators are freed together with the handler. */
  served: ServedApi
  operation: Operation
  checker: Checker
  mocker: Mocker
  /** Undefined if examples are not used, or if those of request and response share no names. */
  pairing: Pairing | undefined
}

export type FindOperationHandler = (match: Match<ServedApi>) => OperationHandler

/**
 * Handlers that are freed together, because the validators of one Ajv can only be freed with all
 * others of it.
 */
interface Segment {
  readonly handlers: Map<Operation, OperationHandler>
  readonly served: Map<ServedApi, ServedApi>
  bytes: number
  /** Number of the last request that used one of the handlers. */
  lastUse: number
}

interface Entry {
  readonly handler: OperationHandler
  readonly segment: Segment
}

const SEGMENTS = 8
/** Approximate memory of a handler without validators and responses. */
const HANDLER_BYTES = 14_000

/**
 * Handlers are created on the first request, because most operations of a large document are never
 * called. If they take more memory than the limit, the least recently used segment is freed.
 */
export function createOperationHandlers(options: EngineOptions): FindOperationHandler {
  const entries = new Map<Operation, Entry>()
  const segments = new Set<Segment>()
  let current = openSegment()
  let total = 0
  let uses = 0

  function openSegment(): Segment {
    const segment = { handlers: new Map(), served: new Map(), bytes: 0, lastUse: 0 }
    segments.add(segment)
    return segment
  }

  function spend(segment: Segment, bytes: number): void {
    // A request may still use a segment that was freed.
    if (!segments.has(segment)) return
    segment.bytes += bytes
    total += bytes
    if (total > options.cacheBytes) freeOldest()
  }

  function free(segment: Segment): void {
    segments.delete(segment)
    total -= segment.bytes
    for (const operation of segment.handlers.keys()) entries.delete(operation)
  }

  function freeOldest(): void {
    if (current.bytes > options.cacheBytes / SEGMENTS) current = openSegment()
    while (total > options.cacheBytes && segments.size > 1) {
      const others = [...segments].filter((segment) => segment !== current)
      free(others.reduce((one, other) => (other.lastUse < one.lastUse ? other : one)))
    }
  }

  function servedIn(segment: Segment, served: ServedApi): ServedApi {
    const known = segment.served.get(served)
    if (known !== undefined) return known
    const own = renewServed(served, (bytes) => spend(segment, bytes))
    segment.served.set(served, own)
    return own
  }

  function create({ mount, operation }: Match<ServedApi>): Entry {
    freeOldest()
    const segment = current
    const served = servedIn(segment, mount)
    const handler: OperationHandler = {
      served,
      operation,
      checker: createRequestCheck(operation, served.schemas),
      mocker: createMocker(served, operation, options, (bytes) => spend(segment, bytes)),
      pairing: options.dynamic || options.ignoreExamples ? undefined : createPairing(operation)
    }
    const entry = { handler, segment }
    // The validators of the first handler may already have taken more than the limit.
    if (segments.has(segment)) {
      segment.handlers.set(operation, handler)
      entries.set(operation, entry)
    }
    spend(segment, HANDLER_BYTES)
    return entry
  }

  return function handlerOf(match) {
    const { handler, segment } = entries.get(match.operation) ?? create(match)
    uses += 1
    segment.lastUse = uses
    return handler
  }
}

/**
 * For documents with so many operations that handlers will be freed: V8 would let the heap double
 * before it collects them. The smaller growth counts from a collection on, so one is made here,
 * which takes a small part of the time in which such a document is loaded.
 */
export function limitHeapGrowth(apis: readonly ServedApi[], { cacheBytes }: EngineOptions): void {
  const count = apis.reduce((sum, { api }) => sum + api.operations.length, 0)
  if (count * HANDLER_BYTES <= cacheBytes) return
  setFlagsFromString('--heap-growing-percent=20')
  setFlagsFromString('--expose-gc')
  runInNewContext('gc()')
  setFlagsFromString('--no-expose-gc')
}
