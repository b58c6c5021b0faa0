import { query, type Transaction } from '../../../kernel/database/transaction.ts'

export interface SettingRow {
  name: string
  /** JSON. */
  value: string | null
  /** Sealed JSON. */
  secret: string | null
}

export function readSettingRows(): Transaction<readonly SettingRow[]> {
  return query<SettingRow>('select name, value, secret from settings order by name')
}

/** Unless the setting is stored. */
export function* addSettingRow({ name, value, secret }: SettingRow): Transaction<void> {
  yield* query(
    'insert into settings (name, value, secret) values (?, ?, ?) on conflict (name) do nothing',
    ...[name, value, secret]
  )
}

/** In the order of the names, so that processes lock the rows in the same order. */
export function* storeSettingRows(rows: readonly SettingRow[]): Transaction<void> {
  for (const { name, value, secret } of rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (value === null && secret === null) {
      yield* query('delete from settings where name = ?', name)
    } else {
      yield* query(
        `insert into settings (name, value, secret) values (?, ?, ?)
         on conflict (name) do update set value = excluded.value, secret = excluded.secret`,
        ...[name, value, secret]
      )
    }
  }
}
