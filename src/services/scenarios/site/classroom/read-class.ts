import type { ScenarioContext } from '../../context.ts'
import type { JournalEntry } from '../../pipeline/journal.ts'
import type { StoredLine } from '../../store/journal.ts'
import type { WorkspaceRow } from '../../store/workspaces.ts'
import type { Rule } from '../../workspace/rules.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { pushedScenario } from './pushed-scenario.ts'

/** A class has 40 pupils; more rows would make the page large. */
const MAX_PUPILS = 100
const MAX_OTHERS = 30
const CALLS_PER_PAGE = 25
/** Prefix of a tag in URLs, which no name of a workspace has. */
const TAG_PREFIX = '~'

export interface Call extends JournalEntry {
  readonly number: number
}

/** A workspace in the list. */
export interface Listed {
  /** Names the workspace in URLs of this page; never the id of a pupil's workspace. */
  readonly key: string
  /** What the pupil has entered, or the short name of the workspace. */
  readonly label: string
  readonly row: WorkspaceRow
  readonly pushed: string | undefined
  readonly last: Call | undefined
}

export interface ClassList {
  readonly pupils: readonly Listed[]
  readonly others: readonly Listed[]
  readonly counts: { readonly workspaces: number; readonly pupils: number }
}

/** A workspace with its requests, newest first. */
export interface Shown {
  readonly listed: Listed
  readonly calls: readonly Call[]
  /** Number of the first call of the next page. */
  readonly older: number | undefined
}

export function keyOf({ id, tag }: Pick<WorkspaceRow, 'id' | 'tag'>): string {
  return tag === null ? id : TAG_PREFIX + tag
}

/** Undefined if there is no such workspace. */
export async function findByKey(
  { store, workspaces }: ScenarioContext,
  key: string
): Promise<Workspace | undefined> {
  if (!key.startsWith(TAG_PREFIX)) return workspaces.find(key)
  const row = await store.findByTag(key.slice(TAG_PREFIX.length))
  return row && workspaces.find(row.id)
}

export async function readClass(context: ScenarioContext): Promise<ClassList> {
  const { store, journal } = context
  await journal.flush()
  const [pupils, others, counts] = await Promise.all([
    store.listPupils(MAX_PUPILS),
    store.listOthers(MAX_OTHERS),
    store.countWorkspaces()
  ])
  const list = (rows: readonly WorkspaceRow[]) => Promise.all(rows.map((row) => read(context, row)))
  return { pupils: (await list(pupils)).sort(byName), others: await list(others), counts }
}

async function read({ store }: ScenarioContext, row: WorkspaceRow): Promise<Listed> {
  const [last] = await store.readJournal(row.id, 1)
  return listedOf(row, last && callOf(last))
}

function listedOf(row: WorkspaceRow, last: Call | undefined): Listed {
  const rules: Rule[] = JSON.parse(row.rules)
  const label = row.name ?? row.tag ?? row.id
  return { key: keyOf(row), label, row, pushed: pushedScenario(rules), last }
}

function callOf({ pk, entry }: StoredLine): Call {
  return { ...JSON.parse(entry), number: pk }
}

/** By name, so that rows do not move while requests arrive; those without a name are last. */
function byName(one: Listed, other: Listed): number {
  const hasName = ({ row }: Listed) => Number(row.name !== null)
  return (
    hasName(other) - hasName(one) ||
    COLLATOR.compare(one.label, other.label) ||
    one.row.created - other.row.created
  )
}

const COLLATOR = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** The requests with smaller numbers than `before`, or the latest. */
export async function readShown(
  { store }: ScenarioContext,
  { id, row }: Workspace,
  before: number | undefined
): Promise<Shown> {
  const limit = CALLS_PER_PAGE + 1
  const lines =
    before === undefined
      ? await store.readJournal(id, limit)
      : await store.readJournalBefore(id, before, limit)
  const calls = lines.slice(0, CALLS_PER_PAGE).map(callOf)
  const current = (await store.readWorkspace(id)) ?? row
  return {
    listed: listedOf(current, calls[0]),
    calls,
    older: lines.length > CALLS_PER_PAGE ? calls.at(-1)?.number : undefined
  }
}
