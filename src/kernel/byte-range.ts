import type { ByteRange } from './files/driver.ts'

/** Undefined for the whole file. */
export type RangeRequest = ByteRange | 'unsatisfiable' | undefined

const RANGE = /^bytes=(\d*)-(\d*)$/i

/** RFC 9110 14.2: other units, several ranges and malformed ones are ignored. */
export function parseRange(header: string | undefined, size: number): RangeRequest {
  const [, first = '', last = ''] = RANGE.exec(header?.replaceAll(' ', '') ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= size ? 'unsatisfiable' : { start, end }
}
