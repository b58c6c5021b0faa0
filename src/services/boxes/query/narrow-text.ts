import type { Dialect } from './dialect.ts'
import type { Test } from './filter.ts'
import { type Fragment, sql } from './fragment.ts'

type TextTest = Extract<Test, { text: string }>

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ASCII = /^[\u0000-\u007f]*$/

/** A condition on a string; the engines convert the case of ASCII letters only. */
export function narrowText(test: TextTest, x: Fragment, dialect: Dialect): Fragment {
  if (!test.folded) return findText(test, x, dialect)
  const foreign = dialect.hasMoreThanAscii(x)
  if (!ASCII.test(test.text)) return foreign
  return sql`(${findText(test, dialect.lower(x), dialect)} or ${foreign})`
}

function findText({ op, text }: TextTest, x: Fragment, dialect: Dialect): Fragment {
  if (op === 'equals') return dialect.isTextIn(x, [text])
  // In SQLite, the last 0 characters are the whole string.
  return text === '' ? sql`1 = 1` : dialect[op](x, text)
}
