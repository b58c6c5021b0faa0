/** Of mailboxes with notices; if there are more, all mailboxes are compared. */
const MAX_PATHS = 1000

/** Lines about the selected mailbox: of IDLE and NOOP, or of any other command. */
const SELECTED_LINE = /^\* (?:\d+ (?:EXISTS|EXPUNGE|FETCH)|VANISHED)\b/i

/** What a server has told about mailboxes since they were compared. */
export interface Notices {
  /** For lines of the connection. */
  onLine: (line: string) => void
  /** A mailbox has changed. */
  onMailbox: (path: string) => void
  /** The list of mailboxes has changed. */
  onList: (renamed?: { readonly from: string; readonly to: string }) => void
  /** The connection was closed. */
  onClose: () => void
  /** From now on lines about the selected mailbox are notices, not responses. */
  rest: (isResting: boolean) => void
  /** What was told since the last call. */
  take: () => NoticedChanges
  isEmpty: () => boolean
  /** Resolves with the next notice, after the time, or when the signal is aborted. */
  wait: (ms: number) => Promise<void>
  /** Ends a running `wait`. */
  wake: () => void
}

export interface NoticedChanges {
  readonly paths: ReadonlySet<string>
  readonly isSelectedChanged: boolean
  readonly isListChanged: boolean
  /** New paths by old ones. */
  readonly renames: ReadonlyMap<string, string>
}

export function createNotices(): Notices {
  let paths = new Set<string>()
  let renames = new Map<string, string>()
  let isSelectedChanged = false
  let isListChanged = false
  let isResting = false
  let isClosed = false
  let resolveWait: (() => void) | undefined

  function wake(): void {
    resolveWait?.()
  }

  function isEmpty(): boolean {
    return paths.size === 0 && !isSelectedChanged && !isListChanged
  }

  return {
    onLine(line) {
      if (!isResting || !SELECTED_LINE.test(line)) return
      isSelectedChanged = true
      wake()
    },
    onMailbox(path) {
      if (paths.size < MAX_PATHS) paths.add(path)
      else isListChanged = true
      wake()
    },
    onList(renamed) {
      isListChanged = true
      if (renamed !== undefined && renames.size < MAX_PATHS) renames.set(renamed.from, renamed.to)
      wake()
    },
    onClose() {
      isClosed = true
      wake()
    },
    rest(value) {
      isResting = value
    },
    take() {
      const told = { paths, isSelectedChanged, isListChanged, renames }
      paths = new Set()
      renames = new Map()
      isSelectedChanged = false
      isListChanged = false
      return told
    },
    isEmpty,
    async wait(ms) {
      if (isClosed || !isEmpty()) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms).unref()
        resolveWait = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      resolveWait = undefined
    },
    wake
  }
}
