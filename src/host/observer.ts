import type { RequestListener } from 'node:http'
import { parseRequestTarget } from '../kernel/request-target.ts'
import type { Metrics } from './metrics.ts'
import type { RequestLog } from './request-log.ts'

/** Wraps a handler to count and log every request of one service. */
export type Observer = (handler: RequestListener) => RequestListener

interface Observed {
  service: string
  /** The path as the log shows it; undefined if it may show any. */
  maskPath?: ((path: string) => string) | undefined
}

export function createObserver(
  { service, maskPath }: Observed,
  metrics: Metrics,
  log: RequestLog | undefined
): Observer {
  const record = metrics.forService(service)
  const shown = (url = '') =>
    maskPath === undefined ? url : maskPath(parseRequestTarget(url).path)

  function done(status: number, started: number, method?: string, url?: string): void {
    const ended = performance.now()
    const milliseconds = ended - started
    record(status, milliseconds, ended)
    log?.({ service, method, url: shown(url), status, milliseconds })
  }

  return (handler) =>
    function observe(request, response) {
      const started = performance.now()
      // Read before the handler, because a service may rewrite the URL.
      const { method, url } = request
      handler(request, response)
      // A prepared response has already ended; a listener would cost more than counting it here.
      if (response.writableEnded) done(response.statusCode, started, method, url)
      else response.on('close', () => done(response.statusCode, started, method, url))
    }
}
