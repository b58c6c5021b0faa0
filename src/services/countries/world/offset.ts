import { createCache } from '../../../kernel/cache.ts'

const MINUTE_MS = 60_000
/** More than the data has zones (418); a formatter is large and slow to create. */
const MAX_OPEN_ZONES = 600

interface OpenZone {
  format: Intl.DateTimeFormat
  /** Minute for which `offset` was computed; offsets change at whole minutes only. */
  minute: number
  offset: string
}

export type OffsetAt = (zone: string, moment: Date) => string

/** The offset of a zone from UTC at a moment, such as -03:00. */
export function createOffsets(): OffsetAt {
  const open = createCache<OpenZone>(MAX_OPEN_ZONES, () => 1)

  function find(zone: string): OpenZone {
    const known = open.get(zone)
    if (known !== undefined) return known
    const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
    const opened = { format, minute: Number.NaN, offset: '' }
    open.set(zone, opened)
    return opened
  }

  return (zone, moment) => {
    const found = find(zone)
    const minute = Math.floor(moment.getTime() / MINUTE_MS)
    if (found.minute !== minute) {
      found.offset = readOffset(found.format, moment)
      found.minute = minute
    }
    return found.offset
  }
}

function readOffset(format: Intl.DateTimeFormat, moment: Date): string {
  const named = format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')
  return named?.value.replace('GMT', '') || '+00:00'
}
