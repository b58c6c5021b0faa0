import type { FastifyInstance } from 'fastify'
import { RouteNotFound } from '../../kernel/errors.ts'
import { loadOnce } from '../../kernel/load-once.ts'
import type { CardContext } from './context.ts'
import { TEXT_TYPE } from './contract.ts'

/**
 * Routes of the console for the commands; `import-export/protocol.ts` describes those of the
 * import. What they need is loaded with the first request.
 */
export function consoleRoutes(console: FastifyInstance, context: CardContext): void {
  const load = loadOnce(async () => {
    const { createReceiver } = await import('./import-export/receive/receiver.ts')
    return createReceiver(context)
  })

  // Bodies are not parsed, whatever their content type.
  console.removeAllContentTypeParsers()
  console.addContentTypeParser('*', (_request, _payload, done) => done(null))
  console.get('/export/*', async (request, reply) => {
    const { handleExport } = await import('./import-export/export/handle-export.ts')
    return handleExport(context, request, reply)
  })
  console.get('/types', async ({ query }, reply) => {
    const { readTypes } = await import('./content/types-route.ts')
    return reply.type(TEXT_TYPE).send(await readTypes(context, query))
  })
  console.get('/check', async (request) => {
    const { handleCheck } = await import('./check/handle-check.ts')
    return handleCheck(context, request.url)
  })
  console.post<{ Params: { step: string } }>('/import/:step', async (request) => {
    const receiver = await load()
    const { step } = request.params
    const receive = Object.hasOwn(receiver, step) ? receiver[step] : undefined
    if (receive === undefined) throw new RouteNotFound(request.method, request.url)
    return receive(request.raw)
  })
}
