import { decodeRow, type TableHeader } from './portable.ts'

/** Checks that each header of a backup is followed by the rows that it announces. */
export interface RowCheck {
  headers: readonly TableHeader[]
  add: (line: string) => void
  /** Whether all rows of the last header were added, and there is one. */
  isBetweenTables: () => boolean
  /** To be called after the last line; undefined if nothing is wrong. */
  problem: () => string | undefined
}

export function createRowCheck(): RowCheck {
  const headers: TableHeader[] = []
  let rowsLeft = 0
  let problem: string | undefined

  function addRow(line: string, { columns, service, table, rows }: TableHeader): void {
    if (cellCount(line) === columns.length) rowsLeft -= 1
    else problem = `row ${rows - rowsLeft + 1} of ${service}.${table} does not match its columns`
  }

  function addHeader(line: string): void {
    const header = parseHeader(line)
    const last = headers.at(-1)
    if (header === undefined) {
      const where = last === undefined ? 'the first line' : `${last.service}.${last.table}`
      problem = `a line after the rows of ${where} is not the header of a table`
      return
    }
    headers.push(header)
    rowsLeft = header.rows
  }

  return {
    headers,
    add(line) {
      const header = headers.at(-1)
      if (problem !== undefined) return
      if (header !== undefined && rowsLeft > 0) addRow(line, header)
      else addHeader(line)
    },
    isBetweenTables: () => headers.length > 0 && rowsLeft === 0,
    problem() {
      if (problem !== undefined || rowsLeft === 0) return problem
      const { service, table, rows } = headers.at(-1) as TableHeader
      return `${service}.${table} has ${rows - rowsLeft} of ${rows} rows`
    }
  }
}

/** -1 if the line is not a row. */
function cellCount(line: string): number {
  if (!line.startsWith('[')) return -1
  try {
    return decodeRow(line).length
  } catch {
    return -1
  }
}

function parseHeader(line: string): TableHeader | undefined {
  try {
    const header: unknown = JSON.parse(line)
    return isHeader(header) ? header : undefined
  } catch {
    return undefined
  }
}

function isHeader(value: unknown): value is TableHeader {
  if (typeof value !== 'object' || value === null) return false
  const { service, step, table, columns, rows } = value as Record<string, unknown>
  return (
    typeof service === 'string' &&
    typeof table === 'string' &&
    isCount(step) &&
    step > 0 &&
    isCount(rows) &&
    Array.isArray(columns) &&
    columns.every((column) => typeof column === 'string')
  )
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
