import type { Send } from './config.ts'

/** Sends at most `limit` requests at a time; others wait in order, within their own timeout. */
export function limitParallel(send: Send, limit: number): Send {
  const waiting = new Set<() => void>()
  let running = 0

  function enter(timeoutMs: number): Promise<void> {
    if (running < limit) {
      running++
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(admit)
        reject(Object.assign(new Error('Too many concurrent requests'), { code: 'TIMEOUT' }))
      }, timeoutMs)
      function admit(): void {
        clearTimeout(timer)
        resolve()
      }
      waiting.add(admit)
    })
  }

  /** Starts the request that has waited longest. */
  function leave(): void {
    const [admit] = waiting
    if (admit === undefined) running--
    else {
      waiting.delete(admit)
      admit()
    }
  }

  return async function sendInTurn(url, request) {
    const asked = performance.now()
    await enter(request.timeoutMs)
    const timeoutMs = Math.max(1, Math.ceil(request.timeoutMs - (performance.now() - asked)))
    return send(url, { ...request, timeoutMs }).finally(leave)
  }
}
