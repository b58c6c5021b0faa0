import { hostname } from 'node:os'

/**
 * A lock that one process at a time has of all that share the tables, for work that must not be
 * done twice. It is not a fence: a process that was paused may do some work before it notices that
 * another one has the lock, so transactions must check what they write.
 */
export interface SessionLock {
  /** Whether this process has it now; false while the connection to the server is lost. */
  isHeld: () => boolean
  /** The process that has it, as last seen, some seconds ago at most. */
  holder: () => LockHolder | undefined
  /** Leaves the lock to other processes; the listener is not called any more. */
  stop: () => Promise<void>
}

/**
 * Called with true when this process gets the lock, with false when another one may have it, and
 * whenever it is seen that a process has it that had not. A lost connection is not told if the lock
 * is taken again in time.
 */
export type LockListener = (isHeld: boolean) => void

/** A process with a lock. */
export interface LockHolder {
  readonly pid: number
  readonly host: string
  /** Unix milliseconds by its own clock. */
  readonly startedAt: number
  readonly isThisProcess: boolean
}

export interface SessionLocks {
  /** Waits for the lock, and again after it is lost. Names have no spaces, and are opened once. */
  openLock: (name: string, listener: LockListener) => SessionLock
  /** The process that has the lock now. */
  findLockHolder: (name: string) => Promise<LockHolder | undefined>
  /** The process that had the lock when it was last looked for here; only for open locks. */
  lastLockHolder: (name: string) => LockHolder | undefined
}

export function describeProcess({ pid, host }: Pick<LockHolder, 'pid' | 'host'>): string {
  return `process ${pid} on ${host}`
}

export function thisProcess(): LockHolder {
  const startedAt = Math.round(performance.timeOrigin)
  return { pid: process.pid, host: hostname(), startedAt, isThisProcess: true }
}

/** The second one would wait for the first one of the same process. */
export function isOpenAlready(name: string): Error {
  return new Error(`The lock ${name} is open already`)
}

/** For tables that no other process uses: a lock is had from its opening on. */
export function createLocalLocks(): SessionLocks {
  const open = new Set<string>()
  return {
    openLock(name, listener) {
      if (open.has(name)) throw isOpenAlready(name)
      let isOpen = true
      open.add(name)
      queueMicrotask(() => {
        if (isOpen) listener(true)
      })
      return {
        isHeld: () => isOpen,
        holder: () => (isOpen ? thisProcess() : undefined),
        async stop() {
          if (isOpen) open.delete(name)
          isOpen = false
        }
      }
    },
    findLockHolder: async (name) => (open.has(name) ? thisProcess() : undefined),
    lastLockHolder: (name) => (open.has(name) ? thisProcess() : undefined)
  }
}
