import type { Database } from '../../src/kernel/database/database.ts'
import { openDatabase } from '../../src/kernel/database/open.ts'
import { insertRow, type Transaction } from '../../src/kernel/database/transaction.ts'
import { createObjectIdGenerator } from '../../src/kernel/object-id.ts'
import { createSortKeyGenerator } from '../../src/services/cards/records/sort-key.ts'
import type { Viewer } from '../../src/services/cards/records/viewer.ts'
import { afterCardChange } from '../../src/services/cards/store/card-change.ts'
import type { Editor } from '../../src/services/cards/store/editor.ts'
import { insertCard } from '../../src/services/cards/store/insert-card.ts'
import { migrations } from '../../src/services/cards/store/migrations.ts'
import type { CardRow, ListRole } from '../../src/services/cards/store/rows.ts'
import { type TemporaryPlace, temporaryPlace } from '../support/engines.ts'

export const TIME = '2026-01-02T03:04:05.678Z'
export const MEMBER = idOf(1)
export const BOARD = idOf(2)

/** 24 digits. */
export function idOf(number: number): string {
  return `65932b45${number.toString(16).padStart(16, '0')}`
}

export const OWNER: Viewer & { kind: 'member' } = {
  kind: 'member',
  member: MEMBER,
  boards: undefined,
  canWrite: true,
  canAdminister: true,
  tokenId: 'token'
}

export const nextId = createObjectIdGenerator(() => new Date(TIME))
const nextSortKey = createSortKeyGenerator(() => new Date(TIME), Math.random)

export const EDITOR: Editor = {
  ...{ viewer: OWNER, time: TIME, nextId, nextSortKey, maxCards: 100_000, maxAttachments: 50 }
}

export interface Tables extends AsyncDisposable {
  database: Database
  place: TemporaryPlace
}

/** The tables of the service with one board. */
export async function openTables(engine: Database['engine']): Promise<Tables> {
  const place = temporaryPlace(engine)
  const database = await openDatabase(place, { service: 'cards', migrations })
  await database.write(function* () {
    const [user_name, full_name] = ['ada', 'Ada']
    yield* insertRow('members', {
      ...{ id: MEMBER, user_name, folded_name: user_name, full_name, created_at: TIME }
    })
    yield* addBoard(BOARD, 'portfolio')
  })
  return {
    database,
    place,
    async [Symbol.asyncDispose]() {
      await database.close()
      await place[Symbol.asyncDispose]()
    }
  }
}

export function addBoard(id: string, slug: string): Transaction<void> {
  return insertRow('boards', {
    ...{ id, owner: MEMBER, short_link: id.slice(-8), slug, name: slug, description: '' },
    ...{ closed: 0, permission: 'private', prefs: '{}', label_names: '{}', time_zone: 'UTC' },
    ...{ revision: 1, changed_at: TIME, public_revision: 1, public_changed_at: TIME },
    ...{ last_number: 0, action_count: 0, is_sample: 0 }
  })
}

export function addList(
  id: string,
  role: ListRole = 'published',
  board = BOARD
): Transaction<void> {
  return insertRow('lists', { id, board, name: role, closed: 0, pos: Number(`0x${id}`), role })
}

export function* addCard(
  id: string,
  list: string,
  more: Partial<CardRow> = {}
): Transaction<CardRow> {
  const card = yield* insertCard(
    {
      ...{ id, board: BOARD, list, sort_key: nextSortKey(), name: `Card ${id}`, pos: 1 },
      ...{ creator: MEMBER, ...more }
    },
    TIME,
    100_000
  )
  yield* afterCardChange(id, TIME, { wasPublic: false })
  return card
}

/** Reads and counts the statements. */
export async function countStatements<T>(
  { read }: Database,
  transaction: () => Transaction<T>
): Promise<{ value: T; statements: readonly string[] }> {
  const statements: string[] = []
  const value = await read(() => counted(transaction(), statements))
  return { value, statements }
}

/** The same transaction, which adds its statements to the list. */
export function* counted<T>(transaction: Transaction<T>, statements: string[]): Transaction<T> {
  let state = transaction.next()
  while (!state.done) {
    const step = state.value
    if ('sql' in step) statements.push(step.sql)
    state = transaction.next(yield step)
  }
  return state.value
}
