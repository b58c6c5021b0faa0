import createError from '@fastify/error'
import type { FastifyInstance } from 'fastify'
import type { Catch } from './catch.ts'

export const NotAForm = createError(
  'NOT_A_FORM',
  'The body must be an object with the strings email and fullName',
  400
)

/** The sample webhook, below `/forms` of the console, which checks access. */
export function catchRoutes(console: FastifyInstance, caught: Catch): void {
  console.post('/catch', { config: { acceptsOwnCalls: true } }, async (request) => {
    const { email, fullName, ...additional }: Partial<Record<string, unknown>> = Object(
      request.body
    )
    if (typeof email !== 'string' || typeof fullName !== 'string') throw new NotAForm()
    const { id } = caught.add({ email, fullName }, additional, request.headers)
    return { status: 'success', id }
  })
  console.get('/catch.json', async () => caught.list())
  console.get('/catch', async (_request, reply) => reply.redirect(`${console.prefix}/`, 303))
}
