/** The same text is printed once in this time. */
const INTERVAL_MS = 60_000
const MAX_TEXTS = 100

/**
 * Tells the operator of errors that are not those of a mail server: of the database, or defects of
 * ours. Many accounts have the same one at the same time.
 */
export function createReport(
  warn: (text: string) => void,
  now: () => number = () => performance.now()
): (error: unknown) => void {
  const printed = new Map<string, number>()
  return (error) => {
    const reason = error instanceof Error ? error.message : String(error)
    const time = now()
    const last = printed.get(reason)
    if (last !== undefined && time - last < INTERVAL_MS) return
    if (printed.size >= MAX_TEXTS) printed.clear()
    printed.set(reason, time)
    warn(`accounts cannot be watched now: ${reason}`)
  }
}
