import { randomInt } from 'node:crypto'
import type { Database } from '../../../kernel/database/database.ts'
import { type Plan, query, queryAlone } from '../../../kernel/database/plan.ts'
import { checkKey, digestKey } from '../credentials.ts'
import { INSERT_ROWS, type RecordRow } from './insert.ts'
import { createKnownBoxes, type KnownBox } from './known-boxes.ts'
import type { Content } from './record.ts'

export interface Creation {
  readonly box: string
  readonly collection: string | undefined
  readonly key: string | undefined
  readonly contents: readonly Content[]
}

/** In the order of the contents, all at one time. */
export interface Created {
  readonly ids: readonly string[]
  readonly created: number
}

interface BoxRow {
  readonly pk: number
  readonly secret: Uint8Array | null
}

/** Numbers up to 2^48 fit into every integer on the way. */
const MAX_BOX_NUMBER = 2 ** 48 - 1

const FIND_BOX = 'select pk, secret from boxes where id = ?'
const CLAIM_BOX =
  'insert into boxes (pk, id, created, secret) values (?, ?, ?, ?) on conflict (id) do nothing'
const FIND_LAST =
  'select max(created) as last from records where box = (select pk from boxes where id = ?)'

export function createRecords(database: Database, nextId: () => string, now: () => Date) {
  const known = createKnownBoxes()
  const insertRows = INSERT_ROWS[database.engine]

  async function findKnown(box: string): Promise<KnownBox> {
    const found = known.find(box)
    if (found !== undefined) return found
    const [row] = await database.read(() => queryAlone<{ last: number | null }>(FIND_LAST, box))
    return known.remember(box, row?.last ?? 0)
  }

  /** One row into a public box is a plan of one step, which PostgreSQL joins to others. */
  async function createAt(creation: Creation, created: number, publicPk: number): Promise<Created> {
    const ids = creation.contents.map(nextId)
    await database.write(() => insertRows(rowsOf(creation, ids, created, publicPk)))
    return { ids, created }
  }

  async function createCarefully(creation: Creation, created: number, known: KnownBox) {
    const ids = creation.contents.map(nextId)
    const box = await database.write(function* () {
      const box = yield* openBox(creation, created)
      checkKey(box.secret, creation.key)
      yield* insertRows(rowsOf(creation, ids, created, box.pk))
      return box
    })
    if (box.secret === null) known.publicPk = box.pk
    return { ids, created }
  }

  return {
    async create(creation: Creation): Promise<Created> {
      const box = await findKnown(creation.box)
      const created = Math.max(now().getTime(), box.last)
      box.last = created
      const { publicPk } = box
      if (publicPk === undefined) return createCarefully(creation, created, box)
      try {
        return await createAt(creation, created, publicPk)
      } catch (error) {
        // The box is gone, or an id is taken: the careful way with new ids mends both.
        if (isOutage(error)) throw error
        box.publicPk = undefined
        return createCarefully(creation, created, box)
      }
    },
    forgetBoxes: known.clear
  }
}

/** The box, made by whoever comes first; the key it is made with protects it for ever. */
function* openBox({ box, key }: Creation, time: number): Plan<BoxRow> {
  const [found] = yield* query<BoxRow>(FIND_BOX, box)
  if (found !== undefined) return found
  const secret = key === undefined ? null : digestKey(key)
  yield* query(CLAIM_BOX, randomInt(1, MAX_BOX_NUMBER), box, time, secret)
  const [made] = yield* query<BoxRow>(FIND_BOX, box)
  if (made === undefined) throw new Error('A box was made and is not there')
  return made
}

function rowsOf(creation: Creation, ids: readonly string[], created: number, box: number) {
  const collection = creation.collection ?? null
  return creation.contents.map(({ raw, doc }, index): RecordRow => {
    return { box, id: ids[index] ?? '', collection, created, raw, doc }
  })
}

function isOutage(error: unknown): boolean {
  return error instanceof Error && 'statusCode' in error
}
