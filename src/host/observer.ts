import type { RequestListener } from 'node:http'
import type { Metrics } from './metrics.ts'
import type { RequestLog } from './request-log.ts'

/** Counts and logs every request of one service, whoever answers it. */
export type Observer = (handler: RequestListener) => RequestListener

export function createObserver(
  service: string,
  metrics: Metrics,
  log: RequestLog | undefined
): Observer {
  const record = metrics.forService(service)
  return (handler) =>
    function observe(request, response) {
      const started = performance.now()
      // A service may rewrite the URL before it routes.
      const { method, url } = request
      const done = () => {
        const milliseconds = performance.now() - started
        record(response.statusCode, milliseconds)
        log?.({ service, method, url, status: response.statusCode, milliseconds })
      }
      handler(request, response)
      // A prepared answer is handed over by now, and a listener would cost more than the count.
      if (response.writableEnded) done()
      else response.on('close', done)
    }
}
