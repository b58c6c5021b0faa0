import type { SqlValue } from '../../../kernel/database/transaction.ts'

/** A part of an SQL statement with the arguments of its placeholders, in their order. */
export interface Fragment {
  readonly sql: string
  readonly args: readonly SqlValue[]
}

/**
 * SQL and arguments are built together, because a separate array of arguments would be wrong as
 * soon as one part is dropped or moved.
 */
export function sql(texts: TemplateStringsArray, ...parts: (Fragment | string)[]): Fragment {
  const pieces = texts.flatMap((text, index) => [text, parts[index] ?? ''])
  return {
    sql: pieces.map((piece) => (typeof piece === 'string' ? piece : piece.sql)).join(''),
    args: pieces.flatMap((piece) => (typeof piece === 'string' ? [] : piece.args))
  }
}

export function bind(argument: SqlValue, cast = ''): Fragment {
  return { sql: `?${cast}`, args: [argument] }
}

export function join(fragments: readonly Fragment[], separator: string): Fragment {
  return {
    sql: fragments.map((fragment) => fragment.sql).join(separator),
    args: fragments.flatMap((fragment) => fragment.args)
  }
}

/** Conditions that must all hold; undefined ones are left out. A list calls it for each slice. */
export function allOf(conditions: readonly (Fragment | undefined)[]): Fragment {
  let sql = ''
  const args: SqlValue[] = []
  for (const condition of conditions) {
    if (condition === undefined) continue
    sql += `${sql === '' ? '' : ' and '}(${condition.sql})`
    args.push(...condition.args)
  }
  return { sql, args }
}
