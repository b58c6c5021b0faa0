import type { FastifyInstance } from 'fastify'
import { serviceUrlFor } from '../../../../kernel/base-url.ts'
import { formAction } from '../../../../kernel/form-token.ts'
import { sendPage } from '../../../../kernel/send-page.ts'
import type { ScenarioContext } from '../../context.ts'
import { WorkspaceUnknown } from '../../contract.ts'
import type { JournalEntry } from '../../pipeline/journal.ts'
import { resetWorkspace } from '../../workspace/reset.ts'
import { classroomPage } from './classroom-page.ts'

const MAX_SHOWN = 200
const CALLS_SHOWN = 5
const MAX_RESET = 1_000_000
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** The teacher's page, below `/scenarios` of the console, which checks access. */
export function classroomRoutes(console: FastifyInstance, context: ScenarioContext): void {
  const { store, workspaces, journal, kernel } = context
  const { prefix } = console
  console.get('/workspaces', async (request, reply) => {
    await journal.flush()
    const rows = await store.listWorkspaces(MAX_SHOWN)
    const page = classroomPage({
      prefix,
      actionOf: (path) => formAction(request, `${prefix}${path}`),
      service: serviceUrlFor(request, kernel.localUrl()),
      invitations: kernel.lanUrls(),
      workspaces: await Promise.all(
        rows.map(async (row) => ({ row, calls: await lastCalls(context, row.id) }))
      )
    })
    return sendPage(reply, page)
  })
  // The buttons post empty forms, whose content type needs a parser.
  console.addContentTypeParser(FORM_TYPE, { parseAs: 'string' }, (_request, _body, done) => {
    done(null)
  })
  console.post('/workspaces/reset', async (_request, reply) => {
    for (const { id } of await store.listWorkspaces(MAX_RESET)) {
      const workspace = await workspaces.find(id)
      if (workspace !== undefined) await resetWorkspace(context, workspace)
    }
    return reply.redirect(`${prefix}/workspaces`, 303)
  })
  console.post<{ Params: { id: string } }>('/workspaces/:id/reset', async (request, reply) => {
    const workspace = await workspaces.find(request.params.id)
    if (workspace === undefined) throw new WorkspaceUnknown()
    await resetWorkspace(context, workspace)
    return reply.redirect(`${prefix}/workspaces`, 303)
  })
}

async function lastCalls({ store }: ScenarioContext, ws: string): Promise<JournalEntry[]> {
  const lines = await store.readJournal(ws, CALLS_SHOWN)
  return lines.map(({ entry }) => JSON.parse(entry))
}
