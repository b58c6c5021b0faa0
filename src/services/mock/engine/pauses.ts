import type { Exchange } from './exchange.ts'
import { countAsHeld, type Hold } from './hold.ts'

/** Deliberate delays, which end early if the client disconnects or the signal is aborted. */
export interface Pauses {
  /** Throws if too many requests are delayed. */
  wait: (milliseconds: number, exchange: Exchange, signal?: AbortSignal) => Promise<void>
  /** Ends all delays at once. */
  close: () => void
}

export function createPauses(hold: Hold | undefined): Pauses {
  const endings = new Set<() => void>()
  let isOpen = true
  return {
    async wait(milliseconds, exchange, signal) {
      if (!isOpen || milliseconds <= 0 || signal?.aborted) return
      countAsHeld(exchange, hold)
      const socket = exchange.arrived.request?.socket
      await new Promise<void>((resolve) => {
        // The connection keeps the process alive; the timer must not.
        const timer = setTimeout(end, milliseconds).unref()
        function end(): void {
          clearTimeout(timer)
          endings.delete(end)
          signal?.removeEventListener('abort', end)
          socket?.off('close', end)
          resolve()
        }
        endings.add(end)
        signal?.addEventListener('abort', end)
        socket?.once('close', end)
      })
    },
    close() {
      isOpen = false
      for (const end of endings) end()
    }
  }
}
