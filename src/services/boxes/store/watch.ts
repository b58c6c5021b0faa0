import type { Database } from '../../../kernel/database/database.ts'
import { fullGroupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { createNotifications } from '../../../kernel/database/notifications.ts'
import { queryAutocommit } from '../../../kernel/database/transaction.ts'
import { createRetention } from './retention.ts'

/** Boxes per statement. */
const GROUP = 50

/** Notifications of changes; boxes are identified by id. */
export interface Watch {
  /** To be called after each committed write to a box, with the number of changes. */
  changed: (box: string, count: number) => void
  /**
   * Calls the listener when there may be changes to read, also of another process; sometimes
   * there are none. The returned function unsubscribes.
   */
  listen: (box: string, listener: () => void) => () => void
  stop: () => void
}

const HEADS = `select id, (select max(c.seq) from changes c where c.box = boxes.pk) as head from boxes where id in (${placeholders(GROUP)})`

interface Head {
  readonly id: string
  readonly head: number | null
}

export function createWatch(database: Database): Watch {
  const keepShort = createRetention(database)
  const { notify, subscribe, stop } = createNotifications(database, readHeads)

  /** Newest change of each box, even if it cannot be read yet. */
  async function readHeads(boxes: readonly string[]): Promise<Map<string, number | null>> {
    const heads = new Map<string, number | null>()
    for (const args of fullGroupsOf(boxes, GROUP)) {
      const found = await database.read(() => queryAutocommit<Head>(HEADS, ...args))
      for (const { id, head } of found) heads.set(id, head)
    }
    return heads
  }

  return {
    changed(box, count) {
      notify(box)
      keepShort(box, count)
    },
    listen: subscribe,
    stop
  }
}
