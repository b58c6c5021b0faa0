/** Accounts of the sandbox are watched while a client reads their events. */
import { groupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { notify, query, type Transaction } from '../../../kernel/database/transaction.ts'

/** Published when other accounts are to be watched. */
export const WATCH_TOPIC = 'watch'

/** Accounts or settings have changed, so other accounts may have to be watched. */
export function notifyWatching(): Transaction<void> {
  return notify(WATCH_TOPIC)
}

/** A row of `settings` that clients do not set: until when one of them reads all events. */
const ALL_WANTED = 'eventsWantedUntil'
/** Ids of one query. */
const GROUP_SIZES = [50, 1]

/** Those of the accounts whose events are not wanted until this time yet; all if undefined. */
export function* findUnwanted(
  accounts: readonly string[] | undefined,
  until: number
): Transaction<readonly string[] | undefined> {
  if (accounts === undefined) return (yield* readAllWanted()) < until ? undefined : []
  const found: string[] = []
  for (const group of groupsOf(accounts, GROUP_SIZES)) {
    const rows = yield* query<{ id: string }>(
      `select id from accounts left join watched_accounts on watched_accounts.account = id
       where id in (${placeholders(group.length)}) and is_sandbox = 1
         and coalesce(wanted_until, 0) < ?`,
      ...[...group, until]
    )
    for (const { id } of rows) found.push(id)
  }
  return found.sort()
}

/** Until a time a client reads the events of these accounts of the sandbox, or of all. */
export function* wantEvents(
  accounts: readonly string[] | undefined,
  until: number,
  time: number
): Transaction<void> {
  if (accounts === undefined) yield* store(ALL_WANTED, until)
  else {
    for (const account of accounts) {
      // Mail since the first time is reported.
      const details = JSON.stringify({ wantedFrom: time })
      yield* query(
        `insert into watched_accounts (account, initialized_at, wanted_until, details)
         select id, null, ?, ? from accounts where id = ?
         on conflict (account) do update set wanted_until = excluded.wanted_until`,
        ...[until, details, account]
      )
    }
  }
  yield* notifyWatching()
}

function* store(name: string, until: number): Transaction<void> {
  yield* query(
    `insert into settings (name, value, secret) values (?, ?, null)
     on conflict (name) do update set value = excluded.value`,
    ...[name, JSON.stringify(until)]
  )
}

/** Unix milliseconds; until when a client reads the events of all accounts. */
export function* readAllWanted(): Transaction<number> {
  const [row] = yield* query<{ value: string }>(
    'select value from settings where name = ?',
    ALL_WANTED
  )
  return Number(JSON.parse(row?.value ?? '0'))
}
