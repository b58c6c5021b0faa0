import { query, type Transaction } from '../../../kernel/database/transaction.ts'

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
  return hasSpace(pos, neighbours) ? pos : yield* spread(scope, pos, target)
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

/** Whole steps for all others, with one left out for the object. */
function* spread(scope: PositionScope, pos: number, target: WantedPosition): Transaction<number> {
  const { table } = scope
  const { where, args } = condition(scope)
  const step = stepOf(scope)
  const isAfter = target === 'top' ? '1 = 1' : target === 'bottom' ? '1 = 0' : 'pos > ?'
  const bound = typeof target === 'number' ? [pos] : []
  const [row] = yield* query<{ before: number }>(
    `select count(*) as before from ${table} where ${where} and not (${isAfter})`,
    ...[...args, ...bound]
  )
  yield* query(
    `update ${table} set pos = ranked.rank_number * ${step} from (
       select id, row_number() over (order by pos, id)
         + case when ${isAfter} then 1 else 0 end as rank_number
       from ${table} where ${where}
     ) as ranked where ${table}.id = ranked.id`,
    ...[...bound, ...args]
  )
  return ((row?.before ?? 0) + 1) * step
}
