import { elementsOf, endOfValue, type MemberSpan, membersOf, type Span } from './spans.ts'

/** What becomes of a member: a new value, or undefined to cut it. */
export type Edits = ReadonlyMap<string, string | undefined>

/**
 * The object that begins here with some members changed: what is not named keeps its bytes and
 * its place. Of a changed name only the last member stays; new ones come to the end, under the
 * key they are given with.
 */
export function editObject(
  text: string,
  start: number,
  edits: Edits,
  keys: ReadonlyMap<string, string>
): string {
  const members = membersOf(text, start)
  const pieces = piecesOf(text, start, members)
  const last = new Map(members.map(({ name }, index) => [name, index]))
  const kept: string[] = []
  for (const [index, member] of members.entries()) {
    const piece = pieces[index] ?? { start: 0, end: 0 }
    if (!edits.has(member.name)) kept.push(text.slice(piece.start, piece.end))
    else if (last.get(member.name) === index) {
      const value = edits.get(member.name)
      if (value !== undefined) {
        const before = text.slice(piece.start, member.valueStart)
        kept.push(before + value + text.slice(member.end, piece.end))
      }
    }
  }
  for (const [name, value] of edits) {
    if (value !== undefined && !last.has(name)) {
      kept.push(`${keys.get(name) ?? JSON.stringify(name)}:${value}`)
    }
  }
  return `{${kept.join(',')}}`
}

/** The array that begins here, with some elements cut from a place and others put there. */
export function editArray(
  text: string,
  start: number,
  at: number,
  cut: number,
  values: readonly string[]
): string {
  const elements = elementsOf(text, start)
  const pieces = piecesOf(text, start, elements).map((piece, index) => {
    // What surrounds a replaced element stays.
    const element = elements[index]
    if (cut !== 1 || values.length !== 1 || index !== at || element === undefined) {
      return text.slice(piece.start, piece.end)
    }
    return text.slice(piece.start, element.start) + values[0] + text.slice(element.end, piece.end)
  })
  if (cut !== 1 || values.length !== 1) pieces.splice(at, cut, ...values)
  return `[${pieces.join(',')}]`
}

/** What stands between the commas of a container, space included. */
function piecesOf(text: string, start: number, parts: readonly (Span | MemberSpan)[]): Span[] {
  const end = endOfValue(text, start) - 1
  let from = start + 1
  return parts.map((part, index) => {
    const to = index === parts.length - 1 ? end : text.indexOf(',', part.end)
    const piece = { start: from, end: to }
    from = to + 1
    return piece
  })
}
