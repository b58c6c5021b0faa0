import type { FastifyError } from 'fastify'
import type { LateMounted, LateService } from '../kernel/service.ts'
import type { Application } from './application.ts'
import { writeFailure } from './listener.ts'

/** The same from the first request on; until then nothing of it is read from the disk. */
export function createLateApplication(
  { renderFailure, server }: LateService,
  { routes }: LateMounted,
  report: (error: Error) => void
): Pick<Application, 'handler' | 'close'> {
  let opening: Promise<Application> | undefined

  async function open(): Promise<Application> {
    const { createApplication } = await import('./application.ts')
    const application = createApplication(renderFailure, report, server)
    await routes(application.app)
    await application.app.ready()
    return application
  }

  return {
    async handler(request, response) {
      opening ??= open()
      try {
        const { handler } = await opening
        // Whoever left meanwhile would never be seen leaving.
        if (!response.destroyed) handler(request, response)
      } catch (error) {
        report(error as Error)
        writeFailure(response, renderFailure(error as FastifyError))
      }
    },
    close: async () => opening?.then(({ close }) => close())
  }
}
