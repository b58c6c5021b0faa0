import type { FastifyInstance } from 'fastify'
import { RouteNotFound } from '../../../kernel/errors.ts'
import type { StatusContext } from '../context.ts'
import type { Receiver } from './receiver.ts'

/** Routes of the console for the commands: `import/protocol.ts` describes those of the import. */
export function consoleRoutes(console: FastifyInstance, context: StatusContext): void {
  let loading: Promise<Receiver> | undefined

  /** Loaded at the first import, because it needs the validator and the code for images. */
  function load(): Promise<Receiver> {
    loading ??= import('./receiver.ts').then(({ createReceiver }) => createReceiver(context))
    return loading
  }

  // Bodies are not parsed, whatever their content type.
  console.removeAllContentTypeParsers()
  console.addContentTypeParser('*', (_request, _payload, done) => done(null))
  console.get('/export/*', async (request, reply) => {
    const { handleExport } = await import('../export/handle-export.ts')
    return handleExport(context, request, reply)
  })
  console.post<{ Params: { step: string } }>('/import/:step', async (request) => {
    const receiver = await load()
    const { step } = request.params
    const receive = Object.hasOwn(receiver, step) ? receiver[step] : undefined
    if (receive === undefined) throw new RouteNotFound(request.method, request.url)
    return receive(request.raw)
  })
}
