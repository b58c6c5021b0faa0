import type { Exchange } from './engine/exchange.ts'
import type { Operation } from './model/api.ts'

export interface OperationCoverage {
  operation: Operation
  calls: number
  /** How often each status key of the document was answered; zero for the others. */
  statuses: Map<string, number>
  /** Statuses that were sent although the document has no key for them. */
  undocumented: Map<number, number>
  examples: Map<string, number>
  parameters: Map<string, number>
  violations: readonly Violation[]
}

export interface Violation {
  method: string
  path: string
  status: number
  location: string
  message: string
  severity: string
}

export interface Coverage {
  record: (exchange: Exchange) => void
  /** Operations in the order of the documents. */
  list: () => readonly OperationCoverage[]
  /** Of requests that no operation was found for. */
  strays: () => readonly Violation[]
  /** After a reload: counts of operations that are still there are kept. */
  follow: (operations: readonly Operation[]) => void
}

/** A run that never ends must not grow for ever. */
const MAX_VIOLATIONS = 1000

export function createCoverage(): Coverage {
  let entries = new Map<string, Entry>()
  const strays: Violation[] = []
  let kept = 0

  function violationsOf(exchange: Exchange): Violation[] {
    const { incoming, outgoing, diagnostics } = exchange
    const room = Math.max(0, MAX_VIOLATIONS - kept)
    const found = diagnostics.slice(0, room).map(({ location, message, severity }) => ({
      method: incoming.method,
      path: incoming.path,
      status: outgoing.status,
      location: location.join('.'),
      message,
      severity
    }))
    kept += found.length
    return found
  }

  return {
    record(exchange) {
      const { operation, problem, incoming, outgoing } = exchange
      const entry = operation && entries.get(keyOf(operation))
      if (entry === undefined) {
        if (problem !== undefined && kept++ < MAX_VIOLATIONS) {
          const { method, path } = incoming
          const { status } = outgoing
          const { message } = problem
          strays.push({ method, path, status, location: '', message, severity: 'Error' })
        }
        return
      }
      entry.calls++
      count(entry, exchange)
      entry.violations.push(...violationsOf(exchange))
    },
    list: () => [...entries.values()],
    strays: () => strays,
    follow(operations) {
      entries = new Map(
        operations.map((operation) => {
          const key = keyOf(operation)
          return [key, entries.get(key) ?? openEntry(operation)]
        })
      )
    }
  }
}

type Entry = OperationCoverage & { violations: Violation[] }

function keyOf({ method, path }: Operation): string {
  return `${method} ${path}`
}

function openEntry(operation: Operation): Entry {
  const { responses, parameters } = operation
  const examples = responses.flatMap(({ code, contents }) =>
    contents.flatMap((content) => content.examples.map(({ key }) => `${code} ${key}`))
  )
  return {
    operation,
    calls: 0,
    statuses: new Map(responses.map(({ code }) => [code, 0])),
    undocumented: new Map(),
    examples: new Map(examples.map((key) => [key, 0])),
    parameters: new Map(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, 0])),
    violations: []
  }
}

function count(entry: Entry, { response, outgoing, example, incoming }: Exchange): void {
  if (response === undefined) add(entry.undocumented, outgoing.status)
  else {
    add(entry.statuses, response.code)
    if (example !== undefined) add(entry.examples, `${response.code} ${example}`)
  }
  for (const { name, in: place } of entry.operation.parameters) {
    if (isSent(place, name, incoming)) add(entry.parameters, `${place} ${name}`)
  }
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function isSent(place: string, name: string, { headers, query }: Exchange['incoming']): boolean {
  if (place === 'path') return true
  if (place === 'header') return headers[name.toLowerCase()] !== undefined
  if (place === 'cookie') {
    return (headers.cookie ?? '').split(';').some((pair) => pair.trim().startsWith(`${name}=`))
  }
  const wanted = name.toLowerCase()
  return [...new URLSearchParams(query).keys()].some((key) => {
    const sent = key.toLowerCase()
    return sent === wanted || sent.startsWith(`${wanted}[`)
  })
}
