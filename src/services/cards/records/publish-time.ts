import { parseTime } from './parse-time.ts'

/** Years from now that a publication can be scheduled. */
export const MAX_PUBLISH_YEARS = 10

const WITH_ZONE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/

/**
 * The time as it is stored. Undefined unless it is ISO 8601 with a zone: the clock of a site's owner
 * is rarely that of the server.
 */
export function parsePublishTime(text: string): string | undefined {
  const time = WITH_ZONE.test(text) ? parseTime(text) : undefined
  return time === undefined ? undefined : new Date(time).toISOString()
}

export function isTooLate(publishAt: string, now: string): boolean {
  const last = new Date(now)
  last.setUTCFullYear(last.getUTCFullYear() + MAX_PUBLISH_YEARS)
  return publishAt > last.toISOString()
}
