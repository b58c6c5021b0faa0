import { InvalidFilter } from '../admin/errors.ts'
import type { Journal, JournalEntry } from './journal.ts'

/** Conditions that select entries. */
export interface Filter {
  /** Operation id, `GET /plants`, a template, or `none` for requests without an operation. */
  operation: string | undefined
  /** `404`, or `4xx`. */
  status: string | undefined
  violations: boolean | undefined
  /** Only entries with a higher id. */
  after: number
  /** Only entries with a lower id. */
  before: number
  limit: number
}

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1000

/** Parses a query string; empty values are ignored, because forms send empty fields. */
export function readFilter(query: string): Filter {
  const given = new URLSearchParams(query)
  const text = (name: string) => given.get(name)?.trim() || undefined
  return {
    operation: text('operation'),
    status: readStatus(text('status')),
    violations: readSwitch(text('violations')),
    after: readNumber('after', text('after'), 0, Number.MAX_SAFE_INTEGER) ?? 0,
    before:
      readNumber('before', text('before'), 1, Number.MAX_SAFE_INTEGER) ?? Number.MAX_SAFE_INTEGER,
    limit: readNumber('limit', text('limit'), 1, MAX_LIMIT) ?? DEFAULT_LIMIT
  }
}

export function selectEntries(journal: Journal, filter: Filter): JournalEntry[] {
  const found: JournalEntry[] = []
  for (const entry of journal.list()) {
    if (entry.id <= filter.after || found.length === filter.limit) break
    if (entry.id < filter.before && isWanted(entry, filter)) found.push(entry)
  }
  return found
}

export function isWanted(entry: JournalEntry, filter: Filter): boolean {
  const { operation, status, violations } = filter
  if (operation !== undefined && !isOf(entry, operation)) return false
  if (status !== undefined && !hasStatus(entry.status, status)) return false
  return violations === undefined || violations === isFaulty(entry)
}

/** Whether an entry has violations or a problem, such as a request without an operation. */
function isFaulty({ diagnostics, problem }: JournalEntry): boolean {
  return diagnostics.length > 0 || problem !== undefined
}

function isOf({ method, template, operationId }: JournalEntry, wanted: string): boolean {
  if (template === undefined) return wanted === 'none'
  return wanted === operationId || wanted === template || wanted === `${method} ${template}`
}

function hasStatus(status: number, wanted: string): boolean {
  const text = String(status)
  return wanted.endsWith('xx') ? text[0] === wanted[0] : text === wanted
}

function readStatus(text: string | undefined): string | undefined {
  if (text === undefined || /^[1-5](\d\d|xx)$/i.test(text)) return text?.toLowerCase()
  throw new InvalidFilter('status', 'three digits, or a range such as 4xx')
}

function readSwitch(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined
  if (text === 'true' || text === 'false') return text === 'true'
  throw new InvalidFilter('violations', 'true or false')
}

function readNumber(
  name: string,
  text: string | undefined,
  least: number,
  most: number
): number | undefined {
  if (text === undefined) return undefined
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  throw new InvalidFilter(name, `a number from ${least} to ${most}`)
}
