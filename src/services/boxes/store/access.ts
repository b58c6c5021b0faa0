import { randomInt } from 'node:crypto'
import type { Engine } from '../../../kernel/database/database.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { opens, splitScopes } from '../box/keys/scopes.ts'
import type { Permission } from '../box/permission.ts'
import { ApiKeyDenied } from '../contract.ts'
import { checkKeyForm, digestKey, isKey } from '../http/credentials.ts'
import { TRANSACTION_ID_SQL } from './log.ts'

export interface BoxRow {
  readonly pk: number
  readonly secret: Uint8Array | null
  /** `BoxRules` as JSON; null if there are none. */
  readonly settings: string | null
  readonly private: number
}

/** `randomInt` allows ranges below 2^48, and such numbers are exact in JavaScript and SQL. */
const MAX_BOX_NUMBER = 2 ** 48 - 1
const MICROSECONDS = 1000

/** No box has this number. */
const NO_BOX = 0

const FIND_KEY = 'select scopes from keys where box = ? and digest = ? and revoked is null'
const FIND = 'select pk, secret, settings, private from boxes where id = ?'

/** Inserts a box; its `seq` is greater than all changes of an earlier box with the same id. */
const CLAIM: Readonly<Record<Engine, string>> = {
  sqlite: `insert into boxes (pk, id, created, secret, seq) values (?, ?, ?, ?, ?) on conflict (id) do nothing`,
  postgres: `insert into boxes (pk, id, created, secret, seq) values (?, ?, ?, ?, greatest(?::bigint, ${TRANSACTION_ID_SQL})) on conflict (id) do nothing`
}

/**
 * `feed` holds the base of the change numbers and is part of backups. The row is created with the
 * first box, because a restore requires empty tables.
 */
const NUMBER_CHANGES = 'insert into feed (id, base) values (1, 0) on conflict (id) do nothing'

export function* findBox(id: string): Transaction<BoxRow | undefined> {
  const [found] = yield* query<BoxRow>(FIND, id)
  return found
}

/** The box; undefined if it is unknown. Throws if the key does not permit `need`. */
export function* openBox(
  id: string,
  key: string | undefined,
  need: Permission
): Transaction<BoxRow | undefined> {
  const box = yield* findBox(id)
  if (box !== undefined) yield* requirePermission(box, key, need)
  return box
}

/** The box; undefined if it is unknown or the key does not permit reading. */
export function* seeBox(id: string, key: string | undefined): Transaction<BoxRow | undefined> {
  const box = yield* findBox(id)
  return (yield* hasPermission(box, key, 'read')) ? box : undefined
}

/** Throws ApiKeyDenied if the key does not permit `need`. */
export function* requirePermission(
  box: BoxRow,
  key: string | undefined,
  need: Permission
): Transaction<void> {
  if (!(yield* hasPermission(box, key, need))) throw new ApiKeyDenied()
}

/** Columns of a box that decide about access. */
type BoxAuth = Pick<BoxRow, 'pk' | 'secret' | 'private'>

/** Also queries the keys of an unknown box, so that timing does not reveal whether it exists. */
export function* hasPermission(
  box: BoxAuth | undefined,
  key: string | undefined,
  need: Permission
): Transaction<boolean> {
  if (box !== undefined && isOpen(box, need)) return true
  if (key === undefined) return false
  const [given] = yield* query<{ scopes: string }>(FIND_KEY, box?.pk ?? NO_BOX, digestKey(key))
  if (isKey(box?.secret ?? null, key)) return true
  return given !== undefined && opens(splitScopes(given.scopes), need)
}

/** A box without an owner key is public; with one, reading is open unless the box is private. */
function isOpen(box: BoxAuth, need: Permission): boolean {
  return box.secret === null || (need === 'read' && box.private === 0)
}

export interface Claim {
  readonly id: string
  readonly key: string | undefined
  readonly need: Permission
  readonly time: number
}

/** The box, created if it is unknown; the key of its creation is its owner key. */
export function* openOrClaimBox(
  claim: Claim,
  engine: Engine
): Transaction<BoxRow & { readonly isNew: boolean }> {
  const box = yield* openOrClaimFreely(claim, engine)
  yield* requirePermission(box, claim.key, claim.need)
  return box
}

/** `openOrClaimBox` without the check of the key, for the operator. */
export function* openOrClaimFreely(
  { id, key, time }: Claim,
  engine: Engine
): Transaction<BoxRow & { readonly isNew: boolean }> {
  const found = yield* findBox(id)
  if (found !== undefined) return { ...found, isNew: false }
  // Reads reject malformed keys, so an owner with such a key could not read the box.
  checkKeyForm(key)
  const secret = key === undefined ? null : digestKey(key)
  const seq = engine === 'sqlite' ? time * MICROSECONDS : 0
  yield* query(NUMBER_CHANGES)
  yield* query(CLAIM[engine], randomInt(1, MAX_BOX_NUMBER), id, time, secret, seq)
  const made = yield* findBox(id)
  if (made === undefined) throw new Error('A box was made and is not there')
  return { ...made, isNew: true }
}
