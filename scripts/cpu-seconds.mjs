import { existsSync, readFileSync } from 'node:fs'

/** Linux reports in hundredths of a second, whatever the tick rate of the kernel. */
const TICKS_PER_SECOND = 100

/**
 * CPU seconds of a process and of its ended descendants, which the kernel adds when a parent waits
 * for a child. Undefined if the system is not Linux.
 */
export function cpuSecondsOf(id) {
  const file = `/proc/${id}/stat`
  if (!existsSync(file)) return undefined
  const fields = readFileSync(file, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  const ticks = fields.slice(11, 15).map(Number)
  return ticks.reduce((sum, one) => sum + one, 0) / TICKS_PER_SECOND
}
