/** Reason why the tables cannot be used at the moment; undefined if they can. */
export type Availability = () => Promise<string | undefined>

interface Limits {
  /** Probes must get a response soon, also while the database is silent. */
  longestMs: number
  /** Probes within this time share a result, because anyone may send them. */
  reuseMs: number
}

const LIMITS: Limits = { longestMs: 2_000, reuseMs: 1_000 }

interface Check {
  started: number
  reason: Promise<string | undefined>
}

/** At most one check runs at a time, and at most one per second. */
export function createAvailability(
  check: Availability,
  silent: string,
  { longestMs, reuseMs }: Limits = LIMITS
): Availability {
  let running: Check | undefined
  let lastReason: string | undefined
  let reusableUntil = 0

  async function run(): Promise<string | undefined> {
    lastReason = await check()
    reusableUntil = performance.now() + reuseMs
    running = undefined
    return lastReason
  }

  return async () => {
    if (performance.now() < reusableUntil) return lastReason
    running ??= { started: performance.now(), reason: run() }
    const left = running.started + longestMs - performance.now()
    if (left <= 0) return silent
    return withDeadline(running.reason, left, silent)
  }
}

async function withDeadline<T>(value: Promise<T>, deadlineMs: number, late: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<T>((resolve) => {
    timer = setTimeout(resolve, deadlineMs, late)
  })
  try {
    return await Promise.race([value, deadline])
  } finally {
    clearTimeout(timer)
  }
}
