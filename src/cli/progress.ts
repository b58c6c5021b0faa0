const BAR_WIDTH = 30
const REDRAW_MS = 100

export interface ShownProgress {
  /** `unit` is that of `createProgress` by default. */
  show: (done: number, total: number, unit?: string) => void
  /** Removes the bar. */
  clear: () => void
}

/** Shows a bar on a terminal, otherwise a line for every 10 %. */
export function createProgress(
  verb: string,
  stream: NodeJS.WriteStream,
  unit = 'rows'
): ShownProgress {
  return stream.isTTY ? createBar(verb, stream, unit) : createLines(verb, stream, unit)
}

function createBar(verb: string, stream: NodeJS.WriteStream, usual: string): ShownProgress {
  let drawn = 0
  return {
    show(done, total, unit = usual) {
      if (done < total && performance.now() - drawn < REDRAW_MS) return
      drawn = performance.now()
      const filled = Math.round((BAR_WIDTH * done) / Math.max(total, 1))
      const bar = '█'.repeat(filled).padEnd(BAR_WIDTH, '░')
      stream.write(`\r${verb} ${bar} ${done}/${total} ${unit}`)
    },
    clear: () => stream.write('\r\u001b[K')
  }
}

function createLines(verb: string, stream: NodeJS.WriteStream, usual: string): ShownProgress {
  let tenths = 0
  return {
    show(done, total, unit = usual) {
      const reached = Math.floor((10 * done) / Math.max(total, 1))
      if (reached === tenths) return
      tenths = reached
      stream.write(`${verb}: ${tenths * 10} % (${done} of ${total} ${unit})\n`)
    },
    clear() {}
  }
}
