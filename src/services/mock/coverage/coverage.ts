import type { Exchange } from '../engine/exchange.ts'
import type { Operation } from '../model/api.ts'
import { isError } from '../response/report.ts'
import type { ServedApi } from '../served-api.ts'
import { type Counts, carryOver, count, openCounts } from './counts.ts'

export interface OperationCoverage extends Readonly<Counts> {
  operation: Operation
  /** The document that contains the operation, as named by the operator. */
  document: string
  /** Number of violations of severity Error, including those that are not kept. */
  errors: number
  violations: readonly Violation[]
}

export interface Violation {
  method: string
  path: string
  status: number
  location: string
  message: string
  severity: string
  /** Number of the journal entry; undefined if the journal is disabled. */
  entry?: number | undefined
}

export interface Coverage {
  record: (exchange: Exchange) => void
  /** Operations in the order of the documents. */
  list: () => readonly OperationCoverage[]
  /** Requests without a matching operation, as far as they are kept. */
  strays: () => readonly Violation[]
  /** Number of all requests without a matching operation. */
  strayCount: () => number
  /** Called after a reload; keeps the counts of operations that still exist. */
  follow: (apis: readonly ServedApi[]) => void
  /** Clears all counts and violations. */
  reset: () => void
}

/** Maximum number of violations that are kept, so that memory is bounded in long runs. */
const MAX_VIOLATIONS = 1000

export function createCoverage(): Coverage {
  let served: readonly ServedApi[] = []
  /**
   * Entries are created on the first request, because most operations of a large document are never
   * called.
   */
  let entries = new Map<Operation, Entry>()
  let strays: Violation[] = []
  let strayCount = 0
  let kept = 0

  function entryOf(api: ServedApi, operation: Operation): Entry {
    const entry = entries.get(operation) ?? openEntry(api, operation)
    entries.set(operation, entry)
    return entry
  }

  function find({ operation, api }: Exchange): Entry | undefined {
    if (operation === undefined || api === undefined) return undefined
    const known = entries.get(operation)
    if (known !== undefined) return known
    // A request that was received before a reload may finish after it.
    const current = findSame(served, api.label, operation)
    return current && entryOf(current.api, current.operation)
  }

  function keepViolations(entry: Entry, exchange: Exchange): void {
    const { incoming, outgoing, diagnostics } = exchange
    for (const diagnostic of diagnostics) {
      if (isError(diagnostic)) entry.errors++
      if (kept >= MAX_VIOLATIONS) continue
      kept++
      entry.violations.push({
        method: incoming.method,
        path: incoming.path,
        status: outgoing.status,
        location: diagnostic.location.join('.'),
        message: diagnostic.message,
        severity: diagnostic.severity,
        entry: exchange.entryId
      })
    }
  }

  function recordStray({ problem, incoming, outgoing, entryId: entry }: Exchange): void {
    if (problem === undefined) return
    strayCount++
    if (kept >= MAX_VIOLATIONS) return
    kept++
    const { method, path } = incoming
    const { status } = outgoing
    const { message } = problem
    strays.push({ method, path, status, location: '', message, severity: 'Error', entry })
  }

  return {
    record(exchange) {
      const entry = find(exchange)
      if (entry === undefined) return recordStray(exchange)
      // HEAD of a GET, with which tools wait for a server, is no test of the GET.
      const isProbe = exchange.incoming.method === 'HEAD' && entry.operation.method === 'GET'
      if (!isProbe) count(entry, entry.operation, exchange)
      if (exchange.diagnostics.length > 0) keepViolations(entry, exchange)
    },
    list: () => served.flatMap((api) => api.api.operations.map((each) => entryOf(api, each))),
    strays: () => strays,
    strayCount: () => strayCount,
    follow(apis) {
      const before = entries
      served = apis
      entries = new Map()
      for (const entry of before.values()) {
        const current = findSame(served, entry.document, entry.operation)
        if (current !== undefined) takeOver(entry, entryOf(current.api, current.operation))
      }
    },
    reset() {
      strays = []
      strayCount = 0
      kept = 0
      entries = new Map()
    }
  }
}

type Entry = Counts & {
  operation: Operation
  document: string
  errors: number
  violations: Violation[]
}

function openEntry(api: ServedApi, operation: Operation): Entry {
  return {
    ...openCounts(api, operation),
    operation,
    document: api.label,
    errors: 0,
    violations: []
  }
}

function takeOver(from: Entry, to: Entry): void {
  carryOver(from, to)
  to.errors = from.errors
  to.violations = from.violations
}

function findSame(
  served: readonly ServedApi[],
  document: string,
  { method, path }: Operation
): { api: ServedApi; operation: Operation } | undefined {
  const api = served.find(({ label }) => label === document)
  const operation = api?.api.operations.find((one) => one.path === path && one.method === method)
  return api && operation && { api, operation }
}
