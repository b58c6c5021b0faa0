import type { Database } from '../../../kernel/database/database.ts'
import { fullGroupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { createNotifications } from '../../../kernel/database/notifications.ts'
import { queryAutocommit } from '../../../kernel/database/transaction.ts'
import { createRetention } from './retention.ts'

/** Boxes of one statement. */
const GROUP = 50

/** Boxes by their id. */
export interface Watch {
  /** Called by whoever changed a box, once that is durable, with the number of changes. */
  changed: (box: string, count: number) => void
  /**
   * Calls back whenever there may be something new to read, also when it comes from another
   * process, and at times without need; the returned function ends it.
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
