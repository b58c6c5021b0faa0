/** A small model of an account's mail: what the tables must contain after each operation. */

export interface ModelMessage {
  subject: string
  flags: readonly string[]
  /** In the order of arrival. */
  number: number
}

export interface ModelMailbox {
  uidNext: number
  messages: Map<number, ModelMessage>
}

export interface MailModel {
  readonly mailboxes: Map<string, ModelMailbox>
  create: (name: string) => boolean
  rename: (from: string, to: string) => 'renamed' | 'missing' | 'exists'
  remove: (name: string) => 'removed' | 'missing' | 'hasChildren'
  add: (mailbox: string, subject: string, flags: readonly string[]) => number
  setFlags: (
    mailbox: string,
    uids: readonly number[],
    change: 'add' | 'remove' | 'replace',
    flags: readonly string[]
  ) => void
  /** The new UIDs, or undefined if one of the mailboxes is missing. */
  transfer: (
    from: string,
    uids: readonly number[],
    to: string,
    keepsOriginals: boolean
  ) => readonly number[]
  expunge: (mailbox: string, uids?: readonly number[]) => readonly number[]
  removeBySubject: (part: string) => number
}

export function createModel(names: readonly string[], maxMessages: number): MailModel {
  const mailboxes = new Map<string, ModelMailbox>()
  let last = 0
  for (const name of names) mailboxes.set(name, { uidNext: 1, messages: new Map() })

  function get(name: string): ModelMailbox {
    return mailboxes.get(name) ?? { uidNext: 1, messages: new Map() }
  }

  function insert(mailbox: ModelMailbox, message: ModelMessage): number {
    mailbox.messages.set(mailbox.uidNext, message)
    return mailbox.uidNext++
  }

  function removeOldest(): void {
    const all = [...mailboxes.values()].flatMap(({ messages }) =>
      [...messages].map(([uid, { number }]) => ({ messages, uid, number }))
    )
    all.sort((a, b) => a.number - b.number)
    for (const { messages, uid } of all.slice(0, Math.max(0, all.length - maxMessages))) {
      messages.delete(uid)
    }
  }

  function addParents(name: string): void {
    const levels = name.split('/')
    for (let count = 1; count <= levels.length; count++) {
      const level = levels.slice(0, count).join('/')
      if (!mailboxes.has(level)) mailboxes.set(level, { uidNext: 1, messages: new Map() })
    }
  }

  function transfer(from: string, uids: readonly number[], to: string, keeps: boolean) {
    const { messages } = get(from)
    const sorted = [...new Set(uids)].filter((uid) => messages.has(uid)).sort((a, b) => a - b)
    const moved = sorted.map((uid) => messages.get(uid) ?? { subject: '', flags: [], number: 0 })
    if (!keeps) for (const uid of sorted) messages.delete(uid)
    const added = moved.map((message) =>
      insert(get(to), keeps ? { ...message, number: ++last } : message)
    )
    removeOldest()
    return added
  }

  return {
    mailboxes,
    create(name) {
      if (mailboxes.has(name)) return false
      addParents(name)
      return true
    },
    rename(from, to) {
      if (!mailboxes.has(from)) return 'missing'
      if (mailboxes.has(to)) return 'exists'
      if (from === 'INBOX') {
        addParents(to)
        transfer(from, [...get(from).messages.keys()], to, false)
        return 'renamed'
      }
      for (const [name, mailbox] of [...mailboxes]) {
        if (name !== from && !name.startsWith(`${from}/`)) continue
        mailboxes.delete(name)
        mailboxes.set(`${to}${name.slice(from.length)}`, mailbox)
      }
      addParents(to)
      return 'renamed'
    },
    remove(name) {
      if (!mailboxes.has(name) || name === 'INBOX') return 'missing'
      if ([...mailboxes.keys()].some((one) => one.startsWith(`${name}/`))) return 'hasChildren'
      mailboxes.delete(name)
      return 'removed'
    },
    add(mailbox, subject, flags) {
      const uid = insert(get(mailbox), { subject, flags: [...flags].sort(), number: ++last })
      removeOldest()
      return uid
    },
    setFlags(mailbox, uids, change, flags) {
      const { messages } = get(mailbox)
      for (const uid of uids) {
        const message = messages.get(uid)
        if (message === undefined) continue
        const kept = change === 'replace' ? [] : message.flags.filter((one) => !flags.includes(one))
        message.flags = [...kept, ...(change === 'remove' ? [] : flags)].sort()
      }
    },
    transfer,
    expunge(mailbox, uids) {
      const { messages } = get(mailbox)
      const removed = [...messages].filter(
        ([uid, { flags }]) => flags.includes('\\Deleted') && (uids?.includes(uid) ?? true)
      )
      for (const [uid] of removed) messages.delete(uid)
      return removed.map(([uid]) => uid)
    },
    removeBySubject(part) {
      let removed = 0
      for (const { messages } of mailboxes.values()) {
        for (const [uid, { subject }] of messages) {
          if (subject.includes(part) && messages.delete(uid)) removed++
        }
      }
      return removed
    }
  }
}
