import { checkSender } from '../../../../kernel/admin-guard.ts'
import { RouteNotFound } from '../../../../kernel/errors.ts'
import { decodeSegment } from '../../../../kernel/request-target.ts'
import type { ScenarioContext } from '../../context.ts'
import { ControlInvalid, WorkspaceUnknown } from '../../contract.ts'
import { type ApiResponse, empty, json } from '../../http/response.ts'
import { merge } from '../../scenario/selection.ts'
import { resetWorkspace } from '../../workspace/reset.ts'
import { readRules } from '../../workspace/rules.ts'
import { clockOf, type Workspace } from '../../workspace/workspace.ts'
import type { SiteRequest } from '../site-route.ts'
import { checkAdmin, checkKey } from './access.ts'
import { createWorkspace, headOf, isTime, readTime } from './create.ts'
import { readControl, readValue } from './read.ts'

const MAX_LISTED = 1000
const ORIGIN_MESSAGE = 'State changes are only accepted from pages of the same origin'
/** A hundred years. */
const MAX_ADVANCE_MS = 100 * 366 * 86_400_000

type Action = (call: SiteRequest, workspace: Workspace) => Promise<ApiResponse>

const ACTIONS: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['GET ', describe],
  ['DELETE ', remove],
  ['POST reset', reset],
  ['GET rules', async (_, { rules }) => json(rules)],
  ['PUT rules', setRules],
  ['GET clock', async ({ context }, workspace) => json(clockState(context, workspace))],
  ['POST clock', setClock],
  ['GET requests', listRequests],
  ['GET mail', listMail]
])

/** `/_workspaces…`: for test runners and teachers, not for pages of other origins. */
export async function handleControl(call: SiteRequest): Promise<ApiResponse> {
  const { context, request, method, target } = call
  const { isKnownHost } = context.kernel
  checkSender(request, { isKnownHost, originMessage: ORIGIN_MESSAGE })
  const [, name, ...rest] = target.segments
  if (name === undefined) return handleAll(call)
  const action = ACTIONS.get(`${method} ${rest.join('/')}`)
  const workspace = await context.workspaces.find(decodeSegment(name) ?? '')
  checkKey(context.kernel, request, workspace)
  if (action === undefined) throw new RouteNotFound(method, target.path)
  if (workspace === undefined) throw new WorkspaceUnknown()
  return action(call, workspace)
}

async function handleAll(call: SiteRequest): Promise<ApiResponse> {
  const { context, request, method, target } = call
  if (method === 'POST') return createWorkspace(call)
  checkAdmin(context.kernel, request)
  if (method !== 'GET') throw new RouteNotFound(method, target.path)
  const base = context.kernel.baseUrl(request)
  const rows = await context.store.listWorkspaces(MAX_LISTED)
  const workspaces = rows.map((row) => ({
    ...headOf({ id: row.id, row } as Workspace, base),
    last_used_at: new Date(row.used).toISOString(),
    records: row.records
  }))
  return json({ workspaces })
}

async function describe(
  { context, request }: SiteRequest,
  workspace: Workspace
): Promise<ApiResponse> {
  const { options, rules } = workspace
  const row = (await context.store.readWorkspace(workspace.id)) ?? workspace.row
  const counts = await context.store.listCounts(workspace.id)
  return json({
    ...headOf(workspace, context.kernel.baseUrl(request)),
    created_at: new Date(row.created).toISOString(),
    last_used_at: new Date(row.used).toISOString(),
    options,
    clock: clockState(context, workspace),
    rules,
    records: row.records,
    bytes: row.bytes,
    events: row.seq,
    counters: Object.fromEntries(counts.map(({ name, n }) => [name, n]))
  })
}

async function remove({ context }: SiteRequest, { id }: Workspace): Promise<ApiResponse> {
  await context.journal.flush()
  await context.store.removeWorkspace(id)
  return empty()
}

async function reset({ context }: SiteRequest, workspace: Workspace): Promise<ApiResponse> {
  await resetWorkspace(context, workspace)
  return empty()
}

async function setRules(
  { context, request }: SiteRequest,
  { id }: Workspace
): Promise<ApiResponse> {
  const rules = readRules(await readValue(context, request), (spec) => merge([spec]))
  if (!(await context.store.setRules(id, JSON.stringify(rules)))) throw new WorkspaceUnknown()
  return json(rules)
}

async function setClock(call: SiteRequest, workspace: Workspace): Promise<ApiResponse> {
  const { context, request } = call
  const wanted = await readControl(context, request, ['now', 'advance_ms'])
  const { frozen, shift } = workspace.row
  const next = nextClock(wanted, frozen, shift)
  if (!(await context.store.setClock(workspace.id, next.frozen, next.shift))) {
    throw new WorkspaceUnknown()
  }
  return json(clockState(context, { ...workspace, row: { ...workspace.row, ...next } }))
}

/** A time in `now` stops the clock, null lets it run; `advance_ms` moves it, stopped or not. */
function nextClock(
  { now, advance_ms }: Readonly<Record<string, unknown>>,
  frozen: number | null,
  shift: number
): { frozen: number | null; shift: number } {
  if ((now === undefined) === (advance_ms === undefined)) {
    throw new ControlInvalid('Either now or advance_ms is required')
  }
  if (now === null) return { frozen: null, shift: 0 }
  if (now !== undefined) return { frozen: readTime(now), shift }
  if (!Number.isInteger(advance_ms) || Math.abs(Number(advance_ms)) > MAX_ADVANCE_MS) {
    throw new ControlInvalid('advance_ms must be a whole number of milliseconds')
  }
  const step = Number(advance_ms)
  const next = frozen === null ? { frozen, shift: shift + step } : { frozen: frozen + step, shift }
  if (Math.abs(next.shift) > MAX_ADVANCE_MS || !isTime(next.frozen ?? 0)) {
    throw new ControlInvalid('The time is out of range')
  }
  return next
}

function clockState({ kernel }: ScenarioContext, { row }: Workspace) {
  const now = new Date(clockOf(row, kernel.now())).toISOString()
  return { now, frozen: row.frozen !== null }
}

/** Requests, oldest first. */
async function listRequests({ context }: SiteRequest, { id }: Workspace): Promise<ApiResponse> {
  await context.journal.flush()
  const rows = await context.store.readJournal(id)
  return json({ requests: rows.toReversed().map(({ entry }) => JSON.parse(entry)) })
}

async function listMail({ context }: SiteRequest, { id }: Workspace): Promise<ApiResponse> {
  const rows = await context.store.readMail(id)
  return json({ mail: rows.toReversed().map(({ entry }) => JSON.parse(entry)) })
}
