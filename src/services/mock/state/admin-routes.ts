import createError from '@fastify/error'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { StateView } from './view.ts'

export const StateOff = createError(
  'STATE_OFF',
  'Nothing is kept here: start the mock with --state',
  404
)
export const CollectionUnknown = createError<[string]>(
  'COLLECTION_UNKNOWN',
  'The documents have no collection %s; see /__nonet/state',
  404
)

type Query = Readonly<Record<string, string | string[] | undefined>>

/** What lies in the collections, as JSON, and the way back to the seed. */
export function stateRoutes(
  app: FastifyInstance,
  state: StateView | undefined,
  protect: (request: FastifyRequest) => void
): void {
  function enter(request: FastifyRequest): { state: StateView; query: Query } {
    protect(request)
    if (state === undefined) throw new StateOff()
    return { state, query: request.query as Query }
  }

  app.get('/__nonet/state', async (request) => {
    const { state, query } = enter(request)
    const session = textOf(query.session)
    const path = textOf(query.path)
    if (path === undefined) {
      const [collections, sessions] = await Promise.all([
        state.collections(session),
        state.sessions()
      ])
      return { collections, sessions }
    }
    const records = await state.records(path, session)
    if (records === undefined) throw new CollectionUnknown(path)
    return { path, records }
  })

  async function reset(request: FastifyRequest): Promise<object> {
    const { state, query } = enter(request)
    const session = textOf(query.session)
    await state.reset(session)
    return { reset: session ?? 'all' }
  }
  app.delete('/__nonet/state', reset)
  app.post('/__nonet/state/reset', reset)
}

function textOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
