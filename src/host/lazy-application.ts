import type { FastifyError } from 'fastify'
import type { Kernel, Mounted, Service } from '../kernel/service.ts'
import type { Application } from './application.ts'
import { writeError } from './listener.ts'

type Serving = Pick<Application, 'handler' | 'close'>

/** Creates the service's Fastify instance with its routes. */
export async function loadApplication(
  { renderError, server }: Service,
  { routes }: Mounted,
  { presentError }: Pick<Kernel, 'presentError'>,
  report: (error: Error) => void
): Promise<Serving> {
  const { createApplication } = await import('./application.ts')
  const application = createApplication(renderError, report, presentError, server)
  await routes?.(application.app)
  await application.app.ready()
  return application
}

/** Creates the Fastify instance at the first request; until then Fastify is not loaded. */
export function createLazyApplication(
  service: Service,
  mounted: Mounted,
  kernel: Pick<Kernel, 'presentError'>,
  report: (error: Error) => void
): Serving {
  let loading: Promise<Serving> | undefined

  /** After an error, such as a database that cannot be reached, the next request tries again. */
  async function load(): Promise<Serving> {
    loading ??= loadApplication(service, mounted, kernel, report)
    const current = loading
    try {
      return await current
    } catch (error) {
      if (loading === current) loading = undefined
      throw error
    }
  }

  return {
    async handler(request, response) {
      try {
        const { handler } = await load()
        // If the client has disconnected meanwhile, its `close` event has already fired.
        if (!response.destroyed) handler(request, response)
      } catch (error) {
        report(error as Error)
        writeError(response, service.renderError(error as FastifyError))
      }
    },
    async close() {
      const application = await loading?.catch(() => undefined)
      await application?.close()
    }
  }
}
