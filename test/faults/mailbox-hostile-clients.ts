/** Hostile clients of the ports of the sandbox: none stops it, grows it or disturbs others. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { EFFORT } from '../support/effort.ts'
import { countDescriptors } from '../support/limited-process.ts'
import { createRandom } from '../support/random.ts'
import { openText, type TextSocket } from '../support/text-socket.ts'
import { type HostileServer, launchSandbox } from './mailbox-hostile-server.ts'

const MEGABYTE = 1024 * 1024
const MAX_GROWTH_MB = 120
const FUZZED = 60 * EFFORT

describe('hostile clients of the sandbox', {
  skip: process.platform !== 'linux' && 'reads /proc'
}, () => {
  let server: HostileServer
  before(async () => {
    server = await launchSandbox()
  })
  after(() => server.nonet.end())

  /** Runs an attack, and fails if others get no response during or after it. */
  async function attack(run: () => Promise<void>): Promise<void> {
    const before = server.megabytes()
    await Promise.all([run(), server.respondsToOthers()])
    await server.respondsToOthers()
    const growth = server.megabytes() - before
    assert.ok(growth < MAX_GROWTH_MB, `${Math.round(growth)} MB more`)
  }

  /** Writes until the server closes the connection, at most so much. */
  async function flood(client: TextSocket, piece: Buffer, megabytes: number): Promise<number> {
    let sent = 0
    while (!client.isClosed() && sent < megabytes * MEGABYTE) {
      sent += piece.length
      const isWritten = await new Promise((resolve) => {
        client.socket.write(piece, (error) => resolve(!error))
      })
      if (!isWritten) break
    }
    return sent
  }

  const chunk = Buffer.alloc(64 * 1024, 'x')

  test('endless lines end the connection', async () => {
    await attack(async () => {
      for (const port of [server.imapPort, server.smtpPort]) {
        using client = openText(port)
        await client.until(/\r\n/)
        client.write('a ')
        await flood(client, chunk, 50)
        await client.untilClosed()
      }
      using client = await server.signIn()
      client.write('a APPEND INBOX ')
      await flood(client, chunk, 50)
      await client.untilClosed()
    })
  })

  test('literals over the limits are rejected before they are sent', async () => {
    await attack(async () => {
      using stranger = openText(server.imapPort)
      await stranger.until(/\r\n/)
      stranger.write('a LOGIN {99999999}\r\n')
      await stranger.until(/^(a|\*) (BAD|NO|BYE)/m)
      using client = await server.signIn()
      client.write('a APPEND INBOX {99999999999}\r\n')
      await client.until(/^a (NO|BAD)/m)
      client.write('b CREATE {999999}\r\n')
      await client.until(/^(b|\*) (NO|BAD|BYE)/m)
    })
  })

  test('literals over the limits that are sent without waiting are not stored', async () => {
    await attack(async () => {
      for (const command of ['APPEND INBOX', 'CREATE', 'LOGIN']) {
        using client = await server.signIn()
        client.write(`a ${command} {${60 * MEGABYTE}+}\r\n`)
        await flood(client, chunk, 60)
        client.write('\r\nb NOOP\r\n')
        await client.untilMatchOrClosed(/^(a|\*) (NO|BAD|BYE)/m)
      }
    })
  })

  test('nesting, long sets and wildcards cost little', async () => {
    await attack(async () => {
      using client = await server.signIn()
      client.write('s SELECT INBOX\r\n')
      await client.until(/^s OK/m)
      const long = 60_000
      const commands = [
        `SEARCH ${'('.repeat(long)}ALL${')'.repeat(1000)}`,
        `SEARCH ${'NOT '.repeat(long / 4)}ALL`,
        `SEARCH ${'OR '.repeat(long / 6)}${'ALL '.repeat(long / 8)}`,
        `FETCH 1 ${'('.repeat(long)}`,
        `FETCH 1 (${'ENVELOPE '.repeat(long / 9)}FLAGS)`,
        `FETCH 1:4294967295 FLAGS`,
        `UID FETCH 1:4294967295 FLAGS`,
        `UID FETCH ${'1:*,'.repeat(long / 4)}1 FLAGS`,
        `UID COPY ${'4294967295:1,'.repeat(long / 13)}1 INBOX`,
        `UID STORE 1:4294967295 +FLAGS (${'flag '.repeat(long / 5)})`,
        `LIST "" ${'%*'.repeat(long / 2)}x`,
        `LIST "" "${'*a'.repeat(long / 3)}"`,
        `LIST (SUBSCRIBED) "" (${'a '.repeat(long / 2)})`,
        `STATUS INBOX (${'MESSAGES '.repeat(long / 9)})`,
        `ENABLE ${'CONDSTORE '.repeat(long / 10)}`,
        `ID (${'"a" "b" '.repeat(long / 8)})`,
        `CREATE ${'a/'.repeat(long / 2)}b`,
        `SELECT INBOX (QRESYNC (1 1 ${'1:4294967295,'.repeat(long / 13)}1))`,
        `NOTIFY SET (${'(personal (MessageNew)) '.repeat(long / 30)})`,
        `FETCH 1 BODY[${'1.'.repeat(long / 2)}1]`,
        `FETCH 1 BODY[HEADER.FIELDS (${'a '.repeat(long / 2)})]`
      ]
      for (const [index, command] of commands.entries()) {
        const started = performance.now()
        client.write(`t${index} ${command}\r\n`)
        await client.until(new RegExp(`^t${index} (OK|NO|BAD)`, 'm'))
        const seconds = (performance.now() - started) / 1000
        assert.ok(seconds < 10, `${seconds} s for ${command.slice(0, 40)}`)
      }
    })
  })

  test('pipelined commands are all executed, in their order', async () => {
    await attack(async () => {
      using imap = await server.signIn()
      const count = 5000
      imap.write(Array.from({ length: count }, (_, index) => `p${index} NOOP\r\n`).join(''))
      await imap.until(new RegExp(`^p${count - 1} OK`, 'm'))
      const tags = [...imap.text().matchAll(/^p(\d+) OK/gm)].map(([, tag]) => Number(tag))
      assert.deepEqual(
        tags,
        Array.from({ length: count }, (_, index) => index)
      )
      using smtp = openText(server.smtpPort)
      smtp.write(`EHLO a\r\n${'NOOP\r\n'.repeat(1000)}QUIT\r\n`)
      await smtp.until(/^221 /m)
    })
  })

  test('a client that does not read its responses costs little', async () => {
    await attack(async () => {
      using client = await server.signIn()
      const size = 8 * MEGABYTE
      client.write(`a APPEND INBOX {${size}+}\r\n`)
      client.write(
        `Subject: large\r\n\r\n${'line of text\r\n'.repeat(size / 14)}`.padEnd(size, '.')
      )
      client.write('\r\ns SELECT INBOX\r\n')
      await client.until(/^s OK/m)
      const readers = await Promise.all(Array.from({ length: 10 }, () => server.signIn()))
      for (const reader of readers) {
        reader.socket.pause()
        reader.write(`s SELECT INBOX\r\n${'f UID FETCH 1:* BODY.PEEK[]\r\n'.repeat(50)}`)
      }
      await wait(1500)
      await server.respondsToOthers()
      for (const reader of readers) reader[Symbol.dispose]()
    })
  })

  test('commands before the handshake of STARTTLS are not executed after it', async () => {
    await attack(async () => {
      const { user, password } = server.login
      using imap = openText(server.imapPort)
      await imap.until(/\r\n/)
      imap.write(`a STARTTLS\r\nb LOGIN ${user} ${password}\r\nc SELECT INBOX\r\n`)
      await imap.until(/^a OK.*\r\n/m)
      const secure = await imap.startTls()
      secure.write('d CAPABILITY\r\n')
      await secure.until(/^d OK/m)
      assert.doesNotMatch(imap.text() + secure.text(), /^[bc] /m)
      secure.write('e SELECT INBOX\r\n')
      await secure.until(/^e (NO|BAD)/m)
      using smtp = openText(server.smtpPort)
      await smtp.until(/\r\n/)
      smtp.write('EHLO a\r\n')
      await smtp.until(/^250 .*\r\n/m)
      smtp.write('STARTTLS\r\nMAIL FROM:<injected@example.test>\r\n')
      await smtp.until(/^220 .*\r\n/m)
      const afterwards = await smtp.startTls()
      afterwards.write('EHLO a\r\n')
      await afterwards.until(/^250 .*\r\n/m)
      afterwards.write('RCPT TO:<a@example.test>\r\n')
      await afterwards.until(/^503 /m)
    })
  })

  test('clients that end their side or vanish in the middle are forgotten', async () => {
    const { pid } = server.nonet.ready
    const before = countDescriptors(pid)
    await attack(async () => {
      for (const port of [server.imapPort, server.smtpPort]) {
        for (const half of ['', 'a LOG', 'a LOGIN {20}\r\nabc', 'EHLO a\r\nMAIL FROM:<']) {
          using client = openText(port, true)
          client.write(half)
          client.socket.end()
          await client.untilClosed()
          using vanished = openText(port)
          vanished.write(half)
          await vanished.until(/\r\n/)
          vanished.socket.resetAndDestroy()
        }
      }
      using client = await server.signIn()
      client.write('a APPEND INBOX {100+}\r\nhalf')
      client.socket.end()
      await client.untilClosed()
    })
    await until(() => countDescriptors(pid) <= before + 3)
  })

  test('random bytes and mutated commands are rejected', async () => {
    const random = createRandom(21)
    const lines = [
      `a LOGIN ${server.login.user} ${server.login.password}\r\n`,
      'b SELECT INBOX\r\nc FETCH 1:* (FLAGS BODY.PEEK[HEADER.FIELDS (To)]<0.9>)\r\n',
      'd SEARCH RETURN (ALL) OR SUBJECT "a" NOT (SEEN SINCE 1-Jan-2024)\r\n',
      'e APPEND INBOX (\\Seen) "01-Jan-2024 10:00:00 +0000" {5+}\r\nhello\r\n',
      'EHLO a\r\nMAIL FROM:<a@example.test> SIZE=5\r\nRCPT TO:<b@example.test>\r\n',
      'DATA\r\nSubject: a\r\n\r\nb\r\n.\r\n',
      'AUTHENTICATE PLAIN AGEAYg==\r\nAUTH LOGIN\r\nYQ==\r\n'
    ] as const
    await attack(async () => {
      for (let round = 0; round < FUZZED; round++) {
        using client = openText(round % 2 === 0 ? server.imapPort : server.smtpPort)
        const bytes = Buffer.from(
          Array.from({ length: 4 }, () => random.pick(lines)).join(''),
          'latin1'
        )
        for (let change = random.below(12); change > 0; change--) {
          bytes[random.below(bytes.length)] = random.below(256)
        }
        client.write(random.below(5) === 0 ? random.bytes(2000) : bytes)
        await client.until(/\r\n/)
        client.socket.end()
        await client.untilClosed()
      }
    })
  })

  test('1,000 idle connections to each port leave space for others', async () => {
    const { pid } = server.nonet.ready
    const before = countDescriptors(pid)
    const clients: TextSocket[] = []
    await attack(async () => {
      for (let batch = 0; batch < 10; batch++) {
        const opened = Array.from({ length: 200 }, (_, index) =>
          openText(index % 2 === 0 ? server.imapPort : server.smtpPort)
        )
        clients.push(...opened)
        await Promise.all(opened.map((client) => client.until(/^(\* OK|220) .*\r\n/)))
      }
      assert.ok(countDescriptors(pid) >= 2000)
      await server.respondsToOthers()
    })
    for (const client of clients) client[Symbol.dispose]()
    await until(() => countDescriptors(pid) <= before + 3)
  })
})

test('a client address has a limit of connections, and silent ones end', async () => {
  const server = await launchSandbox(
    ...['--mailbox-sandbox-connections', '5', '--mailbox-sandbox-idle-seconds', '8']
  )
  try {
    const clients = Array.from({ length: 5 }, () => openText(server.imapPort))
    for (const client of clients) await client.until(/^\* OK/)
    using sixth = openText(server.imapPort)
    await sixth.until(/^\* BYE/)
    await sixth.untilClosed()
    const senders = Array.from({ length: 5 }, () => openText(server.smtpPort))
    for (const sender of senders) await sender.until(/^220 /)
    using seventh = openText(server.smtpPort)
    await seventh.until(/^421 /)
    await seventh.untilClosed()
    for (const client of clients) {
      await client.until(/^\* BYE/m)
      await client.untilClosed()
    }
    for (const sender of senders) sender[Symbol.dispose]()
    // A connection counts until the server knows that the client has closed it, too.
    for (const port of [server.imapPort, server.smtpPort]) {
      let greeting = ''
      for (let tries = 0; tries < 500 && !/^(\* OK|220)/.test(greeting); tries++) {
        using client = openText(port)
        greeting = await client.until(/^.*\r\n/)
        await wait(20)
      }
    }
    await server.respondsToOthers()
  } finally {
    await server.nonet.end()
  }
})

async function until(isDone: () => boolean): Promise<void> {
  for (let tries = 0; !isDone() && tries < 500; tries++) await wait(20)
  assert.ok(isDone())
}
