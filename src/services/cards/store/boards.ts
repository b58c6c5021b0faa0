import { insertRow, query, type Transaction } from '../../../kernel/database/transaction.ts'
import { LimitReached } from '../contract.ts'
import type { StoredPrefs } from '../records/board-prefs.ts'
import { urlSlug } from '../records/url-slug.ts'
import type { Viewer } from '../records/viewer.ts'
import { addAction } from './actions.ts'
import { touchBoard } from './board-change.ts'
import type { BoardRow } from './rows.ts'
import { freeShortLink } from './short-links.ts'
import { visibleBoards } from './visible.ts'

/** Of one member. */
const MAX_BOARDS = 1_000

export interface NewBoard {
  readonly id: string
  readonly owner: string
  readonly name: string
  readonly description: string
  readonly permission: BoardRow['permission']
  readonly prefs: StoredPrefs
  readonly actionId: string
}

/** Without lists and labels. */
export function* addBoard(board: NewBoard, time: string): Transaction<BoardRow> {
  const { id, owner, name, description, permission, prefs, actionId } = board
  const [row] = yield* query<{ count: number }>(
    'select count(*) as count from boards where owner = ?',
    owner
  )
  if ((row?.count ?? 0) >= MAX_BOARDS) {
    throw new LimitReached(`A member can have at most ${MAX_BOARDS} boards`)
  }
  const link = yield* freeShortLink('boards')
  const added: BoardRow = {
    id,
    owner,
    short_link: link,
    slug: yield* freeBoardSlug(owner, name, link),
    name,
    description,
    closed: 0,
    permission,
    prefs: JSON.stringify(prefs),
    label_names: '{}',
    time_zone: 'UTC',
    completed_field: null,
    url_field: null,
    revision: 1,
    changed_at: time,
    public_revision: 1,
    public_changed_at: time,
    last_number: 0,
    action_count: 0,
    is_sample: 0
  }
  yield* insertRow('boards', { ...added })
  yield* addAction({ id: actionId, type: 'createBoard', member: owner, board: added }, time)
  return added
}

/** From the name, with a number if another board of the member has it. */
export function* freeBoardSlug(
  owner: string,
  name: string,
  shortLink: string
): Transaction<string> {
  const base = urlSlug(name) || shortLink
  const rows = yield* query<{ slug: string }>(
    'select slug from boards where owner = ? and (slug = ? or slug like ?)',
    ...[owner, base, `${base}-%`]
  )
  const taken = new Set(rows.map(({ slug }) => slug))
  let slug = base
  for (let number = 2; taken.has(slug); number++) slug = `${base}-${number}`
  return slug
}

/** In the order of their creation. */
export function listBoards(
  viewer: Viewer,
  filter: 'all' | 'open' | 'closed'
): Transaction<readonly BoardRow[]> {
  const visible = visibleBoards(viewer)
  const state = { all: '1 = 1', open: 'b.closed = 0', closed: 'b.closed = 1' }[filter]
  return query<BoardRow>(
    `select b.* from boards b where ${visible.sql} and ${state} order by b.id limit ${MAX_BOARDS}`,
    ...visible.args
  )
}

export interface BoardChange {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly closed?: boolean | undefined
  readonly permission?: BoardRow['permission'] | undefined
  readonly prefs?: StoredPrefs | undefined
  readonly labelNames?: Readonly<Record<string, string>> | undefined
}

/** All that changes here is on the public page of a board. */
export function* changeBoard(
  board: BoardRow,
  change: BoardChange,
  { member, actionId, time }: { member: string; actionId: string; time: string }
): Transaction<BoardRow> {
  const changed: BoardRow = {
    ...board,
    name: change.name ?? board.name,
    description: change.description ?? board.description,
    closed: Number(change.closed ?? board.closed === 1),
    permission: change.permission ?? board.permission,
    prefs: merged(board.prefs, change.prefs),
    label_names: merged(board.label_names, change.labelNames)
  }
  const old = differences(board, changed)
  if (Object.keys(old).length === 0) return board
  yield* query(
    `update boards set name = ?, description = ?, closed = ?, permission = ?, prefs = ?, label_names = ?
     where id = ?`,
    ...[changed.name, changed.description, changed.closed, changed.permission, changed.prefs],
    ...[changed.label_names, board.id]
  )
  yield* nameLabels(board.id, change.labelNames ?? {})
  yield* addAction(
    { id: actionId, type: 'updateBoard', member, board: changed, data: { old } },
    time
  )
  yield* touchBoard(board.id, time, true)
  return { ...changed, changed_at: time, public_changed_at: time, revision: board.revision + 1 }
}

function merged(stored: string, change: Readonly<Record<string, unknown>> = {}): string {
  return Object.keys(change).length === 0
    ? stored
    : JSON.stringify({ ...JSON.parse(stored), ...change })
}

/** The former values, with the names of Trello's API. */
function differences(before: BoardRow, after: BoardRow): Record<string, unknown> {
  return {
    ...(before.name !== after.name && { name: before.name }),
    ...(before.description !== after.description && { desc: before.description }),
    ...(before.closed !== after.closed && { closed: before.closed === 1 }),
    ...(before.permission !== after.permission && {
      prefs: { permissionLevel: before.permission }
    }),
    ...(before.prefs !== after.prefs && { prefs: JSON.parse(before.prefs) }),
    ...(before.label_names !== after.label_names && {
      labelNames: JSON.parse(before.label_names)
    })
  }
}

/** The first label of a colour has the name that the board gives to the colour. */
function* nameLabels(board: string, names: Readonly<Record<string, string>>): Transaction<void> {
  for (const [color, name] of Object.entries(names)) {
    yield* query(
      `update labels set name = ? where id = (
         select min(id) from labels where board = ? and color = ?)`,
      ...[name, board, color]
    )
  }
}
