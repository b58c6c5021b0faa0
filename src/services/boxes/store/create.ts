import type { Database } from '../../../kernel/database/database.ts'
import { UniqueViolation } from '../../../kernel/database/errors.ts'
import { queryAutocommit } from '../../../kernel/database/transaction.ts'
import { openOrClaimBox } from './access.ts'
import { insertPlain } from './insert.ts'
import { acknowledge, createKnownBoxes, type KnownBox } from './known-boxes.ts'
import type { Content, StoredRecord } from './record.ts'
import { NO_RULES } from './rules.ts'
import type { Watch } from './watch.ts'
import { beginWriting, evictBeyondCap, expiryOf, freeId, storeNew } from './write.ts'

export interface Creation {
  readonly box: string
  readonly collection: string | undefined
  readonly key: string | undefined
  /** Seconds to live. */
  readonly ttl?: number | undefined
  readonly contents: readonly Content[]
  /** Of a record that existed before; by default it is created now. */
  readonly dates?: Pick<StoredRecord, 'created' | 'updated'> | undefined
}

/** Ids in the order of the contents; all records have the same creation time. */
export interface Created {
  readonly ids: readonly string[]
  readonly created: number
}

const FIND_LAST =
  'select max(created) as last from records where box = (select pk from boxes where id = ?)'
/** A client that creates more than one record per millisecond moves the time ahead by this much. */
const MAX_AHEAD_MS = 1000
/** Attempts with a new id; generated ids are almost never in use. */
const MAX_ATTEMPTS = 3

export function createRecords(
  database: Database,
  nextId: () => string,
  now: () => Date,
  watch: Watch
) {
  const known = createKnownBoxes()
  const { engine } = database

  async function findKnown(box: string): Promise<KnownBox> {
    const found = known.find(box)
    if (found !== undefined) return found
    const [row] = await database.read(() =>
      queryAutocommit<{ last: number | null }>(FIND_LAST, box)
    )
    return known.remember(box, row?.last ?? 0)
  }

  /**
   * Creation time of a new record: never earlier than that of the newest record, and later than
   * those of acknowledged records, because a list shows equal times in the order of insertion.
   */
  async function timeIn(box: string): Promise<{ known: KnownBox; created: number }> {
    const known = await findKnown(box)
    const time = now().getTime()
    const later = known.acknowledged + 1
    known.last = Math.max(time, known.last, later > time + MAX_AHEAD_MS ? 0 : later)
    return { known, created: known.last }
  }

  async function createQuickly(
    creation: Creation,
    { raw, doc }: Content,
    created: number,
    box: number
  ): Promise<Created> {
    const id = nextId()
    const { collection = null, ttl } = creation
    const expires = expiryOf({ ttl }, NO_RULES, created)
    const row = { box, id, collection, created, updated: null, expires, rev: 1, raw, doc }
    await database.write(() => insertPlain(row, engine))
    return { ids: [id], created }
  }

  async function createCarefully(creation: Creation, created: number, known: KnownBox) {
    const { box: id, key, ttl, collection = null, contents } = creation
    const ids = contents.map(nextId)
    const records = contents.map((content, index) => {
      return { ...content, id: ids[index] ?? '', collection, ttl }
    })
    const box = await database.write(function* () {
      const box = yield* openOrClaimBox({ id, key, need: 'create', time: created }, engine)
      const writing = beginWriting(engine, box, created)
      yield* storeNew(writing, records)
      yield* evictBeyondCap(writing)
      return box
    })
    if (box.secret === null && box.settings === null) known.plainPk = box.pk
    return { ids, created }
  }

  async function createAt(creation: Creation, created: number, box: KnownBox): Promise<Created> {
    const [only, second] = creation.contents
    const { plainPk } = box
    if (plainPk !== undefined && only !== undefined && second === undefined) {
      try {
        return await createQuickly(creation, only, created, plainPk)
      } catch (error) {
        // The box is deleted or not plain any more, or the id is in use: `createCarefully` follows.
        if (isOutage(error)) throw error
        box.plainPk = undefined
      }
    }
    for (let attempt = 1; ; attempt++) {
      try {
        return await createCarefully(creation, created, box)
      } catch (error) {
        if (!(error instanceof UniqueViolation) || attempt === MAX_ATTEMPTS) throw error
      }
    }
  }

  return {
    async create(creation: Creation): Promise<Created> {
      const { known, created } = await timeIn(creation.box)
      const done = await createAt(creation, created, known)
      acknowledge(known, created)
      watch.changed(creation.box, creation.contents.length)
      return done
    },

    /** Creates a record with an id chosen by the caller; throws if the id is in use. */
    async createAs(id: string, content: Content, creation: Creation): Promise<StoredRecord> {
      const { box, key, ttl, collection = null } = creation
      const { known, created } = await timeIn(box)
      const dates = creation.dates ?? { created, updated: null }
      // A revision that no earlier record with this id had, so that old ETags do not match.
      const record = { ...content, id, collection, ttl, rev: created, ...dates }
      await database.write(function* () {
        const opened = yield* openOrClaimBox(
          { id: box, key, need: 'create', time: created },
          engine
        )
        const writing = beginWriting(engine, opened, created)
        yield* freeId(writing, id)
        yield* storeNew(writing, [record])
        yield* evictBeyondCap(writing)
      })
      acknowledge(known, created)
      watch.changed(box, 1)
      return record
    },

    timeIn,
    forgetBoxes: known.clear
  }
}

function isOutage(error: unknown): boolean {
  return error instanceof Error && 'statusCode' in error
}
