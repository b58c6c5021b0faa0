import type { PathGlob } from './rule.ts'

/** `*` is one segment or a part of one, `**` any number of segments. */
export function compileGlob(text: string): PathGlob {
  const wanted = text.split('/')
  return { text, fits: (path) => fits(wanted, path.split('/')) }
}

/** As far as the first `i` segments of the path go: linear in path and glob together. */
function fits(wanted: readonly string[], path: readonly string[]): boolean {
  let reached = new Set([0])
  for (const segment of wanted) {
    const next = new Set<number>()
    for (const index of reached) {
      if (segment === '**') for (let on = index; on <= path.length; on++) next.add(on)
      else if (index < path.length && fitsSegment(segment, path[index] ?? '')) next.add(index + 1)
    }
    reached = next
  }
  return reached.has(path.length)
}

function fitsSegment(wanted: string, segment: string): boolean {
  const [head = '', ...rest] = wanted.split('*')
  const tail = rest.pop()
  if (tail === undefined) return wanted === segment
  if (!segment.startsWith(head)) return false
  let from = head.length
  for (const part of rest) {
    const at = segment.indexOf(part, from)
    if (at === -1) return false
    from = at + part.length
  }
  return segment.length - tail.length >= from && segment.endsWith(tail)
}
