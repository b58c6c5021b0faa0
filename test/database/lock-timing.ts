import type { LockTiming } from '../../src/kernel/database/postgres-lock.ts'

/** In the proportions of the real one; a busy machine may pause a test for longer than a tenth. */
export const SHORT_TIMING: LockTiming = {
  pauseMs: 100,
  timeoutMs: 400,
  validMs: 1_000,
  silentMs: 1_500
}
