import type { LockListener } from './session-lock.ts'

/** What a process knows about a lock that it has: it is valid for some time after each proof. */
export interface LockLease {
  isValid: () => boolean
  /**
   * The server has confirmed the lock by a statement that was sent at this time. False if that is
   * too long ago, because the process was paused.
   */
  renew: (sentAt: number) => boolean
  /** Another process has the lock, or may have it. False if the listener knows. */
  end: () => boolean
}

/** `expired` is called when there was no proof for `validMs`, before the listener. */
export function createLockLease(
  validMs: number,
  listener: LockListener,
  expired: () => void
): LockLease {
  let isTold: boolean | undefined
  let validUntil = 0
  let deadline: NodeJS.Timeout | undefined

  function tell(isHeld: boolean): boolean {
    if (isTold === isHeld) return false
    isTold = isHeld
    listener(isHeld)
    return true
  }

  function end(): boolean {
    clearTimeout(deadline)
    validUntil = 0
    return tell(false)
  }

  function expire(): void {
    expired()
    end()
  }

  return {
    isValid: () => performance.now() < validUntil,
    renew(sentAt) {
      clearTimeout(deadline)
      validUntil = sentAt + validMs
      const leftMs = validUntil - performance.now()
      if (leftMs <= 0) {
        end()
        return false
      }
      deadline = setTimeout(expire, leftMs).unref()
      tell(true)
      return true
    },
    end
  }
}
