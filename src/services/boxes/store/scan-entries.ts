import { allOf, type Fragment } from '../query/fragment.ts'
import { belowSql, type DescendingReader, equalSql, readDescending } from './descending.ts'

/** A range of keys of one flavour of an index. */
export interface EntryRange {
  readonly path: number
  readonly from: Uint8Array
  readonly to: Uint8Array
}

/** Position of an entry in an index. */
export interface IndexPosition {
  readonly key: Uint8Array
  readonly rec: number
}

export interface Walk {
  readonly box: number
  readonly path: number
  readonly descending: boolean
  readonly after: IndexPosition | undefined
  readonly offset: number
  readonly limit: number
}

const ENTRIES = 'select rec from entries where box = ? and path = ? and key >= ? and key < ?'

type All = <T extends object>(statement: Fragment) => Promise<readonly T[]>

/** Reads the entries of declared indexes. */
export function scanEntries(all: All) {
  function readEntries({ box, path }: Walk, where: Fragment | undefined, rest: Fragment) {
    const { sql, args } = allOf([{ sql: 'box = ? and path = ?', args: [box, path] }, where])
    return all<IndexPosition>({
      sql: `select key, rec from entries where ${sql} ${rest.sql}`,
      args: [...args, ...rest.args]
    })
  }

  function walkDown(walk: Walk): Promise<readonly IndexPosition[]> {
    const { after, limit } = walk
    const reader: DescendingReader<IndexPosition, Uint8Array> = {
      isEqual: (one, other) => Buffer.compare(one.key, other.key) === 0,
      keyOf: ({ key }) => key,
      readEqual: (key, above, most) =>
        readEntries(walk, equalSql('key', key, 'rec', above), {
          sql: 'order by rec limit ?',
          args: [most]
        }),
      readBelow: (key, most) =>
        readEntries(walk, belowSql('key', key), {
          sql: 'order by key desc, rec desc limit ?',
          args: [most]
        })
    }
    const from = after && { key: after.key, number: after.rec }
    return readDescending(reader, { after: from, limit })
  }

  return {
    /** Numbers of at most `most` records that an index has in these ranges. */
    async findEntries(box: number, ranges: readonly EntryRange[], most: number) {
      const parts = ranges.map(() => ENTRIES).join(' union all ')
      const args = ranges.flatMap(({ path, from, to }) => [box, path, from, to])
      const sql = `select rec from (${parts}) found limit ?`
      const found = await all<{ rec: number }>({ sql, args: [...args, most] })
      return found.map(({ rec }) => rec)
    },

    /** The next entries of an index in its order. */
    walkEntries(walk: Walk): Promise<readonly IndexPosition[]> {
      const { descending, after, offset, limit } = walk
      // With an offset, which only a first slice has, the index is sorted up to the last row.
      if (descending && offset === 0) return walkDown(walk)
      const behind = after && {
        sql: descending ? '(key < ? or (key = ? and rec > ?))' : '(key, rec) > (?, ?)',
        args: descending ? [after.key, after.key, after.rec] : [after.key, after.rec]
      }
      const order = descending ? 'key desc, rec' : 'key, rec'
      return readEntries(walk, behind, {
        sql: `order by ${order} limit ? offset ?`,
        args: [limit, offset]
      })
    }
  }
}
