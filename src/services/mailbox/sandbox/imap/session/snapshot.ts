import { createSharedRead } from '../../../../../kernel/shared-read.ts'
import type { Mailbox, MailStore, StoredMessage } from '../../mail-store.ts'

/** The messages of a selected mailbox, shared by all sessions that have selected it. */
export interface Snapshot {
  /** Undefined if the mailbox was removed. */
  readonly mailbox: Mailbox | undefined
  readonly modseq: number
  /** By UID, in ascending order. */
  readonly messages: ReadonlyMap<number, StoredMessage>
  /** Spellings of the keywords in use, by their lower case. */
  readonly keywords: ReadonlyMap<string, string>
  /** Reads what has changed up to now. */
  refresh: () => Promise<void>
  release: () => void
}

export interface Snapshots {
  /** Undefined if the mailbox was removed; the snapshot must be released. */
  acquire: (mailbox: Mailbox) => Promise<Snapshot | undefined>
}

interface Shared {
  mailbox: Mailbox | undefined
  modseq: number
  messages: Map<number, StoredMessage>
  keywords: Map<string, string>
  users: number
  /** Resolves when all messages were read once. */
  loading: Promise<void> | undefined
}

export function createSnapshots(
  store: Pick<MailStore, 'readMessages' | 'changesSince'>
): Snapshots {
  const snapshots = new Map<number, Shared>()
  const share = createSharedRead<void>()

  /** The mailbox was read before its messages, so that later changes are found. */
  async function load({ id, modseq }: Mailbox, shared: Shared): Promise<void> {
    for (const message of await store.readMessages(id)) addMessage(shared, message)
    shared.modseq = modseq
  }

  async function read(id: number, shared: Shared): Promise<void> {
    const { mailbox, changed, expunged } = await store.changesSince(id, shared.modseq)
    shared.mailbox = mailbox
    if (mailbox === undefined) {
      shared.messages.clear()
      return
    }
    for (const uid of expunged) shared.messages.delete(uid)
    for (const message of changed) addMessage(shared, message)
    shared.modseq = Math.max(shared.modseq, mailbox.modseq)
  }

  function open(id: number): Shared {
    const shared = snapshots.get(id) ?? {
      mailbox: undefined,
      modseq: 0,
      messages: new Map(),
      keywords: new Map(),
      users: 0,
      loading: undefined
    }
    snapshots.set(id, shared)
    shared.users++
    return shared
  }

  function release(id: number, shared: Shared): void {
    shared.users--
    if (shared.users === 0 && snapshots.get(id) === shared) snapshots.delete(id)
  }

  return {
    async acquire(mailbox) {
      const { id } = mailbox
      const shared = open(id)
      let isReleased = false
      const snapshot: Snapshot = {
        get mailbox() {
          return shared.mailbox
        },
        get modseq() {
          return shared.modseq
        },
        messages: shared.messages,
        keywords: shared.keywords,
        refresh: () => share(String(id), () => read(id, shared)),
        release() {
          if (!isReleased) release(id, shared)
          isReleased = true
        }
      }
      try {
        shared.loading ??= load(mailbox, shared)
        await shared.loading
        await snapshot.refresh()
      } catch (error) {
        snapshot.release()
        snapshots.delete(id)
        throw error
      }
      if (snapshot.mailbox !== undefined) return snapshot
      snapshot.release()
      return undefined
    }
  }
}

/** New messages have larger UIDs than all others, which keeps the order. */
function addMessage({ messages, keywords }: Shared, message: StoredMessage): void {
  messages.set(message.uid, message)
  for (const flag of message.flags) {
    const key = flag.toLowerCase()
    if (!flag.startsWith('\\') && !keywords.has(key)) keywords.set(key, flag)
  }
}
