const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const UNITS: Readonly<Record<string, number>> = {
  s: SECOND_MS,
  m: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS
}
const DURATION = /^(\d{1,9})([smhdw])$/
/** A day is its beginning in UTC; a time needs its zone. */
const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/
/** A century, so that every time is a valid date. */
const MAX_MS = 36_525 * DAY_MS

/** Milliseconds of `30d` or `12h`; undefined if the text is no duration of at most a century. */
export function parseDuration(text: string): number | undefined {
  const [, number = '', unit = ''] = DURATION.exec(text) ?? []
  const duration = Number(number) * (UNITS[unit] ?? Number.NaN)
  return duration <= MAX_MS ? duration : undefined
}

/** Unix milliseconds of a duration from now or of a date; undefined if that is not later than now. */
export function parseExpiry(text: string, now: number): number | undefined {
  const time = DATE.test(text) ? parseDate(text) : now + (parseDuration(text) ?? Number.NaN)
  return time > now && time <= now + MAX_MS ? time : undefined
}

/** JavaScript takes the 31st of February for the 3rd of March. */
function parseDate(text: string): number {
  const day = text.slice(0, 'YYYY-MM-DD'.length)
  const midnight = new Date(`${day}T00:00:00Z`)
  const exists = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
  return exists ? Date.parse(text) : Number.NaN
}
