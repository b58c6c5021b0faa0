import { randomInt } from 'node:crypto'
import type { Engine } from '../../../kernel/database/database.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { opens, splitScopes } from '../box/keys/scopes.ts'
import type { Need } from '../box/permission.ts'
import { ApiKeyDenied } from '../contract.ts'
import { checkKeyForm, digestKey, isKey } from '../http/credentials.ts'
import { TRANSACTION } from './log.ts'

export interface BoxRow {
  readonly pk: number
  readonly secret: Uint8Array | null
  /** JSON; null in a box without rules of its own. */
  readonly settings: string | null
  readonly private: number
}

/** Numbers up to 2^48 fit into every integer on the way. */
const MAX_BOX_NUMBER = 2 ** 48 - 1
const MICROSECONDS = 1000

/** No box has this number. */
const NO_BOX = 0

const FIND_KEY = 'select scopes from keys where box = ? and digest = ? and revoked is null'
const FIND = 'select pk, secret, settings, private from boxes where id = ?'

/** Changes of a later box of the same name have greater numbers than those of this one. */
const CLAIM: Readonly<Record<Engine, string>> = {
  sqlite: `insert into boxes (pk, id, created, secret, seq) values (?, ?, ?, ?, ?) on conflict (id) do nothing`,
  postgres: `insert into boxes (pk, id, created, secret, seq) values (?, ?, ?, ?, greatest(?::bigint, ${TRANSACTION})) on conflict (id) do nothing`
}

/** Backups take along what numbers the changes, and what is empty takes a backup without asking. */
const NUMBER_CHANGES = 'insert into feed (id, base) values (1, 0) on conflict (id) do nothing'

export function* findBox(id: string): Transaction<BoxRow | undefined> {
  const [found] = yield* query<BoxRow>(FIND, id)
  return found
}

/** The box for whoever may do this with it; undefined where there is none. */
export function* openBox(
  id: string,
  key: string | undefined,
  need: Need
): Transaction<BoxRow | undefined> {
  const box = yield* findBox(id)
  if (box !== undefined) yield* admit(box, key, need)
  return box
}

/** The box for whoever may see it; undefined where there is none, or none for them. */
export function* seeBox(id: string, key: string | undefined): Transaction<BoxRow | undefined> {
  const box = yield* findBox(id)
  return (yield* admits(box, key, 'read')) ? box : undefined
}

/** Throws unless the key opens the box for this. */
export function* admit(box: BoxRow, key: string | undefined, need: Need): Transaction<void> {
  if (!(yield* admits(box, key, need))) throw new ApiKeyDenied()
}

/** The part of a box that tells who may do what with it. */
type Door = Pick<BoxRow, 'pk' | 'secret' | 'private'>

/** The same is asked of the database for a box that is not there, so that time tells nothing. */
export function* admits(
  box: Door | undefined,
  key: string | undefined,
  need: Need
): Transaction<boolean> {
  if (box !== undefined && isOpen(box, need)) return true
  if (key === undefined) return false
  const [given] = yield* query<{ scopes: string }>(FIND_KEY, box?.pk ?? NO_BOX, digestKey(key))
  if (isKey(box?.secret ?? null, key)) return true
  return given !== undefined && opens(splitScopes(given.scopes), need)
}

/** Without a key of its own a box is public; with one, reading stays open until it is private. */
function isOpen(box: Door, need: Need): boolean {
  return box.secret === null || (need === 'read' && box.private === 0)
}

export interface Claim {
  readonly id: string
  readonly key: string | undefined
  readonly need: Need
  readonly time: number
}

/** The box, made by whoever comes first; the key it is made with protects it for ever. */
export function* openOrClaimBox(
  claim: Claim,
  engine: Engine
): Transaction<BoxRow & { readonly isNew: boolean }> {
  const box = yield* openOrClaimFreely(claim, engine)
  yield* admit(box, claim.key, claim.need)
  return box
}

/** The same without asking for a key: for the operator. */
export function* openOrClaimFreely(
  { id, key, time }: Claim,
  engine: Engine
): Transaction<BoxRow & { readonly isNew: boolean }> {
  const found = yield* findBox(id)
  if (found !== undefined) return { ...found, isNew: false }
  // Reading refuses any other key, so its owner could not get in again.
  checkKeyForm(key)
  const secret = key === undefined ? null : digestKey(key)
  const seq = engine === 'sqlite' ? time * MICROSECONDS : 0
  yield* query(NUMBER_CHANGES)
  yield* query(CLAIM[engine], randomInt(1, MAX_BOX_NUMBER), id, time, secret, seq)
  const made = yield* findBox(id)
  if (made === undefined) throw new Error('A box was made and is not there')
  return { ...made, isNew: true }
}
