import { query, type SqlValue, type Transaction } from '../../../kernel/database/transaction.ts'

export type WantedPosition = 'top' | 'bottom' | number

/** Objects that are sorted among each other. */
export interface PositionScope {
  table: 'lists' | 'cards' | 'attachments' | 'checklists' | 'check_items' | 'fields' | 'options'
  /** Id of the object that they belong to. */
  parent: string
  /** Id of the object that is moved; undefined for one that is added. */
  moved?: string | undefined
}

/** The column with the object that they belong to. */
export const PARENTS: Readonly<Record<PositionScope['table'], string>> = {
  lists: 'board',
  cards: 'list',
  attachments: 'card',
  checklists: 'card',
  check_items: 'checklist',
  fields: 'board',
  options: 'field'
}

const STEP = 65_536
const ATTACHMENT_STEP = 16_384
/** Of the first object, as Trello chooses it. */
const FIRST = 65_535
const FIRST_AT_TOP = 16_384
/** Positions that are closer are spread, unless they are equal: then ids decide. */
const MIN_GAP = 1e-3

interface SqlCondition {
  sql: string
  args: readonly SqlValue[]
}

interface Neighbours {
  below: number | null
  above: number | null
}

/**
 * The `pos` of an object that is added or moved. Others of the scope get new ones if there is too
 * little space.
 */
export function* positionFor(
  scope: PositionScope,
  wanted: WantedPosition | undefined,
  fallback: 'top' | 'bottom' = 'bottom'
): Transaction<number> {
  const target = wanted ?? fallback
  const { pos, neighbours } =
    typeof target === 'number'
      ? { pos: target, neighbours: yield* neighboursOf(scope, target) }
      : yield* atEnd(scope, target)
  return hasSpace(pos, neighbours) ? pos : yield* spread(scope, afterTarget(target))
}

/** The `pos` directly before or after another object of the scope. */
export function* positionBeside(
  scope: PositionScope,
  { id, pos }: { id: string; pos: number },
  side: 'before' | 'after'
): Transaction<number> {
  const { where, args } = condition(scope)
  const [sign, order] = side === 'before' ? ['<', 'desc'] : ['>', 'asc']
  const [other] = yield* query<{ pos: number }>(
    `select pos from ${scope.table} where ${where} and (pos ${sign} ? or (pos = ? and id ${sign} ?))
     order by pos ${order}, id ${order} limit 1`,
    ...[...args, pos, pos, id]
  )
  const end = side === 'before' ? pos / 2 : pos + stepOf(scope)
  const found = other === undefined ? end : (pos + other.pos) / 2
  const [below, above] = side === 'before' ? [other?.pos ?? null, pos] : [pos, other?.pos ?? null]
  if (hasSpace(found, { below, above })) return found
  const isAfter = `(pos > ? or (pos = ? and id ${side === 'before' ? '>=' : '>'} ?))`
  return yield* spread(scope, { sql: isAfter, args: [pos, pos, id] })
}

function hasSpace(pos: number, { below, above }: Neighbours): boolean {
  return (below === null || pos - below >= MIN_GAP) && (above === null || above - pos >= MIN_GAP)
}

function condition({ table, parent, moved = '' }: PositionScope): {
  where: string
  args: [string, string]
} {
  return { where: `${PARENTS[table]} = ? and id <> ?`, args: [parent, moved] }
}

function* neighboursOf(scope: PositionScope, pos: number): Transaction<Neighbours> {
  const { where, args } = condition(scope)
  const [row] = yield* query<Neighbours>(
    `select max(case when pos < ? then pos end) as below,
       min(case when pos > ? then pos end) as above
     from ${scope.table} where ${where}`,
    ...[pos, pos, ...args]
  )
  return row ?? { below: null, above: null }
}

function* atEnd(
  scope: PositionScope,
  end: 'top' | 'bottom'
): Transaction<{ pos: number; neighbours: Neighbours }> {
  const { where, args } = condition(scope)
  const [row] = yield* query<{ first: number | null; last: number | null }>(
    `select min(pos) as first, max(pos) as last from ${scope.table} where ${where}`,
    ...args
  )
  const { first = null, last = null } = row ?? {}
  if (end === 'top') {
    const pos = first === null ? FIRST_AT_TOP : first / 2
    return { pos, neighbours: { below: null, above: first } }
  }
  const isAttachment = scope.table === 'attachments'
  const start = isAttachment ? ATTACHMENT_STEP : FIRST
  const pos = last === null ? start : last + stepOf(scope)
  return { pos, neighbours: { below: last, above: null } }
}

function stepOf({ table }: PositionScope): number {
  return table === 'attachments' ? ATTACHMENT_STEP : STEP
}

/** Which objects come after one that gets this position. */
function afterTarget(target: WantedPosition): SqlCondition {
  if (target === 'top') return { sql: '1 = 1', args: [] }
  return target === 'bottom' ? { sql: '1 = 0', args: [] } : { sql: 'pos > ?', args: [target] }
}

/** Whole steps for all others, with one left out for the object. */
function* spread(scope: PositionScope, isAfter: SqlCondition): Transaction<number> {
  const { table } = scope
  const { where, args } = condition(scope)
  const step = stepOf(scope)
  const [row] = yield* query<{ before: number }>(
    `select count(*) as before from ${table} where ${where} and not (${isAfter.sql})`,
    ...[...args, ...isAfter.args]
  )
  yield* query(
    `update ${table} set pos = ranked.rank_number * ${step} from (
       select id, row_number() over (order by pos, id)
         + case when ${isAfter.sql} then 1 else 0 end as rank_number
       from ${table} where ${where}
     ) as ranked where ${table}.id = ranked.id`,
    ...[...isAfter.args, ...args]
  )
  return ((row?.before ?? 0) + 1) * step
}
