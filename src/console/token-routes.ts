import type { FastifyInstance } from 'fastify'
import type { TokenService } from './tokens.ts'

/** Of the body of a request for a new token. */
const MAX_BODY_BYTES = 16 * 1024

/** Tokens of a service, below `/<service>/tokens`; what handles them is loaded at first use. */
export function tokenRoutes(app: FastifyInstance, running: TokenService): void {
  const load = () => import('./tokens.ts')
  app.post('/tokens', { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
    const { createToken } = await load()
    return reply.code(201).send(await createToken(running, request.body))
  })
  app.get('/tokens', async () => {
    const { listTokens } = await load()
    return listTokens(running)
  })
  app.delete<{ Params: { id: string } }>('/tokens/:id', async (request) => {
    const { revokeToken } = await load()
    return revokeToken(running, request.params.id)
  })
}
