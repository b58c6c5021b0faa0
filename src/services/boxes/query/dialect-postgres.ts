import { countCharacters, type Dialect, SIGNS } from './dialect.ts'
import type { Comparison, Path, TypeName } from './filter.ts'
import { bind, type Fragment, join, sql } from './fragment.ts'

/** The path as an array literal, in one argument. */
function pathArgument(path: Path): Fragment {
  const names = path.map((name) => `"${name.replaceAll(/["\\]/g, '\\$&')}"`)
  return bind(`{${names.join(',')}}`, '::text[]')
}

function typeAt(path: Path): Fragment {
  return sql`jsonb_typeof(doc #> ${pathArgument(path)})`
}

function textAt(path: Path): Fragment {
  return sql`(doc #>> ${pathArgument(path)})`
}

function bindText(text: string): Fragment {
  return bind(text, '::text')
}

function bindNumber(value: number): Fragment {
  return bind(value, '::float8')
}

function hasType(path: Path, types: readonly TypeName[]): Fragment {
  return sql`${typeAt(path)} in (${types.map((type) => `'${type}'`).join(', ')})`
}

/** With `case`, because `and` would not prevent the cast of strings. */
function whenNumber(path: Path, condition: Fragment): Fragment {
  const value = sql`${textAt(path)}::float8`
  return sql`case when ${typeAt(path)} = 'number' then ${value} ${condition} else false end`
}

function compareNumber(path: Path, op: Comparison, value: number): Fragment {
  return whenNumber(path, sql`${SIGNS[op]} ${bindNumber(value)}`)
}

export const postgres: Dialect = {
  supportsPath: () => true,
  exists: (path) => sql`${typeAt(path)} is not null`,
  hasType,
  isBoolean: (path, value) => sql`doc #> ${pathArgument(path)} = '${String(value)}'::jsonb`,
  compareNumber,
  isNumberIn: (path, values) => whenNumber(path, sql`in (${join(values.map(bindNumber), ', ')})`),
  whenText: (path, condition) => sql`(${hasType(path, ['string'])} and ${condition(textAt(path))})`,
  compareText: (x, op, text) => sql`${x} collate "C" ${SIGNS[op]} ${bindText(text)}`,
  isTextIn: (x, texts) => sql`${x} in (${join(texts.map(bindText), ', ')})`,
  startsWith: (x, text) => sql`left(${x}, ${countCharacters(text)}) = ${bindText(text)}`,
  endsWith: (x, text) => sql`right(${x}, ${countCharacters(text)}) = ${bindText(text)}`,
  contains: (x, text) => sql`strpos(${x}, ${bindText(text)}) > 0`,
  lower: (x) => sql`lower(${x} collate "C")`,
  hasMoreThanAscii: (x) => sql`octet_length(${x}) <> char_length(${x})`,
  integer: (value) => bind(value, '::bigint')
}
