import { checkSender } from '../../../kernel/admin-guard.ts'
import { RouteNotFound } from '../../../kernel/failures.ts'
import { decodeSegment } from '../../../kernel/request-target.ts'
import { type Answer, empty, json } from '../answer.ts'
import { ControlInvalid, WorkspaceUnknown } from '../contract.ts'
import type { Room } from '../room.ts'
import { merge } from '../scenario/selection.ts'
import type { PlaceCall } from '../site-route.ts'
import { resetWorkspace } from '../workspace/reset.ts'
import { readRules } from '../workspace/rules.ts'
import { clockOf, type Workspace } from '../workspace/workspace.ts'
import { checkAdmin, checkKey } from './access.ts'
import { createWorkspace, headOf, isTime, readTime } from './create.ts'
import { readControl, readValue } from './read.ts'

const MAX_LISTED = 1000
const ORIGIN_MESSAGE = 'State changes are only accepted from pages of the same origin'
/** A hundred years. */
const MAX_ADVANCE_MS = 100 * 366 * 86_400_000

type Action = (call: PlaceCall, workspace: Workspace) => Promise<Answer>

const ACTIONS: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['GET ', describe],
  ['DELETE ', remove],
  ['POST reset', reset],
  ['GET rules', async (_, { rules }) => json(rules)],
  ['PUT rules', setRules],
  ['GET clock', async ({ room }, workspace) => json(clockState(room, workspace))],
  ['POST clock', setClock],
  ['GET requests', listRequests],
  ['GET mail', listMail]
])

/** `/_workspaces…`: for test runners and teachers, not for pages of other origins. */
export async function answerControl(call: PlaceCall): Promise<Answer> {
  const { room, request, method, visit } = call
  const { isKnownHost } = room.kernel
  checkSender(request, { isKnownHost, originMessage: ORIGIN_MESSAGE })
  const [, name, ...rest] = visit.segments
  if (name === undefined) return answerAll(call)
  const action = ACTIONS.get(`${method} ${rest.join('/')}`)
  const workspace = await room.workspaces.find(decodeSegment(name) ?? '')
  checkKey(room.kernel, request, workspace)
  if (action === undefined) throw new RouteNotFound(method, visit.path)
  if (workspace === undefined) throw new WorkspaceUnknown()
  return action(call, workspace)
}

async function answerAll(call: PlaceCall): Promise<Answer> {
  const { room, request, method, visit } = call
  if (method === 'POST') return createWorkspace(call)
  checkAdmin(room.kernel, request)
  if (method !== 'GET') throw new RouteNotFound(method, visit.path)
  const base = room.kernel.baseUrl(request)
  const rows = await room.store.listWorkspaces(MAX_LISTED)
  const workspaces = rows.map((row) => ({
    ...headOf({ id: row.id, row } as Workspace, base),
    last_used_at: new Date(row.used).toISOString(),
    records: row.records
  }))
  return json({ workspaces })
}

async function describe({ room, request }: PlaceCall, workspace: Workspace): Promise<Answer> {
  const { options, rules } = workspace
  const row = (await room.store.readWorkspace(workspace.id)) ?? workspace.row
  const counts = await room.store.listCounts(workspace.id)
  return json({
    ...headOf(workspace, room.kernel.baseUrl(request)),
    created_at: new Date(row.created).toISOString(),
    last_used_at: new Date(row.used).toISOString(),
    options,
    clock: clockState(room, workspace),
    rules,
    records: row.records,
    bytes: row.bytes,
    events: row.seq,
    counters: Object.fromEntries(counts.map(({ name, n }) => [name, n]))
  })
}

async function remove({ room }: PlaceCall, { id }: Workspace): Promise<Answer> {
  await room.journal.flush()
  await room.store.removeWorkspace(id)
  return empty()
}

async function reset({ room }: PlaceCall, workspace: Workspace): Promise<Answer> {
  await resetWorkspace(room, workspace)
  return empty()
}

async function setRules({ room, request }: PlaceCall, { id }: Workspace): Promise<Answer> {
  const rules = readRules(await readValue(room, request), (spec) => merge([spec]))
  if (!(await room.store.setRules(id, JSON.stringify(rules)))) throw new WorkspaceUnknown()
  return json(rules)
}

async function setClock(call: PlaceCall, workspace: Workspace): Promise<Answer> {
  const { room, request } = call
  const wanted = await readControl(room, request, ['now', 'advance_ms'])
  const { frozen, shift } = workspace.row
  const next = nextClock(wanted, frozen, shift)
  if (!(await room.store.setClock(workspace.id, next.frozen, next.shift))) {
    throw new WorkspaceUnknown()
  }
  return json(clockState(room, { ...workspace, row: { ...workspace.row, ...next } }))
}

/** A time stops the clock there; milliseconds move it, stopped or not; null lets it run. */
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

function clockState({ kernel }: Room, { row }: Workspace) {
  const now = new Date(clockOf(row, kernel.now())).toISOString()
  return { now, frozen: row.frozen !== null }
}

/** Oldest first. */
async function listRequests({ room }: PlaceCall, { id }: Workspace): Promise<Answer> {
  await room.journal.flush()
  const rows = await room.store.readJournal(id)
  return json({ requests: rows.toReversed().map(({ entry }) => JSON.parse(entry)) })
}

async function listMail({ room }: PlaceCall, { id }: Workspace): Promise<Answer> {
  const rows = await room.store.readMail(id)
  return json({ mail: rows.toReversed().map(({ entry }) => JSON.parse(entry)) })
}
