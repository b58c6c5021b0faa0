import { sqlitePath } from './columns.ts'
import { countCharacters, type Dialect, SIGNS } from './dialect.ts'
import type { Comparison, Path, TypeName } from './filter.ts'
import { bind, type Fragment, join, sql } from './fragment.ts'

const TYPES: Readonly<Record<TypeName, string>> = {
  null: "'null'",
  number: "'integer', 'real'",
  string: "'text'",
  object: "'object'",
  array: "'array'",
  boolean: "'true', 'false'"
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters
const ESCAPED = /["\\\u0000-\u001f]/

/** Greater than the errors of SQLite before 3.53 in the last bits, and of integers above 2^53. */
const RELATIVE_SLACK = 2 ** -50
const ABSOLUTE_SLACK = 2 ** -1070

function typeAt(path: Path): Fragment {
  return sql`json_type(doc, ${bind(sqlitePath(path))})`
}

function valueAt(path: Path): Fragment {
  return sql`json_extract(doc, ${bind(sqlitePath(path))})`
}

function hasType(path: Path, types: readonly TypeName[]): Fragment {
  return sql`${typeAt(path)} in (${types.map((type) => TYPES[type]).join(', ')})`
}

function compareNumber(path: Path, op: Comparison, value: number): Fragment {
  const slack = Math.abs(value) * RELATIVE_SLACK + ABSOLUTE_SLACK
  const bound =
    op === 'gt' || op === 'gte' ? sql`>= ${bind(value - slack)}` : sql`<= ${bind(value + slack)}`
  return sql`(${hasType(path, ['number'])} and ${valueAt(path)} ${bound})`
}

/** Numbers are bound as strings, so that SQLite misreads them in the same way on both sides. */
function isNumberIn(path: Path, values: readonly number[]): Fragment {
  const wanted = values.map((value) => sql`cast(${bind(String(value))} as real)`)
  const value = sql`cast(${valueAt(path)} as real)`
  return sql`(${hasType(path, ['number'])} and ${value} in (${join(wanted, ', ')}))`
}

export const sqlite: Dialect = {
  // Only recent versions find names that JSON escapes.
  supportsPath: (path) => !path.some((name) => ESCAPED.test(name)),
  exists: (path) => sql`${typeAt(path)} is not null`,
  hasType,
  isBoolean: (path, value) => sql`${typeAt(path)} = '${String(value)}'`,
  compareNumber,
  isNumberIn,
  whenText: (path, condition) =>
    sql`(${hasType(path, ['string'])} and ${condition(valueAt(path))})`,
  compareText: (x, op, text) => sql`${x} ${SIGNS[op]} ${bind(text)}`,
  isTextIn: (x, texts) =>
    sql`${x} in (${join(
      texts.map((text) => bind(text)),
      ', '
    )})`,
  startsWith: (x, text) => sql`substr(${x}, 1, ${countCharacters(text)}) = ${bind(text)}`,
  endsWith: (x, text) => sql`substr(${x}, -${countCharacters(text)}) = ${bind(text)}`,
  contains: (x, text) => sql`instr(${x}, ${bind(text)}) > 0`,
  lower: (x) => sql`lower(${x})`,
  hasMoreThanAscii: (x) => sql`length(${x}) <> length(cast(${x} as blob))`,
  integer: (value) => bind(value)
}
