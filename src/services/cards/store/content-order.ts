import type { Engine } from '../../../kernel/database/database.ts'
import type { Sort } from '../content/content-query.ts'
import type { Position } from '../content/cursor.ts'
import type { Condition } from './visible.ts'

/** Columns that sort cards; the last one is unique. */
export interface ContentOrder {
  join: Condition
  columns: readonly string[]
  isDescending: boolean
  /** Values of the columns' types. */
  example: Position
}

const NO_JOIN: Condition = { sql: '', args: [] }

/** `completedField` is the custom field of the completion date. */
export function contentOrder(
  engine: Engine,
  sort: Sort,
  completedField: string | null
): ContentOrder {
  const isDescending = sort.startsWith('-')
  // Both engines then compare the bytes of UTF-8, and change the case of ASCII letters only.
  const binary = engine === 'postgres' ? ' collate "C"' : ''
  const ordered = (columns: readonly string[], join = NO_JOIN): ContentOrder => ({
    join,
    columns: [...columns, 'c.id'],
    isDescending,
    example: [...columns.map(() => ''), '']
  })
  switch (sort) {
    case 'pos':
      return {
        join: NO_JOIN,
        columns: ['l.pos', 'l.id', 'c.pos', 'c.id'],
        isDescending,
        example: [0, '', 0, '']
      }
    case 'name':
    case '-name':
      return ordered([`lower(c.name${binary})`])
    case 'updated':
    case '-updated':
      return ordered([`c.changed_at${binary}`])
    case 'published':
    case '-published':
      return ordered(lastIfNull('c.published_at', isDescending, binary))
    case 'completed':
    case '-completed':
      return ordered(lastIfNull('i.value', isDescending, binary), {
        sql: 'left join items i on i.card = c.id and i.field = ?',
        args: [completedField ?? '']
      })
  }
}

function lastIfNull(column: string, isDescending: boolean, binary: string): string[] {
  const [missing, present] = isDescending ? [0, 1] : [1, 0]
  return [
    `(case when ${column} is null then '${missing}' else '${present}' end)${binary}`,
    `coalesce(${column}, '')${binary}`
  ]
}

export function positionOf(
  row: Readonly<Record<string, string | number>>,
  { columns }: ContentOrder
): Position {
  return columns.map((_, index) => row[`s${index}`] ?? '')
}
