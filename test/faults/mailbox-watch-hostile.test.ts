/**
 * Mail servers that send wrong, endless or contradictory data while an account is watched: no
 * impossible change is reported, the number of commands is limited, and other accounts are watched
 * meanwhile.
 */
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../support/delivery-receiver.ts'
import {
  ALL_EXTENSIONS,
  type ImapModel,
  type ImapModelOptions,
  type ModelRespond
} from '../support/imap-model.ts'
import type { ImapCommand } from '../support/imap-server.ts'
import { limitedHeap, residentMegabytes } from '../support/limited-process.ts'
import { type ModelAccount, type WatchedModels, watchModels } from '../support/model-account.ts'

/** With this limit, growth without end is a crash. */
const HEAP = limitedHeap(300)
const MAX_GROWTH_MB = 400
/** How long the attacks last. */
const WINDOW_MS = 10_000
/** Commands of one account in this time, of any kind; a loop without pauses sends thousands. */
const MAX_COMMANDS = 150
/** 2 s after the first lost connection, 3 s after the second, and so on. */
const MAX_LOGINS = 6
/** From a message of a well-behaved server to its event, meanwhile. */
const MAX_NOTICE_MS = 10_000

const without = (...names: string[]) => ALL_EXTENSIONS.filter((name) => !names.includes(name))
const NO_NOTIFY = without('NOTIFY')
const PLAIN = without('NOTIFY', 'QRESYNC', 'CONDSTORE', 'LIST-STATUS')

interface Attack {
  title: string
  options?: ImapModelOptions
  /** Begins after the account was read, unless `isAtOnce`. */
  begin?: (account: ModelAccount) => Promise<void>
  isAtOnce?: true
  /** Events that may be reported; others fail the test. */
  allowed?: RegExp
  maxEvents?: number
  maxCommands?: number
}

const NOTHING = /^never$/

/** Replaces the response to some commands. */
const on =
  (name: string, respond: ModelRespond): ModelRespond =>
  (command, model) =>
    new RegExp(`^(${name})$`).test(command.name) ? respond(command, model) : undefined

const drop = ({ socket }: ImapCommand) => {
  socket.destroy()
  return ''
}

/** Writes until the other side closes the connection, at most for the time of the attacks. */
async function flood(socket: Socket, piece: (number: number) => string): Promise<string> {
  const end = performance.now() + WINDOW_MS
  for (let number = 0; !socket.destroyed && performance.now() < end; number++) {
    if (socket.write(piece(number))) await wait(0)
    else {
      const { promise, resolve } = Promise.withResolvers<void>()
      socket.once('drain', resolve).once('close', resolve)
      await Promise.race([promise, wait(1000)])
    }
  }
  socket.destroy()
  return ''
}

const inboxOf = (model: ImapModel) => model.mailboxes.get('INBOX') ?? assert.fail()

const ATTACKS: readonly Attack[] = [
  {
    title: 'VANISHED of all UIDs there can be, unsolicited',
    options: { extensions: NO_NOTIFY },
    begin: ({ model }) => model.push('* VANISHED 1:4294967295\r\n'.repeat(20)),
    allowed: /^messageDeleted [123]$/
  },
  {
    title: 'VANISHED of all UIDs there can be, in the response to SELECT and FETCH',
    options: {
      respond: on('SELECT|EXAMINE|FETCH', ({ tag, name }, model) =>
        name === 'FETCH'
          ? `* VANISHED (EARLIER) 1:4294967295,0,7:1,4294967296,x\r\n${tag} OK done\r\n`
          : `* 3 EXISTS\r\n* OK [UIDVALIDITY ${inboxOf(model).uidValidity}] ok\r\n* OK [UIDNEXT 4] ok\r\n* OK [HIGHESTMODSEQ 9] ok\r\n* VANISHED (EARLIER) 1:4294967295\r\n${tag} OK done\r\n`
      )
    },
    isAtOnce: true,
    begin: ({ model }) => model.push('* STATUS INBOX (MESSAGES 2 UIDNEXT 4 HIGHESTMODSEQ 10)\r\n'),
    allowed: NOTHING
  },
  {
    title: 'EXISTS of billions',
    options: { extensions: NO_NOTIFY },
    begin: ({ model }) =>
      model.push('* 4294967295 EXISTS\r\n* 99999999999999999999 EXISTS\r\n* -1 EXISTS\r\n'),
    allowed: NOTHING
  },
  {
    title: 'STATUS with numbers that cannot be, for mailboxes that do not exist',
    begin: ({ model }) =>
      model.push(
        [
          'INBOX (MESSAGES 4294967295 UIDNEXT 4294967295 UIDVALIDITY 100 HIGHESTMODSEQ 9223372036854775807)',
          'INBOX (MESSAGES -1 UIDNEXT x UIDVALIDITY 99999999999999999999999)',
          'INBOX ()',
          '"__proto__" (MESSAGES 1 UIDNEXT 2 UIDVALIDITY 1 HIGHESTMODSEQ 1)',
          '"" (MESSAGES 1)',
          `"${'a/'.repeat(5000)}" (MESSAGES 1)`
        ]
          .map((text) => `* STATUS ${text}\r\n`)
          .join('')
      ),
    allowed: NOTHING
  },
  {
    title: 'a STATUS that never agrees with SELECT',
    options: {
      respond: on('STATUS', ({ tag }, model) => {
        const { uidValidity, uidNext, modseq } = inboxOf(model)
        return `* STATUS INBOX (MESSAGES 99 UIDNEXT ${uidNext + 50} UIDVALIDITY ${uidValidity} UNSEEN 0 HIGHESTMODSEQ ${modseq + 50})\r\n${tag} OK done\r\n`
      })
    },
    begin: ({ model }) =>
      model.push('* STATUS INBOX (MESSAGES 99 UIDNEXT 54 HIGHESTMODSEQ 54)\r\n'),
    allowed: NOTHING
  },
  {
    title: 'a storm of notifications',
    begin: async ({ model }) => {
      for (let number = 0; number < 50; number++) {
        const lines = Array.from(
          { length: 1000 },
          (_, index) =>
            `* STATUS INBOX (MESSAGES ${index} UIDNEXT ${number * 1000 + index} HIGHESTMODSEQ ${index})\r\n* LIST () "/" "new-${number}-${index}"\r\n`
        )
        await model.push(lines.join(''))
      }
    },
    allowed: NOTHING
  },
  {
    title: 'another UIDVALIDITY in each response',
    options: {
      respond(command, model) {
        if (/^(SELECT|EXAMINE|STATUS|LIST)$/.test(command.name)) inboxOf(model).uidValidity++
        return undefined
      }
    },
    begin: ({ model }) => model.tell(),
    allowed: /^mailboxReset INBOX$/,
    maxEvents: 30
  },
  {
    title: 'other flags in each response',
    options: {
      respond({ name }, model) {
        const inbox = inboxOf(model)
        if (name === 'FETCH') {
          for (const [uid, { modseq }] of inbox.messages) {
            const flags = [`$k${inbox.modseq}`]
            inbox.messages.set(uid, { flags, modseq: modseq + 1 })
          }
          inbox.modseq++
        }
        return undefined
      }
    },
    begin: ({ model }) => model.tell(),
    allowed: /^messageUpdated [123]$/,
    maxEvents: 150
  },
  {
    title: 'a list that is empty, then endless, then another one each time',
    options: {
      respond: on('LIST', ({ tag, count, socket, line }) => {
        if (/ "?INBOX"?$/i.test(line)) return undefined
        if (count === 2) return `${tag} OK done\r\n`
        if (count === 3) {
          return flood(socket, (piece) =>
            Array.from({ length: 500 }, (_, index) => `* LIST () "/" "${piece}/${index}"\r\n`).join(
              ''
            )
          )
        }
        return undefined
      })
    },
    begin: async ({ model }) => model.server.disconnect(),
    allowed: NOTHING
  },
  {
    title: 'mailboxes that contain themselves, repeated names and names that are not text',
    options: {
      respond: on('LIST', ({ tag, line }) => {
        if (/ "?INBOX"?$/i.test(line)) return undefined
        const loop = Array.from({ length: 200 }, (_, depth) =>
          'loop/'.repeat(depth + 1).slice(0, -1)
        )
        const names = ['INBOX', 'inbox', 'INBOX', ...loop, '__proto__', '&&&', '\\"', '&2D0-']
        return `${names.map((name) => `* LIST () "/" "${name}"\r\n`).join('')}${tag} OK done\r\n`
      })
    },
    isAtOnce: true,
    allowed: /^mailbox(New|Deleted) /,
    maxCommands: 1500
  },
  {
    title: 'a mailbox that is listed and cannot be selected',
    options: {
      respond(command, model) {
        if (!/^(SELECT|EXAMINE)$/.test(command.name) || !/Locked/.test(command.line)) {
          return undefined
        }
        model.mailboxes.get('Locked')?.messages.set(1, { flags: [], modseq: 1 })
        return `${command.tag} NO [NOPERM] You may not\r\n`
      }
    },
    begin: async (account) => {
      account.model.add('Locked')
      account.model.append('Locked')
      for (let number = 0; number < 20; number++) {
        await account.model.tell('Locked')
        await wait(100)
      }
    },
    allowed: /^mailboxNew Locked$/
  },
  {
    title: 'FETCH of messages that never end',
    options: {
      respond: on('FETCH', ({ socket }) =>
        flood(socket, (piece) =>
          Array.from({ length: 500 }, (_, index) => {
            const uid = piece * 500 + index + 1
            return `* ${uid} FETCH (UID ${uid} FLAGS (\\Seen $k${uid}) MODSEQ (${uid}))\r\n`
          }).join('')
        )
      )
    },
    isAtOnce: true,
    allowed: NOTHING
  },
  {
    title: 'FETCH with lines that are not messages',
    options: {
      respond: on('FETCH', ({ tag, line }) => {
        if (/ENVELOPE/.test(line)) return undefined
        const lines = [
          '1 FETCH (UID 0 FLAGS ())',
          '1 FETCH (UID 4294967296 FLAGS (\\Seen))',
          '1 FETCH (UID 1 FLAGS (\\Seen) MODSEQ (18446744073709551616))',
          '0 FETCH (UID 2)',
          '2 FETCH (FLAGS (\\Seen))',
          '2 FETCH (UID 2 FLAGS (__proto__ constructor "a b" {3}',
          'abc))',
          '3 FETCH (UID 3 FLAGS ((((())))))',
          '3 FETCH (UID -3 FLAGS (\\Seen) MODSEQ (x))',
          '3 FETCH (UID 3 UID 4 UID 5 FLAGS () FLAGS (\\Deleted))',
          `3 FETCH (UID 3 FLAGS (${'x'.repeat(100_000)}))`,
          `3 FETCH (UID 3 FLAGS (${Array.from({ length: 20_000 }, (_, n) => `k${n}`).join(' ')}))`
        ]
        return `${lines.map((text) => `* ${text}\r\n`).join('')}${tag} OK done\r\n`
      })
    },
    isAtOnce: true,
    begin: ({ model }) => model.tell(),
    allowed: /^(message(Updated|Deleted) [1-5]|messageNew \d+|messageMissing \d+)$/,
    maxEvents: 40
  },
  {
    title: 'a new message that the server tells of and does not send',
    options: {
      respond: on('FETCH', ({ tag, line }) =>
        /ENVELOPE/.test(line) ? `${tag} OK done\r\n` : undefined
      )
    },
    begin: async ({ model }) => {
      model.append()
      await model.tell()
    },
    allowed: /^messageMissing 4$/,
    maxEvents: 1
  },
  {
    title: 'a connection that ends after each sign-in',
    options: { respond: on('LIST|NAMESPACE|ENABLE', drop) },
    isAtOnce: true,
    allowed: NOTHING
  },
  {
    title: 'a connection that ends as soon as a mailbox is selected',
    options: { respond: on('SELECT|EXAMINE', drop) },
    isAtOnce: true,
    allowed: NOTHING
  },
  {
    title: 'a connection that ends as soon as it waits',
    options: { respond: on('NOTIFY|IDLE', drop) },
    isAtOnce: true,
    allowed: NOTHING
  },
  ...['NOTIFY', 'IDLE', 'ENABLE', 'EXAMINE', 'SELECT', 'FETCH', 'STATUS', 'LIST', 'NOOP'].map(
    (name): Attack => ({
      title: `${name} without a response`,
      options: { respond: on(name, () => '') },
      isAtOnce: true,
      begin: ({ model }) => model.tell(),
      allowed: /^messageNew/
    })
  ),
  ...['NOTIFY', 'IDLE', 'ENABLE', 'EXAMINE', 'SELECT', 'FETCH', 'STATUS', 'LIST', 'NOOP'].flatMap(
    (name): Attack[] =>
      ['NO', 'BAD'].map((word) => ({
        title: `${name} that is rejected with ${word}`,
        options: { respond: on(name, ({ tag }) => `${tag} ${word} Not today\r\n`) },
        isAtOnce: true,
        begin: ({ model }) => model.tell(),
        allowed: /^messageNew/
      }))
  ),
  {
    title: 'IDLE that ends at once, again and again',
    options: { extensions: PLAIN, respond: on('IDLE', ({ tag }) => `+ ok\r\n${tag} OK done\r\n`) },
    isAtOnce: true,
    allowed: NOTHING
  }
]

describe('hostile servers of watched accounts', {
  skip: process.platform !== 'linux' && 'reads /proc',
  timeout: 300_000
}, () => {
  let watched: WatchedModels
  let good: ModelAccount
  const results = new Map<Attack, ModelAccount>()
  /** Of attacks that could not begin. */
  const errors = new Map<Attack | undefined, Error>()
  const notices: number[] = []
  let growth = 0
  let elapsedMs = 0

  before(async () => {
    const begin = performance.now()
    watched = await watchModels({ NODE_OPTIONS: HEAP })
    good = await watched.open()
    const { pid } = watched.daemon.nonet.ready
    const memory = residentMegabytes(pid).now
    await Promise.all(
      ATTACKS.map(async (attack) => {
        const { options = {}, isAtOnce, begin } = attack
        // Most attacks begin after the account was read.
        const isQuiet = isAtOnce !== true
        let isAttacking = !isQuiet
        const respond: ModelRespond = (command, model) =>
          isAttacking ? options.respond?.(command, model) : undefined
        const account = await watched.open({ ...options, respond, isHostile: true })
        results.set(attack, account)
        if (isQuiet) {
          await account.expect('accountInitialized', 60_000)
          await until(() => account.model.waiting() > 0, `${attack.title}: it waits`, 60_000)
          account.model.server.lines.length = 0
        } else {
          await until(
            () => account.model.server.lines.length > 0,
            `${attack.title}: commands`,
            30_000
          )
        }
        isAttacking = true
        // Some never wait for changes, so nothing can be told.
        const begun = begin?.(account)
        if (isQuiet) await begun
        else begun?.catch(() => undefined)
      }).map((beginning, index) => beginning.catch((error) => errors.set(ATTACKS[index], error)))
    )
    const end = performance.now() + WINDOW_MS
    while (performance.now() < end) {
      const began = performance.now()
      await good.mark()
      notices.push(performance.now() - began)
      await wait(200)
    }
    growth = residentMegabytes(pid).now - memory
    elapsedMs = performance.now() - begin
  })
  after(async () => {
    for (const account of results.values()) await account[Symbol.asyncDispose]()
    await good[Symbol.asyncDispose]()
    await watched[Symbol.asyncDispose]()
  })

  for (const attack of ATTACKS) {
    test(attack.title, () => {
      const { allowed = NOTHING, maxEvents = 20, maxCommands = MAX_COMMANDS } = attack
      assert.ifError(errors.get(attack))
      const account = results.get(attack) ?? assert.fail()
      const { lines } = account.model.server
      const changes = account.changes()
      assert.deepEqual(changes.filter((change) => !allowed.test(change)).slice(0, 10), [])
      assert.ok(changes.length <= maxEvents, `${changes.length} events: ${changes.slice(0, 10)}`)
      const counts = Object.entries(Object.groupBy(lines, nameOf)).map(
        ([name, same = []]) => `${same.length} ${name}`
      )
      // On a busy machine the attacks take longer to begin.
      const slowness = Math.max(1, elapsedMs / (2 * WINDOW_MS))
      assert.ok(lines.length <= maxCommands * slowness, `${lines.length} commands: ${counts}`)
      const logins = account.model.commands('LOGIN').length
      // After twice this time the pauses are as long as it.
      const later = Math.max(0, Math.ceil(elapsedMs / WINDOW_MS) - 2)
      assert.ok(logins <= MAX_LOGINS + later, `${logins} sign-ins`)
    })
  }

  test('other accounts were watched meanwhile', (t) => {
    const slowest = Math.max(...notices)
    t.diagnostic(`${notices.length} messages, the slowest after ${Math.round(slowest)} ms`)
    assert.ok(slowest < MAX_NOTICE_MS, `a message was reported after ${Math.round(slowest)} ms`)
  })

  test('memory stays within its limit, and nothing was reported as a defect', (t) => {
    t.diagnostic(`${Math.round(growth)} MB more`)
    assert.ok(growth < MAX_GROWTH_MB, `${Math.round(growth)} MB more`)
    assert.equal(watched.daemon.nonet.child.exitCode, null)
    assert.equal(watched.daemon.nonet.stderr(), '')
    watched.receiver.assertSingle()
  })
})

function nameOf(line: string): string {
  return line.replace(/^UID /i, '').split(' ')[0]?.toUpperCase() ?? ''
}
