const LOCAL = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)$/
const DAY_MS = 24 * 3600 * 1000
const MAX_FORMATTERS = 100
const FIRST_YEAR = 1
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')
const formatters = new Map<string, Intl.DateTimeFormat>()

/** The time on the clocks of the zone, `2026-05-12T14:30`, as `datetime-local` has it. */
export function localTime(timeZone: string, moment: number): string {
  return new Date(clockOf(timeZone, moment)).toISOString().slice(0, 16)
}

/**
 * Unix milliseconds of a time on the clocks of the zone; of two the first. Undefined if it is no
 * time of the years 1 to 9999, or one that the clocks skip.
 */
export function momentAt(timeZone: string, local: string): number | undefined {
  const [, year, month, day, hour, minute] = LOCAL.exec(local) ?? []
  if (year === undefined || Number(year) < FIRST_YEAR) return undefined
  const clock = Date.parse(`${year}-${month}-${day}T${hour}:${minute}Z`)
  // JavaScript takes the 30th of February for the 2nd of March.
  const exists = !Number.isNaN(clock) && new Date(clock).toISOString().startsWith(local)
  if (!exists) return undefined
  const moments = [clock - DAY_MS, clock + DAY_MS].map(
    (near) => clock - (clockOf(timeZone, near) - near)
  )
  const found = moments.filter((moment) => clockOf(timeZone, moment) === clock)
  const moment = Math.min(...found)
  return moment <= LAST_MS ? moment : undefined
}

/** What the clocks of the zone show, as if it were UTC. */
function clockOf(timeZone: string, moment: number): number {
  const parts = new Map(
    formatterOf(timeZone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, Number(value)])
  )
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  const clock = new Date(0)
  clock.setUTCFullYear(of('year'), of('month') - 1, of('day'))
  clock.setUTCHours(of('hour'), of('minute'), of('second'))
  return clock.getTime()
}

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone)
  if (known !== undefined) return known
  const two = '2-digit'
  const formatter = new Intl.DateTimeFormat('en', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: two, day: two },
    ...{ hour: two, minute: two, second: two }
  })
  if (formatters.size >= MAX_FORMATTERS) formatters.clear()
  formatters.set(timeZone, formatter)
  return formatter
}
