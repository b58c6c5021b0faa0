import { createHash } from 'node:crypto'
import type { Database } from '../../../kernel/database/database.ts'
import { fullGroupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { queryAlone } from '../../../kernel/database/plan.ts'
import { createRetention } from './retention.ts'

/** Words between processes may get lost: so often is looked after them while somebody listens. */
const POLL_MS = 2_000
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

/** An id may be a secret and hold blanks; between processes its digest says enough. */
function digestId(box: string): string {
  return createHash('sha256').update(box).digest('hex').slice(0, 32)
}

export function createWatch(database: Database): Watch {
  const { engine, signals } = database
  const keepShort = createRetention(database)
  const listeners = new Map<string, Set<() => void>>()
  /** The boxes that are listened to, by what is said of them. */
  const boxes = new Map<string, string>()
  /** Newest change of each box that is listened to, even if it cannot be read yet. */
  const heads = new Map<string, number | null>()
  const wordFor = engine === 'sqlite' ? (box: string) => box : digestId
  let timer: NodeJS.Timeout | undefined
  let unhear: (() => void) | undefined

  function tell(box: string): void {
    for (const listener of listeners.get(box) ?? []) listener()
  }

  function hear(word: string | undefined): void {
    if (word === undefined) for (const box of listeners.keys()) tell(box)
    else tell(boxes.get(word) ?? '')
  }

  async function lookAround(): Promise<void> {
    for (const args of fullGroupsOf([...listeners.keys()], GROUP)) {
      const found = await database.read(() => queryAlone<Head>(HEADS, ...args))
      for (const { id, head } of found) {
        if (heads.get(id) === head) continue
        heads.set(id, head)
        tell(id)
      }
    }
  }

  function poll(): void {
    timer = setTimeout(() => {
      // While the database cannot be reached there is nothing new; it will be looked for again.
      lookAround().then(next, next)
    }, POLL_MS)
    timer.unref()
  }

  function next(): void {
    timer = undefined
    if (listeners.size > 0) poll()
  }

  return {
    changed(box, count) {
      signals.say(wordFor(box))
      keepShort(box, count)
    },
    listen(box, listener) {
      unhear ??= signals.hear(hear)
      const own = listeners.get(box) ?? new Set()
      listeners.set(box, own.add(listener))
      boxes.set(wordFor(box), box)
      if (engine === 'postgres' && timer === undefined) poll()
      return () => {
        own.delete(listener)
        if (own.size > 0 || listeners.get(box) !== own) return
        listeners.delete(box)
        boxes.delete(wordFor(box))
        heads.delete(box)
      }
    },
    stop() {
      listeners.clear()
      unhear?.()
      clearTimeout(timer)
    }
  }
}
