/** Lists of messages of one account or all, newest first, for the API and the pages. */
import type { Database } from '../../../kernel/database/database.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import type { FoundMessage, MessageFilter } from '../sandbox/mail-store.ts'
import { contentCondition, messageCondition, whereOf } from './filter-sql.ts'
import { CONTENT_COLUMNS, type FoundRow, foundOf } from './rows.ts'

type Read = Database['read']

/** Messages whose contents one read compares, because it blocks others. */
const WINDOW = 1_000

const FOUND_COLUMNS = `m.*, b.name as mailbox_name, ${CONTENT_COLUMNS}`
const JOINED = `
  join sandbox_contents c on c.id = m.content
  join sandbox_mailboxes b on b.id = m.mailbox`

interface Scanned<Row> {
  readonly rows: readonly Row[]
  /** Number before which the scan continues; undefined at its end. */
  readonly next: number | undefined
}

function* scan<Row extends object>(
  columns: string,
  filter: MessageFilter,
  limit: number
): Transaction<Scanned<Row>> {
  const messages = messageCondition(filter)
  const contents = contentCondition(filter)
  const newest = `select m.* from sandbox_messages m ${whereOf(messages)} order by m.number desc`
  const isText = contents.sql !== ''
  const rows = yield* query<Row>(
    `select ${columns} from (${newest} limit ?) m ${JOINED} ${whereOf(contents)}
     order by m.number desc limit ?`,
    ...[...messages.args, isText ? WINDOW : limit, ...contents.args, limit]
  )
  if (!isText || rows.length === limit) return { rows, next: undefined }
  const [last] = yield* query<{ number: number }>(
    `${newest} limit 1 offset ?`,
    ...[...messages.args, WINDOW - 1]
  )
  return { rows, next: last?.number }
}

async function scanAll<Row extends object>(
  read: Read,
  columns: string,
  filter: MessageFilter,
  limit: number
): Promise<readonly Row[]> {
  const found: Row[] = []
  let before = filter.before
  do {
    const part = { ...filter, before }
    const { rows, next } = await read(() => scan<Row>(columns, part, limit - found.length))
    found.push(...rows)
    before = next
  } while (before !== undefined && found.length < limit)
  return found
}

export async function findMessages(
  read: Read,
  filter: MessageFilter,
  limit: number,
  offset: number
): Promise<readonly FoundMessage[]> {
  const skipped = offset === 0 ? [] : await findNumbers(read, filter, offset)
  if (skipped.length < offset) return []
  const before = skipped.at(-1)?.number ?? filter.before
  const rows = await scanAll<FoundRow>(read, FOUND_COLUMNS, { ...filter, before }, limit)
  return rows.map(foundOf)
}

export interface NumberedRow {
  number: number
  account: string
}

export function findNumbers(
  read: Read,
  filter: MessageFilter,
  limit: number
): Promise<readonly NumberedRow[]> {
  return scanAll<NumberedRow>(read, 'm.number, m.account', filter, limit)
}

const COUNTED = 10_000

export async function countMessages(read: Read, filter: MessageFilter): Promise<number> {
  if (contentCondition(filter).sql === '') {
    const { sql, args } = messageCondition(filter)
    const where = whereOf({ sql, args })
    const [row] = await read(() =>
      query<{ count: number }>(`select count(*) as count from sandbox_messages m ${where}`, ...args)
    )
    return row?.count ?? 0
  }
  let count = 0
  let rows: readonly NumberedRow[]
  let before = filter.before
  do {
    rows = await findNumbers(read, { ...filter, before }, COUNTED)
    count += rows.length
    before = rows.at(-1)?.number
  } while (rows.length === COUNTED)
  return count
}

export function* findMessage(mailbox: number, uid: number): Transaction<FoundMessage | undefined> {
  const [row] = yield* query<FoundRow>(
    `select ${FOUND_COLUMNS} from sandbox_messages m ${JOINED} where m.mailbox = ? and m.uid = ?`,
    ...[mailbox, uid]
  )
  return row && foundOf(row)
}

/** Number of the last message that arrived. */
export function* lastNumber(): Transaction<number> {
  const [row] = yield* query<{ value: number }>(
    "select value from sandbox_counters where name = 'messages'"
  )
  return row?.value ?? 0
}
