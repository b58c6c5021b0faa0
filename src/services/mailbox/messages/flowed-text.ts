interface FlowedLine {
  /** Number of `>` in front of it. */
  readonly depth: number
  readonly text: string
  /** Whether the next line belongs to it. */
  readonly isFlowed: boolean
}

const SIGNATURE = '-- '

/** Joins the lines of a text with `format=flowed` (RFC 3676); line ends are line feeds. */
export function joinFlowedLines(text: string, deletesSpace: boolean): string {
  const joined: { depth: number; text: string }[] = []
  let isOpen = false
  for (const line of text.split('\n').map(parseLine)) {
    const last = joined.at(-1)
    const piece = line.isFlowed && deletesSpace ? line.text.slice(0, -1) : line.text
    const continues = isOpen && last?.depth === line.depth && line.text !== SIGNATURE
    if (continues && last !== undefined) last.text += piece
    else joined.push({ depth: line.depth, text: piece })
    isOpen = line.isFlowed
  }
  return joined.map(({ depth, text: line }) => quote(depth, line)).join('\n')
}

function parseLine(line: string): FlowedLine {
  const depth = /^>*/.exec(line)?.[0].length ?? 0
  const stuffed = line.slice(depth)
  // A space was added to lines that begin with a space, a quote or `From `.
  const text = stuffed.startsWith(' ') ? stuffed.slice(1) : stuffed
  return { depth, text, isFlowed: text.endsWith(' ') && text !== SIGNATURE }
}

function quote(depth: number, line: string): string {
  return depth === 0 ? line : `${'>'.repeat(depth)} ${line}`.trimEnd()
}
