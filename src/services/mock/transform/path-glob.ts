import type { PathGlob } from './rule.ts'

/** `*` matches one segment or a part of one, `**` any number of segments. */
export function compileGlob(text: string): PathGlob {
  const wanted = text.split('/')
  return { text, fits: (path) => fits(wanted, path.split('/')) }
}

/**
 * Tracks how many segments of the path may have been matched; takes time linear in path times glob.
 */
function fits(wanted: readonly string[], path: readonly string[]): boolean {
  let reached = new Set([0])
  for (const segment of wanted) {
    const next = new Set<number>()
    if (segment === '**') {
      const [first = path.length + 1] = reached
      for (let on = first; on <= path.length; on++) next.add(on)
    } else {
      for (const index of reached) {
        if (index < path.length && fitsSegment(segment, path[index] ?? '')) next.add(index + 1)
      }
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
