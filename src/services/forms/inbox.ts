import type { Outcome } from './handle.ts'

/** Maximum number of submissions in memory; the oldest is removed first. */
export const MAX_SUBMISSIONS = 100
/** Maximum size of all bodies and responses; the oldest submissions are removed first. */
const MAX_BYTES = 8 * 1024 * 1024
/** Longer bodies are not kept. */
const MAX_BODY_BYTES = 1024 * 1024
/** Longer responses are cut. */
const MAX_RESPONSE_LENGTH = 2000
/** Maximum number of attempts that are kept for each submission. */
const MAX_ATTEMPTS = 5

/** A submission that was sent to the webhook again. */
export interface Attempt {
  readonly when: Date
  readonly outcome: Outcome
}

/** A request as it was received, and what became of it. */
export interface Handling {
  readonly when: Date
  readonly method: string
  readonly path: string
  /** Names and values by turns. */
  readonly rawHeaders: readonly string[]
  /** Undefined if it is too long to be kept. */
  readonly body: Uint8Array | undefined
  /** The response to the client. */
  readonly status: number
  readonly text: string
  readonly outcome: Outcome
}

export interface Submission extends Handling {
  readonly id: number
  readonly attempts: readonly Attempt[]
}

export interface Inbox {
  add: (handling: Handling) => void
  /** Submissions, newest first. */
  list: () => readonly Submission[]
  find: (id: number) => Submission | undefined
  addAttempt: (id: number, attempt: Attempt) => void
  clear: () => void
  /** Calls `listener` after each change; returns a function that ends this. */
  watch: (listener: () => void) => () => void
}

/** Keeps the last submissions in memory, only. */
export function createInbox(): Inbox {
  /** Oldest first. */
  const kept: Submission[] = []
  const listeners = new Set<() => void>()
  let lastId = 0
  let bytes = 0

  function changed(): void {
    for (const listener of listeners) listener()
  }

  function removeOldest(): void {
    while (kept.length > MAX_SUBMISSIONS || bytes > MAX_BYTES) {
      const oldest = kept.shift()
      if (oldest === undefined) return
      bytes -= sizeOf(oldest)
    }
  }

  return {
    add(handling) {
      const { body, text } = handling
      const submission = {
        ...handling,
        id: ++lastId,
        body: body === undefined || body.length > MAX_BODY_BYTES ? undefined : body,
        text: text.length > MAX_RESPONSE_LENGTH ? cutAndCopy(text) : text,
        attempts: []
      }
      kept.push(submission)
      bytes += sizeOf(submission)
      removeOldest()
      changed()
    },
    list: () => kept.toReversed(),
    find: (wanted) => kept.find(({ id }) => id === wanted),
    addAttempt(wanted, attempt) {
      const index = kept.findIndex(({ id }) => id === wanted)
      const submission = kept[index]
      if (submission === undefined) return
      const attempts = [...submission.attempts, attempt].slice(-MAX_ATTEMPTS)
      kept[index] = { ...submission, attempts }
      changed()
    },
    clear() {
      kept.length = 0
      bytes = 0
      changed()
    },
    watch(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}

function sizeOf({ body, text }: Pick<Handling, 'body' | 'text'>): number {
  return (body?.length ?? 0) + text.length
}

/** A slice alone would keep the whole string in memory. */
function cutAndCopy(text: string): string {
  return Buffer.from(`${text.slice(0, MAX_RESPONSE_LENGTH)}…`).toString()
}
