const DAY = /^(\d{4})-(\d\d)-(\d\d)/
const CLOCK = /^(?:T|\s+)(\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?/i
const ZONE = /^\s*(?:(Z|UTC|GMT)|(?:UTC|GMT)?([+-])(\d\d):?(\d\d))?(?:\s+\([^()]{0,50}\))?$/i
/** `Tue, 22 Dec 2020` and `Tue Dec 22 2020`. */
const MAIL_DAY = /^(?:[a-z]{3,9},?\s+)?(\d\d?)\s+([a-z]{3})[a-z]{0,6}\s+(\d{4})/i
const SCRIPT_DAY = /^(?:[a-z]{3,9},?\s+)?([a-z]{3})[a-z]{0,6}\s+(\d\d?),?\s+(\d{4})/i
const UNIX_MS = /^\d{12,14}$/
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const MINUTE_MS = 60_000
const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * Unix milliseconds of a time: ISO 8601, `2020-12-22 01:59:00 UTC`, as in mails and as JavaScript
 * prints it. A day is its beginning, a time without a zone is in UTC. Undefined if the text is no
 * time, or not one of the years 0 to 9999, whose ISO forms have the same length.
 */
export function parseTime(text: string): number | undefined {
  const trimmed = text.trim()
  if (UNIX_MS.test(trimmed)) return Number(trimmed)
  const day = parseDay(trimmed)
  if (day === undefined) return undefined
  const [clock = '', hour = '0', minute = '0', second = '0', fraction = ''] =
    CLOCK.exec(day.rest) ?? []
  const zone = ZONE.exec(day.rest.slice(clock.length))
  if (zone === null || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) {
    return undefined
  }
  const [, , sign, zoneHours = '0', zoneMinutes = '0'] = zone
  const offset = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -1 : 1)
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3))
  const time = Date.UTC(0, 0, 1, Number(hour), Number(minute), Number(second), milliseconds)
  const result = day.midnight + (time - Date.UTC(0, 0, 1)) - offset * MINUTE_MS
  return result >= FIRST_MS && result <= LAST_MS ? result : undefined
}

function parseDay(text: string): { midnight: number; rest: string } | undefined {
  const parts = dayParts(text)
  if (parts === undefined) return undefined
  const { year, month, day, length } = parts
  const midnight = new Date(Date.UTC(2000, month - 1, day))
  midnight.setUTCFullYear(year, month - 1, day)
  // JavaScript takes the 31st of February for the 3rd of March.
  const exists = midnight.getUTCMonth() === month - 1 && midnight.getUTCDate() === day
  return exists ? { midnight: midnight.getTime(), rest: text.slice(length) } : undefined
}

interface DayParts {
  year: number
  month: number
  day: number
  /** Of the text that was read. */
  length: number
}

function dayParts(text: string): DayParts | undefined {
  const iso = DAY.exec(text)
  if (iso !== null) return partsOf(iso[0], iso[1], Number(iso[2]), iso[3])
  const mail = MAIL_DAY.exec(text)
  if (mail !== null) return partsOf(mail[0], mail[3], monthOf(mail[2]), mail[1])
  const script = SCRIPT_DAY.exec(text)
  return script === null ? undefined : partsOf(script[0], script[3], monthOf(script[1]), script[2])
}

function partsOf(read: string, year = '', month: number, day = ''): DayParts {
  return { year: Number(year), month, day: Number(day), length: read.length }
}

/** From 1; 0 if no month has the name. */
function monthOf(name = ''): number {
  return MONTHS.indexOf(name.toLowerCase()) + 1
}
