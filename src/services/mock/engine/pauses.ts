/** Deliberate delays, which end early if the signal is aborted. */
export interface Pauses {
  wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** Ends all delays at once. */
  close: () => void
}

export function createPauses(): Pauses {
  const endings = new Set<() => void>()
  let isOpen = true
  return {
    wait(milliseconds, signal) {
      if (!isOpen || milliseconds <= 0 || signal?.aborted) return Promise.resolve()
      return new Promise((resolve) => {
        // The connection keeps the process alive; the timer must not.
        const timer = setTimeout(end, milliseconds).unref()
        function end(): void {
          clearTimeout(timer)
          endings.delete(end)
          signal?.removeEventListener('abort', end)
          resolve()
        }
        endings.add(end)
        signal?.addEventListener('abort', end)
      })
    },
    close() {
      isOpen = false
      for (const end of endings) end()
    }
  }
}
