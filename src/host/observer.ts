import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Metrics } from './metrics.ts'
import type { RequestLog } from './request-log.ts'

/** Sees every request of one service, whoever answers it. */
export type Observer = (request: IncomingMessage, response: ServerResponse) => void

export function createObserver(
  service: string,
  metrics: Metrics,
  log: RequestLog | undefined
): Observer {
  const record = metrics.forService(service)
  return function observe(request, response) {
    const started = performance.now()
    // A service may rewrite the URL before it routes.
    const { method, url } = request
    response.on('close', () => {
      const milliseconds = performance.now() - started
      record(response.statusCode, milliseconds)
      log?.({ service, method, url, status: response.statusCode, milliseconds })
    })
  }
}
