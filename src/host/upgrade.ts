import type { FastifyError } from 'fastify'
import type { Mounted, Service } from '../kernel/service.ts'
import { type ListenerOptions, writeError } from './listener.ts'
import type { Reporter } from './reporter.ts'

/** The service's handler of WebSocket handshakes, with its errors reported and rendered. */
export function upgradeOf(
  reporter: Reporter,
  { service, mounted }: { service: Service; mounted: Mounted }
): ListenerOptions['upgrade'] {
  const { upgrade } = mounted
  if (upgrade === undefined) return undefined
  return async (request, response) => {
    try {
      await upgrade(request, response)
    } catch (error) {
      reporter.onUnexpectedError(service.name, error as Error)
      if (response.headersSent || response.statusCode === 101) response.destroy()
      else writeError(response, service.renderError(error as FastifyError))
    }
  }
}
