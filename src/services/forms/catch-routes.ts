import createError from '@fastify/error'
import type { FastifyInstance } from 'fastify'
import { formAction } from '../../kernel/admin-guard.ts'
import { sendPage } from '../../kernel/send-page.ts'
import type { Kernel } from '../../kernel/service.ts'
import type { Catch } from './catch.ts'
import { catchPage } from './catch-page.ts'

export const NotAForm = createError(
  'NOT_A_FORM',
  'The body must be an object with the strings email and fullName',
  400
)

const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Routes below `/forms` of the console, which checks access. */
export function catchRoutes(
  console: FastifyInstance,
  caught: Catch,
  { localUrl, formToken }: Pick<Kernel, 'localUrl' | 'formToken'>
): void {
  const clearUrl = formAction(`${console.prefix}/catch/clear`, formToken)
  console.post('/catch', { config: { acceptsOwnCalls: true } }, async (request) => {
    const { email, fullName }: Partial<Record<string, unknown>> = Object(request.body)
    if (typeof email !== 'string' || typeof fullName !== 'string') throw new NotAForm()
    const { id } = caught.add({ email, fullName }, request.headers)
    return { status: 'success', id }
  })
  console.get('/catch.json', async () => caught.list())
  console.get('/catch', async (_request, reply) =>
    sendPage(reply, catchPage(caught.list(), localUrl(), clearUrl))
  )
  // The button posts an empty form, whose content type needs a parser.
  console.addContentTypeParser(FORM_TYPE, { parseAs: 'string' }, (_request, _body, done) => {
    done(null)
  })
  console.post('/catch/clear', async (_request, reply) => {
    caught.clear()
    return reply.redirect(`${console.prefix}/catch`, 303)
  })
}
