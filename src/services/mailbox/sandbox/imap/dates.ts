/** Dates of IMAP: `17-Jul-1996`, and with time and zone ` 1-Jul-1996 02:44:25 -0700`. */
import { syntaxError } from './wire/errors.ts'
import type { Scanner } from './wire/scanner.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const DATE_TIME = /^([ \d]\d)-([A-Za-z]{3})-(\d{4}) (\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)$/
const DATE = /"?(\d{1,2})-([A-Za-z]{3})-(\d{4})"?(?=[ )]|$)/y

export function formatDateTime(milliseconds: number): string {
  const date = new Date(milliseconds)
  const day = String(date.getUTCDate()).padStart(2, '0')
  const year = String(date.getUTCFullYear()).padStart(4, '0')
  const time = date.toISOString().slice(-13, -5)
  return `"${day}-${MONTHS[date.getUTCMonth()]}-${year} ${time} +0000"`
}

/** In Unix milliseconds. */
export function scanDateTime(scanner: Scanner): number {
  const found = DATE_TIME.exec(scanner.string())
  const [, day, month = '', year, hour, minute, second, sign, zoneHours, zoneMinutes] = found ?? []
  const time = utc(Number(year), month, Number(day))
  const isInRange = Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60
  if (time === undefined || !isInRange) throw syntaxError('Invalid internal date.')
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second)
  const zone = Number(zoneHours) * 3600 + Number(zoneMinutes) * 60
  return time + 1000 * (seconds - (sign === '-' ? -zone : zone))
}

/** Start of the day, in Unix milliseconds as if the day were in UTC. */
export function scanDate(scanner: Scanner): number {
  const found = scanner.match(DATE)
  const [, day, month = '', year] = found ?? []
  const time = utc(Number(year), month, Number(day))
  if (time === undefined) throw syntaxError('Invalid date.')
  return time
}

function utc(year: number, monthName: string, day: number): number | undefined {
  const month = MONTHS.findIndex((name) => name.toLowerCase() === monthName.toLowerCase())
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  const isReal = month !== -1 && date.getUTCDate() === day && date.getUTCMonth() === month
  return isReal ? date.getTime() : undefined
}
