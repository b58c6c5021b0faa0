import type { Database } from '../../../kernel/database/database.ts'
import { type Argument, type Plan, query, queryAlone } from '../../../kernel/database/plan.ts'
import { NothingToWrite } from '../contract.ts'
import { checkKey } from '../credentials.ts'
import type { Content } from './record.ts'

export interface Target {
  readonly box: string
  readonly id: string
  readonly key: string | undefined
}

interface Secured {
  readonly pk: number
  readonly secret: Uint8Array | null
}

const FIND_BOX = 'select pk, secret from boxes where id = ?'
const PUBLIC_BOX = '(select pk from boxes where id = ? and secret is null)'

// No clock goes backwards within a record.
const REPLACE =
  'update records set raw = ?, doc = <doc>, rev = rev + 1, ' +
  'updated = case when coalesce(updated, created) > ? then coalesce(updated, created) else ? end'
const REMOVE = 'delete from records'

/** The box's number, for whoever may write to it. */
export function* openForWriting(box: string, key: string | undefined): Plan<number | undefined> {
  const [found] = yield* query<Secured>(FIND_BOX, box)
  if (found === undefined) return undefined
  checkKey(found.secret, key)
  return found.pk
}

export function changeRecords(database: Database, now: () => Date) {
  const replace = REPLACE.replace('<doc>', database.engine === 'sqlite' ? 'jsonb(?)' : '?')

  /** In a public box one statement does; only if it finds nothing, the careful way asks why. */
  async function change(statement: string, args: readonly Argument[], target: Target) {
    const { box, id, key } = target
    const done = await database.write(() =>
      queryAlone(`${statement} where box = ${PUBLIC_BOX} and id = ? returning pk`, ...args, box, id)
    )
    if (done.length > 0) return
    await database.write(function* () {
      const pk = yield* openForWriting(box, key)
      if (pk === undefined) throw new NothingToWrite()
      const sql = `${statement} where box = ? and id = ? returning pk`
      const changed = yield* query(sql, ...args, pk, id)
      if (changed.length === 0) throw new NothingToWrite()
    })
  }

  return {
    replace: ({ raw, doc }: Content, target: Target) => {
      const time = now().getTime()
      return change(replace, [raw, doc, time, time], target)
    },
    remove: (target: Target) => change(REMOVE, [], target)
  }
}
