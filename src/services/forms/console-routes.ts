import type { FastifyInstance } from 'fastify'
import { serviceUrlFor } from '../../kernel/base-url.ts'
import { browserModulesIn } from '../../kernel/browser-modules.ts'
import type { ChangeStreams } from '../../kernel/change-streams.ts'
import { RouteNotFound } from '../../kernel/errors.ts'
import { formAction } from '../../kernel/form-token.ts'
import { frameWith, sendPage } from '../../kernel/send-page.ts'
import type { Kernel } from '../../kernel/service.ts'
import type { Catch } from './catch.ts'
import type { FormConfig, FormDeps } from './config.ts'
import { sendForm } from './handle.ts'
import type { Inbox } from './inbox.ts'
import { pageOf, parseId } from './pages/paging.ts'
import type { FormOptions } from './start-check.ts'
import { readContents } from './submission.ts'
import { createTrials } from './trial.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'
const modules = browserModulesIn(new URL('./pages/browser/', import.meta.url))

export interface ConsoleContext {
  kernel: Kernel
  options: FormOptions
  config: () => FormConfig
  deps: FormDeps
  inbox: Inbox
  caught: Catch
  live: ChangeStreams
}

type Query = { Querystring: Readonly<Record<string, unknown>> }
type ById = { Params: { id: string } }

/** Routes below `/forms` of the console, which checks access. */
export function consoleRoutes(console: FastifyInstance, context: ConsoleContext): void {
  const { kernel, options, config, deps, inbox, caught, live } = context
  const { prefix, frameOf } = console
  const trials = createTrials(options, kernel)
  const home = `${prefix}/`
  frameWith(console, (request) => ({ ...frameOf(request), service: 'forms' }))
  console.addContentTypeParser(FORM_TYPE, { parseAs: 'string' }, (_request, body, done) => {
    done(null, body)
  })
  console.get<Query>('/', async (request, reply) => {
    const { query } = request
    const { formsPage } = await import('./pages/forms-page.ts')
    const { submissions, ...paging } = pageOf(inbox.list(), query)
    const page = formsPage({
      ...paging,
      prefix,
      actionOf: (path) => formAction(request, prefix + path),
      url: serviceUrlFor(request, kernel.localUrl()),
      options,
      trial: trials.find(parseId(query.tried)),
      submissions: await Promise.all(
        submissions.map(async (submission) => ({
          submission,
          contents: await readContents(submission, config())
        }))
      )
    })
    return sendPage(reply, page)
  })
  console.post('/try', async ({ body, headers }, reply) => {
    const fields = new URLSearchParams(typeof body === 'string' ? body : '')
    const { number } = await trials.run(fields, headers)
    return reply.redirect(`${home}?tried=${number}#tried`, 303)
  })
  console.post<ById>('/submissions/:id/send', async ({ params }, reply) => {
    const id = parseId(params.id)
    const submission = inbox.find(id)
    const { form } = submission === undefined ? {} : await readContents(submission, config())
    if (form !== undefined) {
      const { outcome } = await sendForm(form, config(), deps)
      inbox.addAttempt(id, { when: kernel.now(), outcome })
    }
    return reply.redirect(`${home}?shown=${id}#s${id}`, 303)
  })
  console.post('/catch/clear', async (_request, reply) => {
    caught.clear()
    inbox.clear()
    return reply.redirect(home, 303)
  })
  console.get('/events', (_request, reply) => {
    // EventSource does not reconnect after a 204.
    if (!live.follow(reply.raw, inbox.watch)) return reply.code(204).send()
    return reply.hijack()
  })
  console.get('/live-inbox.js', (request, reply) => {
    const found = modules.respond('live-inbox', request.headers['if-none-match'])
    if (found === undefined) throw new RouteNotFound(request.method, request.url)
    return reply.code(found.status).headers(found.headers).send(found.body)
  })
}
