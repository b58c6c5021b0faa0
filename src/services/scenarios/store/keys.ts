import type { Database } from '../../../kernel/database/database.ts'
import { query, queryAutocommit } from '../../../kernel/database/transaction.ts'

export interface KeyRow {
  readonly kid: string
  readonly algorithm: string
  /** JSON, the private part included. */
  readonly jwk: string
}

const FIND = 'select kid, algorithm, jwk from signing_key where algorithm = ? order by created, kid'
const ADD = 'insert into signing_key (kid, algorithm, jwk, created) values (?, ?, ?, ?)'

export function keyStore(database: Database) {
  return {
    async findKey(algorithm: string): Promise<KeyRow | undefined> {
      const [row] = await database.read(() => queryAutocommit<KeyRow>(FIND, algorithm))
      return row
    },

    /** Stores the key and returns it, or returns an older key if another process has stored one. */
    addKey: (key: KeyRow, time: number): Promise<KeyRow> =>
      database.write(function* () {
        const [found] = yield* query<KeyRow>(FIND, key.algorithm)
        if (found !== undefined) return found
        yield* query(ADD, key.kid, key.algorithm, key.jwk, time)
        return key
      })
  }
}
