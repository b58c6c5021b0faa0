import type { TableAccess } from './database.ts'
import { findLockSession, processOf } from './lock-sessions.ts'
import { type LockContext, openPostgresLock } from './postgres-lock.ts'
import { isOpenAlready, type SessionLock, type SessionLocks, thisProcess } from './session-lock.ts'

export function createPostgresLocks(context: LockContext, read: TableAccess['read']): SessionLocks {
  const open = new Map<string, SessionLock>()
  return {
    openLock(name, listener) {
      if (open.has(name)) throw isOpenAlready(name)
      const lock = openPostgresLock(context, name, listener)
      open.set(name, lock)
      return {
        ...lock,
        async stop() {
          await lock.stop()
          if (open.get(name) === lock) open.delete(name)
        }
      }
    },
    async findLockHolder(name) {
      if (open.get(name)?.isHeld() === true) return thisProcess()
      const session = await read(() => findLockSession(name))
      const holder = session && processOf(session.name)
      return holder && { ...holder, isThisProcess: false }
    },
    lastLockHolder: (name) => open.get(name)?.holder()
  }
}
