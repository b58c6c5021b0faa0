import type { LockTiming } from '../../src/kernel/database/postgres-lock.ts'

/** In the proportions of the real one; a busy machine may pause a test for longer than a tenth. */
export const SHORT_TIMING: LockTiming = {
  pauseMs: 200,
  timeoutMs: 1_600,
  validMs: 4_000,
  silentMs: 6_000
}
