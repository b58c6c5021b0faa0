import { randomUUID } from 'node:crypto'
import { isStorageError } from '../../../kernel/errors.ts'
import { addMoves, beginMove, endMove, isReadByWatcher } from '../store/moved-messages.ts'
import type { ChangingSession } from './session.ts'

/** Pairs that one transaction stores. */
const MAX_PAIRS = 1000

interface Moved<T> {
  readonly ids: T
  /** Ids of the messages before and after. */
  readonly pairs: readonly (readonly [source: string, target: string])[]
}

/**
 * Stores the ids of a move, which the events of both mailboxes name. The mail server tells of the
 * move before this request knows the ids, so events wait from the beginning of the move. Without
 * space on the disk messages are moved too; their events do not name each other then.
 */
export async function recordMove<T>(
  { database, account, now }: Pick<ChangingSession, 'database' | 'account' | 'now'>,
  move: () => Promise<Moved<T>>
): Promise<T> {
  if (!(await database.read(() => isReadByWatcher(account)))) return (await move()).ids
  const key = randomUUID()
  await ifPossible(database.write(() => beginMove(account, key, now().getTime())))
  try {
    const { ids, pairs } = await move()
    for (let start = 0; start < pairs.length; start += MAX_PAIRS) {
      const some = pairs.slice(start, start + MAX_PAIRS)
      await ifPossible(database.write(() => addMoves(account, some, now().getTime())))
    }
    return ids
  } finally {
    await ifPossible(database.write(() => endMove(account, key), { frees: true }))
  }
}

async function ifPossible(written: Promise<void>): Promise<void> {
  try {
    await written
  } catch (error) {
    if (!isStorageError(error)) throw error
  }
}
