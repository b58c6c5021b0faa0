/** The pause between two rounds of a loop, which something else may end. */
export interface LoopPause {
  wait: (ms: number) => Promise<void>
  /** Ends the pause; outside a pause, the next one does not begin. */
  wake: () => void
}

export function createLoopPause(): LoopPause {
  let isAwake = false
  let end = () => {}
  return {
    async wait(ms) {
      if (!isAwake) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms).unref()
          end = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      isAwake = false
    },
    wake() {
      isAwake = true
      end()
    }
  }
}
