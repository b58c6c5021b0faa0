const DASH = 45
const LF = 10
const CR = 13
/** RFC 2046 allows 70 characters; longer ones are cut, because a line has to begin with them only. */
const MAX_BOUNDARY_BYTES = 80
/** How much of a line decides whether it is a boundary. */
export const MAX_BOUNDARY_LINE_BYTES = MAX_BOUNDARY_BYTES + 4

export interface Boundary<Part> {
  readonly part: Part
  readonly bytes: Buffer
}

export interface FoundBoundary<Part> {
  readonly boundary: Boundary<Part>
  /** `--boundary--` */
  readonly isLast: boolean
}

/** Boundaries of the multiparts around the current line, innermost last. */
export class Boundaries<Part> {
  #stack: Boundary<Part>[] = []

  get isEmpty(): boolean {
    return this.#stack.length === 0
  }

  add(part: Part, text: string): void {
    const bytes = Buffer.from(text.slice(0, MAX_BOUNDARY_BYTES), 'latin1')
    this.#stack.push({ part, bytes })
  }

  /** Forgets those that began after it, and itself if it was the last. */
  close({ boundary, isLast }: FoundBoundary<Part>): void {
    this.#stack.length = this.#stack.indexOf(boundary) + (isLast ? 0 : 1)
  }

  /**
   * The boundary with which a line begins: the longest one, and the innermost of equal ones. The
   * line has its end, unless it is longer than `MAX_BOUNDARY_LINE_BYTES`.
   */
  find(line: Buffer): FoundBoundary<Part> | undefined {
    if (line[0] !== DASH || line[1] !== DASH) return undefined
    const text = line.subarray(2, endOf(line))
    const endsWithDashes = text.length > 2 && text.at(-1) === DASH && text.at(-2) === DASH
    const exact = endsWithDashes ? text.length - 2 : text.length
    let best: Boundary<Part> | undefined
    for (const boundary of this.#stack.toReversed()) {
      const { bytes } = boundary
      const isLonger = best === undefined || bytes.length > best.bytes.length
      if (bytes.length > exact || !isLonger || !startsWith(text, bytes)) continue
      best = boundary
      if (bytes.length === exact) break
    }
    if (best === undefined) return undefined
    const end = best.bytes.length
    return { boundary: best, isLast: text[end] === DASH && text[end + 1] === DASH }
  }
}

function endOf(line: Buffer): number {
  if (line.at(-1) !== LF) return line.length
  return line.at(-2) === CR ? line.length - 2 : line.length - 1
}

function startsWith(text: Buffer, start: Buffer): boolean {
  return text.compare(start, 0, start.length, 0, start.length) === 0
}
