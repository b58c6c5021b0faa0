import { insertRow, query, type Transaction } from '../../../../kernel/database/transaction.ts'
import type { ImportedBoard, ImportedMember } from '../../import-export/imported.ts'
import { prefsOf } from '../../records/board-prefs.ts'
import { labelNamesOf } from '../../records/label-colors.ts'
import { freeBoardSlug } from '../boards.ts'
import {
  ensureMember,
  findMemberByName,
  insertMember,
  listMembers,
  readMember
} from '../members.ts'
import type { BoardRow, MemberRow } from '../rows.ts'
import { freeShortLink } from '../short-links.ts'
import type { ImportResult } from './results.ts'
import { differences, updateRow } from './stored-rows.ts'

export interface BoardImport {
  board: ImportedBoard
  /** User name of the member that gets the board; undefined for that of the file or the first one. */
  member?: string | undefined
  isSample: boolean
  dryRun: boolean
  /** Id of the member that the import adds if the service has no member yet. */
  memberId: string
}

export interface BoardOutcome {
  id: string
  /** Id of the member that the board belongs to. */
  member: string
  slug: string
  result: ImportResult
  /** Sentences about what is not as in the file. */
  notes: string[]
}

export type BoardProblem = { unknownMember: string } | 'used'

export function* importBoard(
  request: BoardImport,
  time: string
): Transaction<BoardOutcome | BoardProblem> {
  const { board, dryRun } = request
  const member = yield* chooseMember(request, time)
  if (member === undefined) return { unknownMember: request.member ?? '' }
  const [row] = yield* query<BoardRow>('select * from boards where id = ?', board.id)
  if (row !== undefined && row.owner !== member.id) return 'used'
  return row === undefined
    ? yield* addImportedBoard(request, member.id, time)
    : yield* updateBoard(row, board, dryRun)
}

function* chooseMember(
  { board, member, dryRun, memberId }: BoardImport,
  time: string
): Transaction<Pick<MemberRow, 'id'> | undefined> {
  if (member !== undefined) return yield* findMemberByName(member)
  const { owner } = board
  const known = owner === undefined ? undefined : yield* readMember(owner.id)
  if (known !== undefined) return known
  const [first] = yield* listMembers(1)
  if (first !== undefined || dryRun) return first ?? { id: memberId }
  return owner === undefined ? yield* ensureMember(memberId, time) : yield* addOwner(owner, time)
}

function addOwner(
  { id, userName, fullName }: ImportedMember,
  time: string
): Transaction<MemberRow> {
  return insertMember(id, userName, fullName, time)
}

function* addImportedBoard(
  { board, isSample, dryRun }: BoardImport,
  owner: string,
  time: string
): Transaction<BoardOutcome> {
  const notes: string[] = []
  const link = yield* linkFor(board.shortLink, notes)
  const slug = yield* slugFor(board, owner, link)
  if (!dryRun) {
    yield* insertRow('boards', {
      id: board.id,
      owner,
      short_link: link,
      slug,
      ...columnsOf(board),
      permission: board.permission,
      time_zone: board.timeZone ?? 'UTC',
      completed_field: null,
      url_field: null,
      revision: 1,
      changed_at: time,
      public_revision: 1,
      public_changed_at: time,
      last_number: board.lastNumber ?? 0,
      action_count: 0,
      is_sample: isSample ? 1 : 0
    })
  }
  return { id: board.id, member: owner, slug, result: 'added', notes }
}

function* linkFor(wanted: string | undefined, notes: string[]): Transaction<string> {
  if (wanted === undefined) return yield* freeShortLink('boards')
  const used = yield* query('select 1 as found from boards where short_link = ?', wanted)
  if (used.length === 0) return wanted
  notes.push(`The short link ${wanted} is in use, so the board has a new one`)
  return yield* freeShortLink('boards')
}

function* slugFor({ slug, name }: ImportedBoard, owner: string, link: string): Transaction<string> {
  if (slug !== undefined) {
    const used = yield* query(
      'select 1 as found from boards where owner = ? and slug = ?',
      owner,
      slug
    )
    if (used.length === 0) return slug
  }
  return yield* freeBoardSlug(owner, name, link)
}

function columnsOf({ name, description, isClosed, prefs, labelNames }: ImportedBoard) {
  return {
    name,
    description,
    closed: isClosed ? 1 : 0,
    prefs: JSON.stringify(prefs),
    label_names: JSON.stringify(labelNames)
  }
}

/** Who may see the board stays as it is: an import publishes nothing that was private here. */
function* updateBoard(
  row: BoardRow,
  board: ImportedBoard,
  dryRun: boolean
): Transaction<BoardOutcome> {
  const columns = columnsOf(board)
  const wanted = {
    ...columns,
    // Values that are written otherwise but mean the same stay.
    ...(isSame(prefsOf('', row.prefs), prefsOf('', columns.prefs)) && { prefs: row.prefs }),
    ...(isSame(labelNamesOf(row.label_names), labelNamesOf(columns.label_names)) && {
      label_names: row.label_names
    }),
    ...(board.timeZone !== undefined && { time_zone: board.timeZone }),
    last_number: Math.max(row.last_number, board.lastNumber ?? 0)
  }
  const isChanged = Object.keys(differences(row, wanted)).length > 0
  if (isChanged && !dryRun) yield* updateRow('boards', row, wanted)
  const notes =
    row.permission === board.permission
      ? []
      : [`The board stays ${row.permission}, although the file says ${board.permission}`]
  const result = isChanged ? 'updated' : 'unchanged'
  return { id: row.id, member: row.owner, slug: row.slug, result, notes }
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
