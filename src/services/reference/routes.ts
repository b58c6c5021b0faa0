import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { methodsExcept } from '../../kernel/any-method.ts'
import type { BaseUrl } from '../../kernel/base-url.ts'
import { PAGE_HEADERS, renderPage } from '../../kernel/page.ts'
import { type PreparedResponse, sendPrepared } from '../../kernel/prepared-response.ts'
import { toOriginForm } from '../../kernel/request-target.ts'
import type { AnswerReady } from '../../kernel/service.ts'
import { COMMON_HEADERS, describeFailure, MethodNotAllowed, NotFound, TYPES } from './contract.ts'
import { type Endpoint, type Endpoints, listName, recordName } from './endpoints.ts'
import { findForm } from './negotiation.ts'
import { answerOptions } from './options.ts'
import { failurePage } from './pages/failure.ts'
import { createReadyAnswers } from './ready-answers.ts'
import { renderAnswer } from './render.ts'
import { readVisit, wantsPage } from './visit.ts'

/** Only the routes of records have an id. */
interface WithId {
  Params: { id: string }
}
type RecordRequest = FastifyRequest<WithId>

export interface ReferenceDesk {
  routes: (app: FastifyInstance) => void
  answerReady: AnswerReady
  /** What was rendered so far is of another data set. */
  forget: () => void
}

/** `endpoints` is asked at each request, because a reset may have changed the data set. */
export function referenceRoutes(baseUrl: BaseUrl, endpoints: () => Endpoints): ReferenceDesk {
  const ready = createReadyAnswers()

  function serve(
    { raw }: FastifyRequest,
    reply: FastifyReply,
    render: () => PreparedResponse
  ): void {
    const answer = render()
    const form = findForm(raw.headers.accept)
    if (form !== undefined) ready.keep(baseUrl(raw), form, raw.url ?? '', answer)
    reply.hijack()
    sendPrepared(raw, reply.raw, answer)
  }

  function serveEndpoint(request: FastifyRequest, reply: FastifyReply, find: () => Endpoint): void {
    serve(request, reply, () => {
      const visit = readVisit(request.raw, baseUrl)
      return renderAnswer(find(), visit)
    })
  }

  function routes(app: FastifyInstance): void {
    offerEndpoint('/', 'Api Root', () => endpoints().root)
    offerEndpoint('/api', 'Api Root', () => endpoints().root)
    offerEndpoint('/api/all.json', 'Everything', () => endpoints().everything)
    for (const type of TYPES) {
      offerEndpoint(`/api/${type}`, listName(type), () => endpoints().list(type))
      offerEndpoint(`/api/${type}/schema`, recordName(type), () => endpoints().schema(type))
      offerEndpoint(`/api/${type}/:id`, recordName(type), (id) => endpoints().records(type, id))
      offer(app, `/api/${type}/:id/image.svg`, recordName(type), (request, reply) =>
        serve(request, reply, () => endpoints().image(type, request.params.id))
      )
    }
    refuseTheRest(app)
    showFailuresAsPages(app)

    function offerEndpoint(path: string, name: string, find: (id: string) => Endpoint): void {
      offer(app, path, name, (request, reply) =>
        serveEndpoint(request, reply, () => find(request.params.id))
      )
    }
  }

  function answerReady(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    const form = findForm(request.headers.accept)
    const answer = form && ready.find(baseUrl(request), form, toOriginForm(request.url ?? ''))
    if (answer === undefined) return false
    sendPrepared(request, response, answer)
    return true
  }

  return { routes, answerReady, forget: ready.forget }
}

/** Both spellings, with and without the slash, without a redirect. */
function offer(
  app: FastifyInstance,
  path: string,
  name: string,
  handler: (request: RecordRequest, reply: FastifyReply) => void
): void {
  const paths = path === '/' ? [path] : [path, `${path}/`]
  for (const url of paths) {
    app.get<WithId>(url, handler)
    app.options(url, (request, reply) => answerOptions(request, reply, name))
  }
}

/** No address takes another method, so a body is refused before it is read. */
function refuseTheRest(app: FastifyInstance): void {
  app.get('*', () => {
    throw new NotFound()
  })
  app.options('*', (request, reply) => answerOptions(request, reply, undefined))
  const refused = methodsExcept('GET', 'HEAD', 'OPTIONS', 'CONNECT')
  for (const method of refused) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
  app.route({ method: refused, url: '*', onRequest: refuseMethod, handler: refuseMethod })
}

async function refuseMethod({ method }: FastifyRequest): Promise<void> {
  throw new MethodNotAllowed(method)
}

function showFailuresAsPages(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const { status, detail } = describeFailure(error)
    if (status >= 500 || !wantsPage(request.raw)) throw error
    const page = renderPage(failurePage(status, detail))
    return reply
      .code(status)
      .headers({ ...COMMON_HEADERS, ...PAGE_HEADERS })
      .send(page)
  })
}
