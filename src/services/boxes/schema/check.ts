import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { schemaMismatch } from '../contract.ts'
import type { BoxRules } from '../store/rules.ts'
import { readJson } from '../text/read-json.ts'
import { compileSchema, isCompiled, type Mismatch, SchemaRejected } from './compile.ts'

/** Name of the schema for all records of a box. */
export const WHOLE_BOX = ''

const FIND = 'select text from schemas where box = ? and collection = ?'

/** Throws if a record does not match the schemas of its box and of its collection. */
export function* checkSchema(
  box: number,
  { schemas }: BoxRules,
  collection: string | null,
  raw: string,
  index: number | undefined
): Transaction<void> {
  if (schemas === undefined) return
  const mismatches: Mismatch[] = []
  for (const name of new Set([WHOLE_BOX, collection ?? WHOLE_BOX])) {
    const digest = Object.hasOwn(schemas, name) ? schemas[name] : undefined
    if (digest === undefined) continue
    let text = 'true'
    if (!isCompiled(digest)) {
      const [found] = yield* query<{ text: string }>(FIND, box, name)
      text = found?.text ?? text
    }
    mismatches.push(...findMismatches(digest, text, raw))
  }
  if (mismatches.length > 0) throw schemaMismatch(mismatches, index)
}

function findMismatches(digest: string, text: string, raw: string): readonly Mismatch[] {
  try {
    return compileSchema(digest, () => readJson(text)).check(readJson(raw), raw.length)
  } catch (error) {
    // The schema may have been stored by a version that rejected less.
    if (!(error instanceof SchemaRejected)) throw error
    return [{ path: '', message: `the schema must be replaced: ${error.message}` }]
  }
}
