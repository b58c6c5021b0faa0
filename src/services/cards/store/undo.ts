import { insertRow, query, type Transaction } from '../../../kernel/database/transaction.ts'
import { releaseReferences } from '../../../kernel/files/table.ts'
import { addJob } from '../../../kernel/outbox/add-job.ts'
import { UNDO_JOB } from '../jobs/kinds.ts'
import { filesOf } from './attachments.ts'
import type { CardSnapshot } from './card-snapshot.ts'
import type { Editor } from './editor.ts'
import type { CardRow } from './rows.ts'

/** How long a change can be undone. */
export const UNDO_MS = 30_000

/** What the page says about the change. */
export interface UndoAbout {
  readonly name: string
  readonly change: 'moved' | 'archived' | 'restored' | 'deleted'
  /** Name of the list that the card was moved to. */
  readonly list?: string
}

/** Where a card is, and whether it is shown. */
export type CardSpot = Pick<CardRow, 'list' | 'pos' | 'closed' | 'publish_at'>

export interface StoredMove {
  readonly card: string
  readonly from: CardSpot
  readonly to: CardSpot
  /** Cards beside it in the list that it left. */
  readonly previous: string | null
  readonly next: string | null
}

export type UndoData =
  | { readonly kind: 'move'; readonly data: StoredMove }
  | { readonly kind: 'delete'; readonly data: CardSnapshot }

/** A change that can be undone. */
export interface Undo {
  readonly id: string
  readonly about: UndoAbout
  /** Unix milliseconds. */
  readonly endsAt: number
}

interface UndoRow {
  id: string
  kind: UndoData['kind']
  about: string
  data: string
  ends_at: number
}

/** Replaces the change of the same member and board that could be undone until now. */
export function* storeUndo(
  board: string,
  about: UndoAbout,
  { kind, data }: UndoData,
  { viewer, time, nextId }: Editor
): Transaction<Undo> {
  const { member } = viewer
  yield* removeRows('board = ? and member = ?', board, member)
  const id = nextId()
  const endsAt = Date.parse(time) + UNDO_MS
  yield* insertRow('undo', {
    ...{ id, board, member, kind, about: JSON.stringify(about) },
    ...{ data: JSON.stringify(data), ends_at: endsAt }
  })
  yield* addJob(
    {
      ...{ key: `undo:${id}`, kind: UNDO_JOB, lane: `undo:${id}` },
      ...{ payload: JSON.stringify({ id }), runAt: endsAt }
    },
    Date.parse(time)
  )
  return { id, about, endsAt }
}

/** What the member can undo on the board at this time, in Unix milliseconds. */
export function* readUndo(
  board: string,
  member: string,
  time: number
): Transaction<Undo | undefined> {
  const [row] = yield* query<Omit<UndoRow, 'data'>>(
    'select id, kind, about, ends_at from undo where board = ? and member = ? and ends_at > ?',
    ...[board, member, time]
  )
  return row && { id: row.id, about: JSON.parse(row.about), endsAt: row.ends_at }
}

/** Removes it; the references of a deletion to files are the caller's then. */
export function* takeUndo(
  id: string,
  board: string,
  { viewer, time }: Editor
): Transaction<UndoData | undefined> {
  const [row] = yield* query<UndoRow>(
    'delete from undo where id = ? and board = ? and member = ? and ends_at > ? returning kind, data',
    ...[id, board, viewer.member, Date.parse(time)]
  )
  return row && { kind: row.kind, data: JSON.parse(row.data) }
}

/** After its time: the files of a deletion are released. */
export function removeUndo(id: string): Transaction<void> {
  return removeRows('id = ?', id)
}

/** Of a board that is removed. */
export function removeUndoOf(board: string): Transaction<void> {
  return removeRows('board = ?', board)
}

function* removeRows(condition: string, ...args: string[]): Transaction<void> {
  const rows = yield* query<Pick<UndoRow, 'kind' | 'data'>>(
    `delete from undo where ${condition} returning kind, data`,
    ...args
  )
  for (const { kind, data } of rows) {
    if (kind !== 'delete') continue
    const { attachments }: CardSnapshot = JSON.parse(data)
    yield* releaseReferences(attachments.flatMap(filesOf).map(({ hash }) => hash))
  }
}
