import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { serviceUrlFor } from '../../../../kernel/base-url.ts'
import { browserModulesIn } from '../../../../kernel/browser-modules.ts'
import { RouteNotFound } from '../../../../kernel/errors.ts'
import { formAction } from '../../../../kernel/form-token.ts'
import { frameWith, sendPage } from '../../../../kernel/send-page.ts'
import type { ScenarioContext } from '../../context.ts'
import { type ScenarioError, WorkspaceUnknown } from '../../contract.ts'
import { merge } from '../../scenario/selection.ts'
import { ALL_WORKSPACES } from '../../store/store.ts'
import { resetWorkspace } from '../../workspace/reset.ts'
import { readRules } from '../../workspace/rules.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { withPushed } from './pushed-scenario.ts'

const MAX_RESET = 1_000_000
const FORM_TYPE = 'application/x-www-form-urlencoded'
const REJECTED = 422

const modules = browserModulesIn(new URL('./browser/', import.meta.url))

interface ByKey {
  Params: { key: string }
}

interface Queried {
  Querystring: { of?: unknown; before?: unknown; for?: unknown }
}

interface Rejected {
  readonly scenario: string
  readonly reason: string
  /** Of the workspace; undefined if it was meant for all pupils. */
  readonly key: string | undefined
}

/** The teacher's pages, below `/scenarios` of the console, which checks access. */
export function classroomRoutes(console: FastifyInstance, context: ScenarioContext): void {
  const { store, workspaces, kernel, notifications, live } = context
  const { prefix, frameOf } = console
  const home = `${prefix}/workspaces`
  frameWith(console, (request) => ({ ...frameOf(request), service: 'scenarios' }))
  console.addContentTypeParser(FORM_TYPE, { parseAs: 'string' }, (_request, body, done) => {
    done(null, new URLSearchParams(String(body)))
  })

  const serviceFor = (request: FastifyRequest) => serviceUrlFor(request, kernel.localUrl())

  async function showClass(
    request: FastifyRequest,
    reply: FastifyReply,
    { of, before, rejected }: { of?: string; before?: number; rejected?: Rejected }
  ): Promise<FastifyReply> {
    const { classroomPage } = await import('./classroom-page.ts')
    const { findByKey, readClass, readShown } = await import('./read-class.ts')
    const list = await readClass(context)
    const workspace = of === undefined ? undefined : await findByKey(context, of)
    if (of !== undefined && workspace === undefined) throw new WorkspaceUnknown()
    const page = classroomPage({
      home,
      actionOf: (path) => formAction(request, home + path),
      service: serviceFor(request),
      invitations: kernel.lanUrls().map((url) => `${url}/_demo`),
      list,
      shown: workspace && (await readShown(context, workspace, before)),
      isOlderPage: before !== undefined,
      rejected
    })
    return sendPage(reply, page)
  }

  async function getByKey(key: string): Promise<Workspace> {
    const { findByKey } = await import('./read-class.ts')
    const workspace = await findByKey(context, key)
    if (workspace === undefined) throw new WorkspaceUnknown()
    return workspace
  }

  /** Back to the page that was shown. */
  function leadBack(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const of = fieldOf(request, 'of')
    return reply.redirect(of === undefined ? home : `${home}?of=${encodeURIComponent(of)}`, 303)
  }

  /** Pushes the scenario of the form to one workspace, or to those of all pupils. */
  async function push(
    request: FastifyRequest,
    reply: FastifyReply,
    workspace?: { readonly id: string; readonly key: string }
  ): Promise<FastifyReply> {
    const isStop = fieldOf(request, 'stop') !== undefined
    const spec = (fieldOf(request, 'quick') ?? fieldOf(request, 'scenario') ?? '').trim()
    const reason = isStop ? undefined : problemOf(spec)
    if (reason !== undefined) {
      const rejected = { scenario: spec, reason, key: workspace?.key }
      const of = workspace?.key ?? fieldOf(request, 'of')
      return showClass(request, reply.code(REJECTED), { ...(of && { of }), rejected })
    }
    const change = (rules: string) => {
      const changed = withPushed(JSON.parse(rules), isStop ? undefined : spec)
      return JSON.stringify(readRules(changed, (text) => merge([text])))
    }
    if (workspace === undefined) await store.changeRulesOfPupils(change)
    else await store.changeRulesOf(workspace.id, change)
    return leadBack(request, reply)
  }

  console.get<Queried>('/workspaces', (request, reply) => {
    const { of, before } = request.query
    return showClass(request, reply, {
      ...(typeof of === 'string' && of !== '' && { of }),
      ...(typeof before === 'string' && /^\d{1,15}$/.test(before) && { before: Number(before) })
    })
  })
  console.get<Queried>('/workspaces/code', async (request, reply) => {
    const { codePage } = await import('./code-page.ts')
    const [first] = kernel.lanUrls()
    const services = first === undefined ? [] : kernel.frame(first).services
    const links = [
      ...(first === undefined ? [] : [{ name: undefined, url: `${first}/_demo` }]),
      ...services.map(({ name, href }) => ({ name, url: href }))
    ]
    const shown = links.find(({ name }) => name === request.query.for) ?? links[0]
    const { pupils } = await store.countWorkspaces()
    return sendPage(reply, codePage({ home, service: serviceFor(request), links, shown, pupils }))
  })
  console.get('/workspaces/events', (_request, reply) => {
    const watch = (listener: () => void) => notifications.subscribe(ALL_WORKSPACES, listener)
    // EventSource does not reconnect after a 204.
    if (!live.follow(reply.raw, watch)) return reply.code(204).send()
    return reply.hijack()
  })
  console.get('/workspaces/live-classroom.js', (request, reply) => {
    const found = modules.respond('live-classroom', request.headers['if-none-match'])
    if (found === undefined) throw new RouteNotFound(request.method, request.url)
    return reply.code(found.status).headers(found.headers).send(found.body)
  })
  console.post('/workspaces/push', (request, reply) => push(request, reply))
  console.post<ByKey>('/workspaces/:key/push', async (request, reply) => {
    const { key } = request.params
    const { id } = await getByKey(key)
    return push(request, reply, { id, key })
  })
  console.post('/workspaces/reset', async (request, reply) => {
    for (const { id } of await store.listWorkspaces(MAX_RESET)) {
      const workspace = await workspaces.find(id)
      if (workspace !== undefined) await resetWorkspace(context, workspace)
    }
    return leadBack(request, reply)
  })
  console.post<ByKey>('/workspaces/:key/reset', async (request, reply) => {
    await resetWorkspace(context, await getByKey(request.params.key))
    return leadBack(request, reply)
  })
}

/** A field of a form that was sent; undefined if it is absent or empty. */
function fieldOf({ body }: FastifyRequest, name: string): string | undefined {
  return body instanceof URLSearchParams ? body.get(name) || undefined : undefined
}

/** Why a scenario cannot be pushed, as a sentence. */
function problemOf(spec: string): string | undefined {
  if (spec === '') return 'Enter a scenario, or press one of the buttons.'
  try {
    return merge([spec]).size === 0 ? 'This selects no scenario.' : undefined
  } catch (error) {
    const { message, more, statusCode } = error as ScenarioError
    if (statusCode === undefined) throw error
    const usage = more?.usage
    return typeof usage === 'string' ? `${message}: use ${usage}` : `${message}: ${spec}`
  }
}
