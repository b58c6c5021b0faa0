import type { FieldCursor } from './field-cursor.ts'

type Parameter = readonly [name: string, value: string]

interface Piece {
  readonly name: string
  readonly index: number
  readonly isExtended: boolean
  readonly value: string
}

/** More than any mail program writes; the rest is ignored. */
const MAX_PARAMETERS = 200

/**
 * `; name=value` until the end, names in lower case, the first of a name counts. Pieces of RFC 2231
 * (`name*0*=`, `name*1=`) are joined to one parameter `name` or, with percent codes, `name*`; its
 * value begins with charset and language: `utf-8'en'%e2%82%ac`.
 */
export function readParameters(cursor: FieldCursor): Readonly<Record<string, string>> {
  const parameters: Parameter[] = []
  const pieces: Piece[] = []
  while (!cursor.isAtEnd && parameters.length + pieces.length < MAX_PARAMETERS) {
    const parameter = readParameter(cursor)
    if (parameter === undefined) {
      cursor.at++
      continue
    }
    const piece = asPiece(parameter)
    if (piece === undefined) parameters.push(parameter)
    else pieces.push(piece)
  }
  const unique = new Map<string, string>()
  for (const [name, value] of [...parameters, ...joinPieces(pieces)]) {
    if (!unique.has(name)) unique.set(name, value)
  }
  // Safe with any name, such as `__proto__`.
  return Object.fromEntries(unique)
}

function readParameter(cursor: FieldCursor): Parameter | undefined {
  if (!cursor.skip(';') || !cursor.skipSpace()) return undefined
  const name = cursor.readToken().toLowerCase()
  if (!cursor.skipSpace() || !cursor.skip('=')) return undefined
  const isFine = cursor.skipSpace()
  if (!isFine || cursor.isAtEnd) return [name, '']
  return [name, readValue(cursor)]
}

function readValue(cursor: FieldCursor): string {
  // `name==?utf-8?b?…?=` without quotes is against the rules, and common.
  if (cursor.next === '=') return cursor.readUntil(/[; \t\r\n]/)
  const value = cursor.next === '"' ? (cursor.readQuoted() ?? '') : cursor.readToken()
  cursor.skipSpace()
  return value
}

/** `name*`, `name*0`, `name*0*`. */
function asPiece([name, value]: Parameter): Piece | undefined {
  const match = /^([^*]+)\*(?:(\d{1,3})(\*?))?$/.exec(name)
  if (match === null) return undefined
  const [, base = '', index, star] = match
  return {
    name: base,
    index: Number(index ?? 0),
    isExtended: index === undefined || star === '*',
    value
  }
}

function joinPieces(pieces: readonly Piece[]): readonly Parameter[] {
  const groups = Map.groupBy(pieces, ({ name }) => name)
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, group]) => joinGroup(group))
}

function joinGroup(group: readonly Piece[]): readonly Parameter[] {
  const sorted = group.toSorted((a, b) => a.index - b.index)
  const isComplete = sorted.every(({ index }, position) => index === position)
  if (!isComplete) {
    return sorted.map(({ name, index, isExtended, value }) => [
      `${name}*${index}${isExtended ? '*' : ''}`,
      value
    ])
  }
  const isExtended = sorted.some((piece) => piece.isExtended)
  const name = sorted[0]?.name ?? ''
  if (!isExtended) return [[name, sorted.map(({ value }) => value).join('')]]
  const prefix = sorted[0]?.isExtended === true ? '' : "''"
  const value = sorted.map((piece) =>
    piece.isExtended ? piece.value : piece.value.replaceAll('%', '%25')
  )
  return [[`${name}*`, prefix + value.join('')]]
}
