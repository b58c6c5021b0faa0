import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventDelivery } from './event-receiver.ts'
import type { ChangeData, WatchedAccount } from './watched-account.ts'

/** Those that a new account has, and two that the test adds. */
export const MAILBOXES = [
  ...['INBOX', 'Archive', 'Drafts', 'Junk', 'Sent', 'Trash'],
  ...['Projects', 'Projects/Été & Cie']
]

/** The mailbox after it, so that each is the source and the target of a move. */
function next(path: string): string {
  return MAILBOXES[(MAILBOXES.indexOf(path) + 1) % MAILBOXES.length] ?? ''
}

export type OpenWatched = () => Promise<WatchedAccount>

/** Servers tell the second of an arrival: in that of the registration a message may be new. */
const BEFORE = new Date(Date.now() - 3_600_000)

/** What the mailboxes have before the account is registered. */
async function fill(account: WatchedAccount): Promise<void> {
  for (const path of [...MAILBOXES.slice(-2), 'Quiet']) await account.client.mailboxCreate(path)
  for (const path of [...MAILBOXES, 'Quiet']) {
    for (const name of ['old', 'flagged', 'moved', 'copied', 'deleted']) {
      await account.append(path, `${name} of ${path}`, { date: BEFORE })
    }
  }
}

/** Runs `change` on each mailbox, which is selected. */
async function inEach(
  { client }: WatchedAccount,
  change: (path: string) => Promise<unknown>
): Promise<void> {
  for (const path of MAILBOXES) {
    const lock = await client.getMailboxLock(path)
    try {
      await change(path)
    } finally {
      lock.release()
    }
  }
}

async function find({ client }: WatchedAccount, subject: string): Promise<string> {
  const found = await client.search({ header: { 'message-id': idOf(subject) } }, { uid: true })
  assert.ok(found && found.length === 1, `${subject} is there once`)
  return String(found[0])
}

function idOf(subject: string): string {
  return `<${encodeURIComponent(subject)}@example.test>`
}

const uid = { uid: true }

/** Changes of messages in every mailbox: what is done by another client, and what is reported. */
const MESSAGE_CHANGES: readonly {
  name: string
  change: (account: WatchedAccount) => Promise<void>
  expected: (path: string) => readonly string[]
}[] = [
  {
    name: 'a new message',
    async change(account) {
      for (const path of MAILBOXES)
        await account.append(path, `new in ${path}`, { flags: ['\\Seen'] })
    },
    expected: (path) => [`messageNew ${path}: new in ${path}`]
  },
  {
    name: 'flags that are set, a keyword too',
    change: (account) =>
      inEach(account, async (path) => {
        const found = await find(account, `flagged of ${path}`)
        await account.client.messageFlagsAdd(found, ['\\Flagged', '$Work'], uid)
      }),
    expected: (path) => [`messageUpdated ${path}: flagged of ${path} +$Work +\\Flagged`]
  },
  {
    name: 'flags that are replaced',
    change: (account) =>
      inEach(account, async (path) => {
        const found = await find(account, `flagged of ${path}`)
        await account.client.messageFlagsSet(found, ['\\Seen', '$Work'], uid)
      }),
    expected: (path) => [`messageUpdated ${path}: flagged of ${path} +\\Seen -\\Flagged`]
  },
  {
    name: 'a moved message',
    change: (account) =>
      inEach(account, async (path) => {
        const found = await find(account, `moved of ${path}`)
        await account.client.messageMove(found, next(path), uid)
      }),
    expected: (path) => [
      `messageDeleted ${path}: moved of ${path}`,
      `messageNew ${next(path)}: moved of ${path}`
    ]
  },
  {
    name: 'a copied message',
    change: (account) =>
      inEach(account, async (path) => {
        const found = await find(account, `copied of ${path}`)
        await account.client.messageCopy(found, next(path), uid)
      }),
    expected: (path) => [`messageNew ${next(path)}: copied of ${path}`]
  },
  {
    name: 'a deleted message',
    change: (account) =>
      inEach(account, async (path) => {
        const found = await find(account, `deleted of ${path}`)
        await account.client.messageDelete(found, uid)
      }),
    expected: (path) => [`messageDeleted ${path}: deleted of ${path}`]
  }
]

/** Changes of mailboxes, some with mail in them. */
const MAILBOX_CHANGES: readonly {
  name: string
  change: (account: WatchedAccount) => Promise<unknown>
  expected: readonly string[]
}[] = [
  {
    name: 'created mailboxes',
    async change({ client }) {
      for (const path of ['Fresh', 'Fresh/Ünder', 'Short-lived']) await client.mailboxCreate(path)
    },
    expected: ['mailboxNew Fresh', 'mailboxNew Fresh/Ünder', 'mailboxNew Short-lived']
  },
  {
    name: 'a message in a mailbox that was created',
    change: (account) => account.append('Fresh', 'first of Fresh'),
    expected: ['messageNew Fresh: first of Fresh']
  },
  {
    name: 'a renamed mailbox, with mail',
    change: ({ client }) => client.mailboxRename('Quiet', 'Projects/Été II'),
    expected: ['mailboxDeleted Quiet, is Projects/Été II', 'mailboxNew Projects/Été II, was Quiet']
  },
  {
    name: 'a message in a mailbox that was renamed',
    change: (account) => account.append('Projects/Été II', 'after the rename'),
    expected: ['messageNew Projects/Été II: after the rename']
  },
  {
    name: 'deleted mailboxes, one with mail',
    async change({ client }) {
      for (const path of ['Short-lived', 'Projects/Été II']) await client.mailboxDelete(path)
    },
    expected: ['mailboxDeleted Projects/Été II', 'mailboxDeleted Short-lived']
  }
]

/** The table of changes: in every mailbox, while the daemon runs and while it does not. */
export function watchTests(open: OpenWatched): void {
  liveTests(open)
  stoppedTests(open)
}

export function liveTests(open: OpenWatched): void {
  test('every change in every mailbox is reported once while the daemon runs', async (t) => {
    await using account = await open()
    await fill(account)
    await account.register()
    await account.expectChanges([])
    for (const { name, change, expected } of MESSAGE_CHANGES) {
      await t.test(name, async () => {
        await change(account)
        checkMoves(await account.expectChanges(MAILBOXES.flatMap(expected)))
      })
    }
    for (const { name, change, expected } of MAILBOX_CHANGES) {
      await t.test(name, async () => {
        await change(account)
        await account.expectChanges(expected)
      })
    }
  })
}

export function stoppedTests(open: OpenWatched): void {
  test('changes made while the daemon does not run are reported once after its start', async () => {
    await using account = await open()
    const { client } = account
    await fill(account)
    await account.register()
    await account.expectChanges([])
    await account.stopDaemon()
    for (const { change } of MESSAGE_CHANGES) await change(account)
    // What came and went leaves nothing to find.
    const gone = await account.append('Archive', 'came and went')
    await client.mailboxOpen('Archive')
    await client.messageDelete(String(gone), uid)
    await client.mailboxClose()
    for (const path of ['Fresh', 'Came and went']) await client.mailboxCreate(path)
    await client.mailboxDelete('Came and went')
    await account.append('Fresh', 'first of Fresh')
    await client.mailboxRename('Quiet', 'Still quiet')
    await client.mailboxDelete('Projects/Été & Cie')
    await account.startDaemon()
    const remaining = MAILBOXES.slice(0, -1)
    const lines = MESSAGE_CHANGES.flatMap(({ expected }) => remaining.flatMap(expected))
    await account.expectChanges([
      ...lines.filter(
        (line) =>
          // One comparison finds the difference of both changes of the flags.
          !line.startsWith('messageUpdated') && !line.includes('messageNew Projects/Été & Cie')
      ),
      ...remaining.map((path) => `messageUpdated ${path}: flagged of ${path} +$Work +\\Seen`),
      'messageNew INBOX: moved of Projects/Été & Cie',
      'messageNew INBOX: copied of Projects/Été & Cie',
      'mailboxNew Fresh',
      'messageNew Fresh: first of Fresh',
      'mailboxDeleted Quiet, is Still quiet',
      'mailboxNew Still quiet, was Quiet',
      'mailboxDeleted Projects/Été & Cie'
    ])
    await account.stopDaemon()
    await account.startDaemon()
    await account.expectChanges([])
  })
}

/** The ids of moved messages lead from one event to the other. */
function checkMoves(events: readonly EventDelivery[]): void {
  const ids = new Set(events.map(({ body }) => body.data.id))
  for (const { body } of events) {
    const { movedFrom, movedTo }: ChangeData = body.data
    for (const other of [movedFrom, movedTo]) {
      assert.ok(other === undefined || ids.has(other), `${other} is the id of another event`)
    }
  }
}
