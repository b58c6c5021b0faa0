import { randomUUID } from 'node:crypto'
import type { Database } from '../../../kernel/database/database.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { joinScopes, splitScopes, type WantedKey } from '../box/keys/scopes.ts'
import { ApiKeyDenied, ApiKeyUnknown, BoxPublic, BoxUnknown, TooManyKeys } from '../contract.ts'
import { digestKey, isKey } from '../http/credentials.ts'
import { type BoxRow, findBox, openOrClaimBox } from './access.ts'
import type { Watch } from './watch.ts'

/** Maximum number of keys of a box, revoked ones included. */
const MAX_KEYS = 100

export interface KeyRow {
  readonly id: string
  readonly label: string | null
  readonly scopes: readonly string[]
  readonly created: number
  readonly revoked: number | null
}

/** A new key with its secret, which is returned only once. */
export interface IssuedKey extends KeyRow {
  readonly key: string
}

interface Stored extends Omit<KeyRow, 'scopes'> {
  readonly scopes: string
}

const LIST =
  'select id, label, scopes, created, revoked from keys where box = ? order by created, id'
const INSERT =
  'insert into keys (box, id, digest, scopes, label, created) values (?, ?, ?, ?, ?, ?)'
const ROTATE =
  'update keys set digest = ? where box = ? and id = ? and revoked is null returning id, label, scopes, created, revoked'
const REVOKE =
  'update keys set revoked = ? where box = ? and id = ? and revoked is null returning id'
const FORGET = 'delete from keys where box = ? and id = ?'

/** Only the owner key of a box can manage its keys. */
function* openOwned(box: string, key: string | undefined): Transaction<BoxRow> {
  const found = yield* findBox(box)
  // The error is the same for an unknown box and for a box with another owner key.
  if (found === undefined || !isKey(found.secret, key)) throw new ApiKeyDenied()
  return found
}

function toRow({ scopes, ...row }: Stored): KeyRow {
  return { ...row, scopes: splitScopes(scopes) }
}

export function manageKeys(
  database: Database,
  nextId: () => string,
  now: () => Date,
  watch: Watch
) {
  const { engine } = database

  /** Creates an unknown box, with this key as its owner key. */
  function* openOrOwn(box: string, key: string | undefined): Transaction<BoxRow> {
    if (key === undefined) throw new ApiKeyDenied()
    const claim = { id: box, key, need: 'manage', time: now().getTime() } as const
    yield* openOrClaimBox(claim, engine)
    return yield* openOwned(box, key)
  }

  return {
    listKeys(box: string, key: string | undefined) {
      return database.read(function* () {
        const { pk, private: hidden } = yield* openOwned(box, key)
        const rows = yield* query<Stored>(LIST, pk)
        return { private: hidden === 1, keys: rows.map(toRow) }
      })
    },

    issueKey(box: string, key: string | undefined, wanted: WantedKey): Promise<IssuedKey> {
      const id = nextId()
      const secret = randomUUID()
      const created = now().getTime()
      return database.write(function* () {
        const { pk } = yield* openOrOwn(box, key)
        yield* requireKeyCapacity(pk)
        const { label, scopes } = wanted
        yield* query(INSERT, pk, id, digestKey(secret), joinScopes(scopes), label, created)
        return { id, label, scopes, created, revoked: null, key: secret }
      })
    },

    rotateKey(box: string, key: string | undefined, id: string): Promise<IssuedKey> {
      const secret = randomUUID()
      return database.write(function* () {
        const { pk } = yield* openOwned(box, key)
        const [row] = yield* query<Stored>(ROTATE, digestKey(secret), pk, id)
        if (row === undefined) throw new ApiKeyUnknown()
        return { ...toRow(row), key: secret }
      })
    },

    async revokeKey(box: string, key: string | undefined, id: string): Promise<void> {
      const time = now().getTime()
      await database.write(function* () {
        const { pk } = yield* openOwned(box, key)
        const [row] = yield* query(REVOKE, time, pk, id)
        if (row === undefined) throw new ApiKeyUnknown()
      })
      watch.changed(box, 0)
    },

    async setPrivate(box: string, key: string | undefined, wanted: boolean): Promise<void> {
      await database.write(function* () {
        const { pk } = yield* openOrOwn(box, key)
        yield* query('update boxes set private = ? where pk = ?', wanted ? 1 : 0, pk)
      })
      watch.changed(box, 0)
    },

    replaceOwner(box: string, key: string | undefined): Promise<string> {
      const secret = randomUUID()
      return database.write(function* () {
        const { pk } = yield* openOwned(box, key)
        yield* setOwner(pk, secret)
        return secret
      })
    },

    /** For the operator, who needs no key. */
    resetOwner(box: string): Promise<string> {
      const secret = randomUUID()
      return database.write(function* () {
        const found = yield* findBox(box)
        if (found === undefined) throw new BoxUnknown(box)
        if (found.secret === null) throw new BoxPublic(box)
        yield* setOwner(found.pk, secret)
        return secret
      })
    }
  }
}

function* setOwner(pk: number, secret: string): Transaction<void> {
  yield* query('update boxes set secret = ? where pk = ?', digestKey(secret), pk)
}

/** Deletes the oldest revoked key if the maximum is reached; throws if there is none. */
function* requireKeyCapacity(pk: number): Transaction<void> {
  const rows = yield* query<Stored>(LIST, pk)
  if (rows.length < MAX_KEYS) return
  const oldest = rows.find(({ revoked }) => revoked !== null)
  if (oldest === undefined) throw new TooManyKeys(MAX_KEYS)
  yield* query(FORGET, pk, oldest.id)
}
