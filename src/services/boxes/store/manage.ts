import type { Database } from '../../../kernel/database/database.ts'
import { query } from '../../../kernel/database/transaction.ts'
import { TooManySchemas } from '../contract.ts'
import { openBox, openOrClaimBox, seeBox } from './access.ts'
import type { Access } from './indexes.ts'
import { type BoxRules, rulesOf, saveRules } from './rules.ts'

export interface BoxLimitSettings {
  readonly ttl: number | undefined
  readonly cap: number | undefined
}

export const MAX_SCHEMAS = 32

const SAVE =
  'insert into schemas (box, collection, text) values (?, ?, ?) ' +
  'on conflict (box, collection) do update set text = excluded.text'

/** The rules of a box except its indexes. */
export function boxRules(database: Database, now: () => Date) {
  const { engine } = database

  return {
    async readRules({ box, key }: Access): Promise<BoxRules> {
      const found = await database.read(() => seeBox(box, key))
      return rulesOf(found?.settings ?? null)
    },

    async saveLimits({ box: id, key }: Access, { ttl, cap }: BoxLimitSettings): Promise<void> {
      const time = now().getTime()
      await database.write(function* () {
        const box = yield* openOrClaimBox({ id, key, need: 'manage', time }, engine)
        const { ttl: _ttl, cap: _cap, ...others } = rulesOf(box.settings)
        const limits = {
          ...(ttl === undefined ? {} : { ttl }),
          ...(cap === undefined ? {} : { cap })
        }
        yield* saveRules(box.pk, { ...others, ...limits })
      })
    },

    /** The schema as it was sent; undefined if there is none. */
    readSchema({ box: id, key }: Access, collection: string): Promise<string | undefined> {
      return database.read(function* () {
        const box = yield* seeBox(id, key)
        if (box === undefined) return undefined
        const sql = 'select text from schemas where box = ? and collection = ?'
        const [found] = yield* query<{ text: string }>(sql, box.pk, collection)
        return found?.text
      })
    },

    async saveSchema({ box: id, key }: Access, collection: string, text: string, digest: string) {
      const time = now().getTime()
      await database.write(function* () {
        const box = yield* openOrClaimBox({ id, key, need: 'manage', time }, engine)
        const rules = rulesOf(box.settings)
        const schemas = { ...rules.schemas, [collection]: digest }
        if (Object.keys(schemas).length > MAX_SCHEMAS) throw new TooManySchemas()
        yield* query(SAVE, box.pk, collection, text)
        yield* saveRules(box.pk, { ...rules, schemas })
      })
    },

    /** False if there was no such schema. */
    removeSchema({ box: id, key }: Access, collection: string): Promise<boolean> {
      return database.write(
        function* () {
          const box = yield* openBox(id, key, 'manage')
          const rules = rulesOf(box?.settings ?? null)
          if (box === undefined || !Object.hasOwn(rules.schemas ?? {}, collection)) return false
          const { [collection]: _, ...schemas } = rules.schemas ?? {}
          yield* query('delete from schemas where box = ? and collection = ?', box.pk, collection)
          yield* saveRules(box.pk, { ...rules, schemas })
          return true
        },
        { frees: true }
      )
    }
  }
}
