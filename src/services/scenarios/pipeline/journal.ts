import type { IncomingMessage } from 'node:http'
import { isoTime } from '../../../kernel/iso-time.ts'
import { isSecretName } from '../../../kernel/secret-names.ts'
import type { Body } from '../http/body.ts'
import type { ScenarioTarget } from '../http/scenario-target.ts'
import type { Line } from '../store/journal.ts'
import type { ScenarioStore } from '../store/store.ts'

const FLUSH_MS = 50
const MAX_WAITING = 500
/** Maximum number of entries that wait for an unreachable database. */
const MAX_LATE = 2000
const TRIM_EVERY = 100
const MAX_COUNTS = 10_000
const MAX_BODY_LENGTH = 4000
const MASK = '********'

/** A request in the journal, for users who check what a page has requested. */
export interface JournalEntry {
  readonly at: string
  readonly method: string
  readonly path: string
  /** 0 if the connection was dropped. */
  readonly status: number
  readonly scenarios: readonly string[]
  readonly body?: unknown
}

/** Parts of a request that are recorded. */
export interface JournaledRequest {
  readonly request: Pick<IncomingMessage, 'method'>
  readonly method: string
  readonly target: ScenarioTarget
  /** Only requests in a workspace are recorded. */
  readonly workspace: object | undefined
  readonly workspaceId: string
  readonly applied: ReadonlySet<string>
  readonly now: () => number
  readonly seen: () => Body | undefined
}

export interface Journal {
  note: (call: JournaledRequest, status: number) => void
  /** Resolves when all entries so far are stored, or the error is reported. */
  flush: () => Promise<void>
}

/**
 * Entries are stored in batches: requests do not wait for them, and readers flush first. `report`
 * is called for the first of several failures.
 */
export function createJournal(store: ScenarioStore, report: (error: Error) => void): Journal {
  let waiting: Line[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let isFailing = false
  const counts = new Map<string, number>()

  async function trim(lines: readonly Line[]): Promise<void> {
    for (const { ws } of lines) {
      const count = (counts.get(ws) ?? 0) + 1
      counts.set(ws, count % TRIM_EVERY)
      if (count === TRIM_EVERY) await store.trimJournal(ws)
    }
    if (counts.size > MAX_COUNTS) counts.clear()
  }

  function noteFailure(error: Error): void {
    if (!isFailing) report(error)
    isFailing = true
  }

  function keepForLater(lines: readonly Line[]): void {
    if (waiting.length + lines.length <= MAX_LATE) waiting = [...lines, ...waiting]
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const lines = waiting
    waiting = []
    if (lines.length === 0) return writing
    writing = writing
      .then(() => store.addToJournal(lines))
      .then(
        async () => {
          await trim(lines)
          isFailing = false
        },
        (error) => {
          keepForLater(lines)
          throw error
        }
      )
      .catch(noteFailure)
    return writing
  }

  return {
    flush,
    note(call, status) {
      if (call.workspace === undefined) return
      const { method, request, target, applied } = call
      const entry: JournalEntry = {
        at: isoTime(call.now()),
        method: request.method ?? method,
        path: target.path + maskQuery(target.query),
        status,
        scenarios: [...applied],
        ...maskedBody(call.seen())
      }
      waiting.push({ ws: call.workspaceId, entry: JSON.stringify(entry) })
      if (waiting.length >= MAX_WAITING) flush()
      else timer ??= setTimeout(flush, FLUSH_MS)
    }
  }
}

function maskQuery(query: string): string {
  if (query === '') return ''
  if (!isSecretName(query)) return `?${query}`
  const masked = [...new URLSearchParams(query)].map(([name, value]) => [
    name,
    isSecretName(name) ? MASK : value
  ])
  return `?${new URLSearchParams(masked)}`
}

function maskedBody(body: Body | undefined): { body?: unknown } {
  if (body === undefined || body.text === '') return {}
  if (body.text.length > MAX_BODY_LENGTH) return { body: `${body.text.length} characters` }
  return { body: mask(body.fields) }
}

function mask(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mask)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, isSecretName(key) ? MASK : mask(inner)])
  )
}
