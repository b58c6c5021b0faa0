import { placeholders } from '../../../kernel/database/groups.ts'
import { insertStatement, query, type Transaction } from '../../../kernel/database/transaction.ts'

/** Source and target are ids of messages; a move that is being made has a source of this kind. */
const BEGUN = 'begun '
const AFTER_BEGUN = 'begun!'
/** Moves that are older are removed with the next one. */
const KEPT_MS = 24 * 60 * 60_000
/** Ids in one statement. */
const MAX_IDS = 500

/** False if no events of the account are stored, so moves need not be either. */
export function* isReadByWatcher(account: string): Transaction<boolean> {
  const rows = yield* query(
    'select account from watched_mailboxes where account = ? limit 1',
    account
  )
  return rows.length > 0
}

/** Before a move; `key` is of this move. */
export function* beginMove(account: string, key: string, time: number): Transaction<void> {
  yield* query(
    'delete from moved_messages where account = ? and created_at < ?',
    ...[account, time - KEPT_MS]
  )
  yield* query(
    `insert into moved_messages (account, source, target, created_at)
     select id, ?, '', ? from accounts where id = ?`,
    ...[BEGUN + key, time, account]
  )
}

/** Pairs of ids before and after. */
export function* addMoves(
  account: string,
  pairs: readonly (readonly [source: string, target: string])[],
  time: number
): Transaction<void> {
  // The account may have been removed meanwhile.
  const [found] = yield* query('select id from accounts where id = ?', account)
  if (found === undefined) return
  for (const [source, target] of pairs) {
    yield* insertStatement(
      `insert into moved_messages (account, source, target, created_at) values (?, ?, ?, ?)
       on conflict (account, source) do update set target = excluded.target`,
      ...[account, source, target, time]
    )
  }
}

export function* endMove(account: string, key: string): Transaction<void> {
  yield* query('delete from moved_messages where account = ? and source = ?', account, BEGUN + key)
}

/** Whether a move that began after this time is being made. */
export function* isMoving(account: string, since: number): Transaction<boolean> {
  const rows = yield* query(
    `select source from moved_messages
     where account = ? and source >= ? and source < ? and created_at >= ? limit 1`,
    ...[account, BEGUN, AFTER_BEGUN, since]
  )
  return rows.length > 0
}

export interface MoveRow {
  readonly source: string
  readonly target: string
}

/** Moves from or to these messages. */
export function* findMoves(account: string, ids: readonly string[]): Transaction<MoveRow[]> {
  const found: MoveRow[] = []
  for (let start = 0; start < ids.length; start += MAX_IDS) {
    const some = ids.slice(start, start + MAX_IDS)
    const marks = placeholders(some.length)
    for (const column of ['source', 'target']) {
      const rows = yield* query<MoveRow>(
        `select source, target from moved_messages where account = ? and ${column} in (${marks})`,
        ...[account, ...some]
      )
      found.push(...rows)
    }
  }
  return found
}

/** A message that was announced, and may be a copy of another one. */
export interface AnnouncedCopy {
  readonly id: string
  readonly key: string
  readonly size: number | undefined
}

/** Bodies with texts or attachments are not searched. */
const MAX_BODY_BYTES = 100_000
const MAX_COPIES = 200

/** Messages of the log of events with these keys, the last ones first. */
export function* findAnnouncedCopies(
  account: string,
  keys: readonly string[]
): Transaction<readonly AnnouncedCopy[]> {
  const some = keys.slice(0, MAX_IDS)
  const rows = yield* query<{ message_key: string; body: string }>(
    `select message_key, body from events
     where account = ? and message_key in (${placeholders(some.length)}) and size <= ?
     order by number desc limit ?`,
    ...[account, ...some, MAX_BODY_BYTES, MAX_COPIES]
  )
  return rows.map(({ message_key, body }) => {
    const { data } = JSON.parse(body)
    return { id: data.id, key: message_key, size: data.size }
  })
}
