import { findLockSession, processOf } from '../kernel/database/lock-sessions.ts'
import { describeProcess } from '../kernel/database/session-lock.ts'
import type { ReadRows } from '../kernel/files/compare.ts'
import type { Service } from '../kernel/service.ts'
import type { Diagnosis } from './diagnosis.ts'

/** Says which process does the work that only one of them does. */
export async function diagnoseLocks(
  locks: NonNullable<Service['locks']>,
  read: ReadRows
): Promise<readonly Diagnosis[]> {
  const findings: Diagnosis[] = []
  for (const [name, what] of Object.entries(locks)) {
    const session = await read(() => findLockSession(name))
    const holder = session && processOf(session.name)
    const other = session === undefined ? 'no process' : 'an unknown process'
    findings.push({
      ok: true,
      what,
      note: `by ${holder === undefined ? other : describeProcess(holder)}`
    })
  }
  return findings
}
