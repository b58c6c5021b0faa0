import { elementsOf, endOfValue, type MemberSpan, membersOf, type Span } from './spans.ts'

/** New values of members by name; undefined removes a member. */
export type Edits = ReadonlyMap<string, string | undefined>

/**
 * The object at `start` with some members changed; the others keep their bytes and their position.
 * Of members with a changed name only the last is kept. New members are added at the end, with the
 * spelling of the name in `keys`.
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

/** The array at `start`, in which `values` replace `cut` elements from the index `at` on. */
export function editArray(
  text: string,
  start: number,
  at: number,
  cut: number,
  values: readonly string[]
): string {
  const elements = elementsOf(text, start)
  const pieces = piecesOf(text, start, elements).map((piece, index) => {
    // The space around a replaced element is kept.
    const element = elements[index]
    if (cut !== 1 || values.length !== 1 || index !== at || element === undefined) {
      return text.slice(piece.start, piece.end)
    }
    return text.slice(piece.start, element.start) + values[0] + text.slice(element.end, piece.end)
  })
  if (cut !== 1 || values.length !== 1) pieces.splice(at, cut, ...values)
  return `[${pieces.join(',')}]`
}

/** The parts between the commas of a container, space included. */
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
