import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Engine } from '../../src/kernel/database/database.ts'
import { EFFORT } from './effort.ts'
import { type ImapProxy, openImapProxy } from './imap-proxy.ts'
import { liveTests, stoppedTests } from './mailbox-watch-tests.ts'
import { type WatchedAccount, watchAccount } from './watched-account.ts'
import type { ImapAccess } from './watching-daemon.ts'

/** What a server lacks, and commands that show how its mailboxes are compared. */
interface Rung {
  name: string
  hidden: readonly string[]
  sent: readonly RegExp[]
  unsent: readonly RegExp[]
}

const CHANGED = /^UID FETCH 1:\* .*\(CHANGEDSINCE \d+\)$/
const VANISHED = /^UID FETCH 1:\* .*\(CHANGEDSINCE \d+ VANISHED\)$/
const SEARCHED = /^UID SEARCH /
const STATUS = /^STATUS /
const LISTED = /^LIST .*RETURN \(STATUS /

const POLLED = ['NOTIFY', 'LIST-STATUS', 'QRESYNC', 'OBJECTID', 'IMAP4rev2']
const RUNGS: readonly Rung[] = [
  {
    name: 'IDLE, LIST-STATUS and QRESYNC',
    hidden: ['NOTIFY'],
    sent: [/^IDLE$/, LISTED, VANISHED],
    unsent: [/^NOTIFY/, CHANGED]
  },
  {
    name: 'IDLE, STATUS and CONDSTORE',
    hidden: POLLED,
    sent: [/^IDLE$/, STATUS, CHANGED, SEARCHED],
    unsent: [/^NOTIFY/, LISTED, VANISHED]
  },
  {
    name: 'neither IDLE nor CONDSTORE',
    hidden: [
      ...[...POLLED, 'IDLE', 'CONDSTORE', 'ENABLE', 'LIST-EXTENDED', 'MOVE', 'UIDPLUS'],
      ...['ESEARCH', 'SPECIAL-USE', 'UNSELECT', 'WITHIN', 'NAMESPACE', 'ID']
    ],
    sent: [STATUS, SEARCHED],
    unsent: [/^IDLE/, /^NOTIFY/, /^ENABLE/, LISTED, CHANGED, VANISHED]
  }
]

/** The table of changes on a server that lacks extensions. */
export function rungTests(engines: readonly Engine[], addAccount: () => Promise<ImapAccess>): void {
  for (const [number, rung] of RUNGS.entries()) {
    // Each rung on one engine, all on every engine with more effort.
    for (const engine of EFFORT > 1
      ? engines
      : engines.slice(number % engines.length).slice(0, 1)) {
      describe(`with ${rung.name}, on ${engine}`, () => play(rung, engine, addAccount))
    }
  }
}

function play(rung: Rung, engine: Engine, addAccount: () => Promise<ImapAccess>): void {
  let proxies: ImapProxy[] = []

  async function open(): Promise<WatchedAccount> {
    const imap = await addAccount()
    // The proxy reads what is sent.
    const proxy = await openImapProxy(imap, [...rung.hidden, 'STARTTLS'])
    proxies.push(proxy)
    const { host, port } = proxy
    const watched = await watchAccount(
      engine,
      imap,
      { imap: { ...imap, host, port } },
      { syncs: true }
    )
    return {
      ...watched,
      async [Symbol.asyncDispose]() {
        await watched[Symbol.asyncDispose]()
        await proxy[Symbol.asyncDispose]()
      }
    }
  }

  stoppedTests(open)
  if (EFFORT > 1) liveTests(open)

  test('only commands that the server offers are sent', () => {
    const commands = proxies.flatMap((proxy) => proxy.commands)
    proxies = []
    for (const pattern of rung.sent) {
      assert.ok(
        commands.some((command) => pattern.test(command)),
        `${pattern} is sent`
      )
    }
    for (const pattern of rung.unsent) {
      assert.deepEqual(
        commands.filter((command) => pattern.test(command)),
        []
      )
    }
  })
}
