const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const DATE = new RegExp(
  [
    /^\s*(?:[a-z]{1,9}\s*,?\s*)?/.source,
    /(?<day>\d{1,2})[\s-]+(?<month>[a-z]{3})[a-z]{0,6}[\s-]+(?<year>\d{2,4})/.source,
    /\s+(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2}))?/.source,
    /(?:\s*(?<sign>[+-])(?<offsetHours>\d{2})(?<offsetMinutes>\d{2})|\s*(?<zone>[a-z]{1,5}))?/
      .source
  ].join(''),
  'i'
)

/** Names of RFC 5322 4.3, in hours; all others count as UTC. */
const ZONES: Readonly<Record<string, number>> = {
  edt: -4,
  est: -5,
  cdt: -5,
  cst: -6,
  mdt: -6,
  mst: -7,
  pdt: -7,
  pst: -8
}

export interface MailDate {
  /** In Unix milliseconds. */
  readonly time: number
  /** Of its time zone, east of UTC. */
  readonly offsetMinutes: number
}

/** The date of a header field (RFC 5322 3.3, and older forms); undefined if it is malformed. */
export function parseMailDate(value: string): MailDate | undefined {
  // Comments may be between all parts; nested ones are not worth more code.
  const groups = DATE.exec(value.slice(0, 200).replace(/\([^()]*\)/g, ' '))?.groups
  if (groups === undefined) return undefined
  const numberOf = (name: string) => Number(groups[name] ?? 0)
  const month = MONTHS.indexOf((groups.month ?? '').toLowerCase())
  const [day, hour, minute, second] = ['day', 'hour', 'minute', 'second'].map(numberOf)
  if (month === -1 || !isValidTime(day, hour, minute, second)) return undefined
  const year = fullYear(groups.year ?? '')
  const offsetMinutes = readOffset(groups)
  const time = Date.UTC(year, month, day, hour, minute, second) - offsetMinutes * 60_000
  return { time, offsetMinutes }
}

function isValidTime(day = 0, hour = 0, minute = 0, second = 0): boolean {
  return day >= 1 && day <= 31 && hour <= 23 && minute <= 59 && second <= 60
}

/** RFC 5322 4.3. */
function fullYear(digits: string): number {
  const year = Number(digits)
  if (digits.length === 2) return year < 50 ? 2000 + year : 1900 + year
  return digits.length === 3 ? 1900 + year : year
}

function readOffset(groups: Readonly<Record<string, string | undefined>>): number {
  if (groups.sign === undefined) return 60 * (ZONES[(groups.zone ?? '').toLowerCase()] ?? 0)
  const minutes = 60 * Number(groups.offsetHours) + Number(groups.offsetMinutes)
  return groups.sign === '-' ? -minutes : minutes
}
