import type { SqlValue } from '../../../kernel/database/transaction.ts'
import type { MessageFilter } from '../sandbox/mail-store.ts'
import { foldForSearch } from './contents.ts'

export interface Condition {
  /** Empty if there is no condition. */
  readonly sql: string
  readonly args: readonly SqlValue[]
}

/** Of rows `m` of `sandbox_messages`, by their indexes. */
export function messageCondition({ account, before, after }: MessageFilter): Condition {
  return joined([
    account === undefined ? undefined : { sql: 'm.account = ?', args: [account] },
    before === undefined ? undefined : { sql: 'm.number < ?', args: [before] },
    after === undefined ? undefined : { sql: 'm.number > ?', args: [after] }
  ])
}

const ALL_COLUMNS = ['subject', 'sender', 'recipients', 'preview']

/** Of rows `c` of `sandbox_contents`, which have to be read one by one. */
export function contentCondition({ to, from, subject, query }: MessageFilter): Condition {
  return joined([
    contains(['recipients'], to),
    contains(['sender'], from),
    contains(['subject'], subject),
    contains(ALL_COLUMNS, query)
  ])
}

function contains(columns: readonly string[], part: string | undefined): Condition | undefined {
  if (part === undefined || part === '') return undefined
  const pattern = `%${foldForSearch(part).replace(/[!%_]/g, '!$&')}%`
  const tests = columns.map((column) => `c.${column} like ? escape '!'`)
  return { sql: `(${tests.join(' or ')})`, args: columns.map(() => pattern) }
}

function joined(conditions: readonly (Condition | undefined)[]): Condition {
  const given = conditions.filter((one) => one !== undefined)
  return {
    sql: given.map(({ sql }) => sql).join(' and '),
    args: given.flatMap(({ args }) => args)
  }
}

export function whereOf({ sql }: Condition): string {
  return sql === '' ? '' : `where ${sql}`
}
