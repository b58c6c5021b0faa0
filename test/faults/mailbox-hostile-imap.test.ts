/** Hostile mail servers of accounts: every request ends as planned, and nothing else suffers. */
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { createSharedRead } from '../../src/kernel/shared-read.ts'
import { EFFORT } from '../support/effort.ts'
import {
  fetchLine,
  type ImapServer,
  type ImapServerOptions,
  openImapServer,
  type Respond
} from '../support/imap-server.ts'
import { type Launched, launchNonet } from '../support/launcher.ts'
import { countDescriptors, limitedHeap, residentMegabytes } from '../support/limited-process.ts'
import { addAccount, type SandboxLogin } from '../support/mailbox-sandbox.ts'

/** With this limit, growth without end is a crash. */
const HEAP = limitedHeap(300)
/** Of a mailbox below others. */
const DEPTH = EFFORT > 1 ? 100_000 : 20_000
const MAX_GROWTH_MB = 400
const TIMEOUT_MS = 1500
/** Of requests that a limit ends before, on a busy machine too. */
const LONG_TIMEOUT_MS = 15_000
/** From the timeout of a request to its response, on a busy machine. */
const PATIENCE_MS = 20_000
const PLANNED = [200, 400, 404, 422, 502, 503, 504]

/** Or closed. */
async function drained(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.once('drain', resolve).once('close', resolve)
  await promise
  socket.off('drain', resolve).off('close', resolve)
}

describe('hostile mail servers', {
  skip: process.platform !== 'linux' && 'reads /proc'
}, () => {
  let nonet: Launched
  let url = ''
  let other: SandboxLogin
  let accounts = 0
  before(async () => {
    nonet = await launchNonet(['mailbox', '--ephemeral', '--quiet'], {
      env: { NODE_OPTIONS: HEAP }
    })
    url = nonet.ready.services.mailbox ?? ''
    other = await addAccount(url)
    await respondsToOthers()
  })
  after(() => nonet.end())

  async function ask(path: string, body?: object, method = 'GET', timeoutMs = TIMEOUT_MS) {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        'x-ee-timeout': String(timeoutMs),
        connection: 'close',
        ...(body !== undefined && { 'content-type': 'application/json' })
      },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    return { status: response.status, text: await response.text() }
  }

  /** Fails if the owner of another account gets no mail. */
  async function checkOthers(): Promise<void> {
    const response = await fetch(`${url}/v1/account/${other.account}/mailboxes`, {
      headers: { connection: 'close', 'x-ee-timeout': String(PATIENCE_MS) }
    })
    assert.equal(response.status, 200, await response.text())
    assert.equal(nonet.child.exitCode, null)
  }

  const share = createSharedRead<void>()
  /** The same, after this call; attacks at the same time share a check. */
  const respondsToOthers = () => share('others', checkOthers)

  async function addHostile({ port }: ImapServer): Promise<string> {
    const account = `hostile-${++accounts}`
    const imap = { host: '127.0.0.1', port, auth: { user: 'a', pass: 'right' } }
    const { status, text } = await ask('/v1/account', { account, name: 'Hostile', imap }, 'POST')
    assert.equal(status, 200, text)
    return account
  }

  const REQUESTS: readonly [path: string, body?: object][] = [
    ['/mailboxes?counters=true'],
    ['/messages?path=INBOX'],
    ['/messages?path=*'],
    ['/search?path=INBOX', { search: { subject: 'a' } }],
    ['?quota=true']
  ]

  /** Sends requests to an account of the server; all must end as planned, in time. */
  async function attack(
    options: ImapServerOptions,
    requests = REQUESTS,
    timeoutMs = TIMEOUT_MS
  ): Promise<string[]> {
    await using server = await openImapServer(options)
    const account = await addHostile(server)
    const before = residentMegabytes(nonet.ready.pid).now
    const results: string[] = []
    for (const [path, body] of requests) {
      const begun = performance.now()
      const [{ status, text }] = await Promise.all([
        ask(`/v1/account/${account}${path}`, body, body === undefined ? 'GET' : 'POST', timeoutMs),
        respondsToOthers()
      ])
      assert.ok(PLANNED.includes(status), `${path}: ${status} ${text.slice(0, 500)}`)
      const took = performance.now() - begun
      assert.ok(took < timeoutMs + PATIENCE_MS, `${path}: ${took} ms`)
      results.push(`${status} ${text}`)
    }
    const growth = residentMegabytes(nonet.ready.pid).now - before
    assert.ok(growth < MAX_GROWTH_MB, `${Math.round(growth)} MB more`)
    await respondsToOthers()
    // It would connect again and again.
    const path = `/v1/account/${account}`
    assert.equal((await ask(path, undefined, 'DELETE', LONG_TIMEOUT_MS)).status, 200)
    return results
  }

  /** Replaces the response to one command. */
  const on = (name: string, respond: Respond): ImapServerOptions => ({
    respond: (command) => (command.name === name ? respond(command) : undefined)
  })

  /** Writes until the other side closes the connection. */
  async function flood(socket: Socket, piece: string, megabytes = 2000): Promise<string> {
    for (let sent = 0; !socket.destroyed && sent < megabytes * 1024 * 1024; sent += piece.length) {
      if (!socket.write(piece)) await drained(socket)
    }
    assert.ok(socket.destroyed, 'the connection was not closed')
    return ''
  }

  const CHUNK = 'x'.repeat(64 * 1024)
  const only = (...paths: string[]) => REQUESTS.filter(([path]) => paths.includes(path))
  const LISTING = '/messages?path=INBOX'
  const SEARCH = '/search?path=INBOX'
  const MAILBOXES = '/mailboxes?counters=true'

  /** After the usual response, for as long as the connection is open. */
  const trickle = async (socket: Socket, piece: string) => {
    while (!socket.destroyed) {
      socket.write(piece)
      await wait(50)
    }
    return ''
  }

  /** The server goes on writing while it sends this. */
  const begin = (writing: Promise<string>, text: string) => {
    writing.catch(() => undefined)
    return text
  }

  const STEPS = ['CAPABILITY', 'LOGIN', 'NAMESPACE', 'LIST', 'EXAMINE', 'FETCH', 'SEARCH']
  /** The first steps of a list of messages and of a search are the same. */
  const requestsOf = (step: string) =>
    EFFORT > 1 || step === 'FETCH' || step === 'SEARCH' ? only(LISTING, SEARCH) : only(LISTING)

  test('no greeting, or no response to a command', async () => {
    await Promise.all([
      attack({ greet: () => '' }, only(LISTING)),
      ...STEPS.map((name) =>
        attack(
          on(name, () => ''),
          requestsOf(name)
        )
      )
    ])
  })

  test('connections that are dropped at each step, before and in a response', async () => {
    const drop = (socket: Socket) => {
      socket.destroy()
      return ''
    }
    const dropInside = (socket: Socket) => {
      socket.end('* 1 FETCH (UID 1 BODY[] {100}\r\nabc')
      return ''
    }
    const bye = (socket: Socket) => {
      socket.end('* BYE go away\r\n')
      return ''
    }
    await Promise.all([
      attack({ greet: drop }),
      attack({ greet: bye }),
      attack({ greet: () => '* BYE but the connection stays\r\n' }),
      ...STEPS.flatMap((name) =>
        [drop, dropInside, bye].map((end) => attack(on(name, ({ socket }) => end(socket))))
      )
    ])
  })

  test('responses that never end, a few bytes at a time', async () => {
    await Promise.all(
      ['* OK', 'x', '* OK hello\r\n', '* 1 FETCH (FLAGS ())\r\n', '+ \r\n'].flatMap((piece) => [
        attack({ greet: (socket) => begin(trickle(socket, piece), ' ') }, only(LISTING)),
        ...['LOGIN', 'FETCH'].map((name) =>
          attack(
            on(name, ({ socket }) => trickle(socket, piece)),
            only(LISTING)
          )
        )
      ])
    )
  })

  test('lines without an end', async () => {
    await attack({ greet: (socket) => begin(flood(socket, CHUNK), '* OK ') }, only(LISTING))
    const endless = on('FETCH', ({ socket }) => flood(socket, CHUNK))
    const [result = ''] = await attack(endless, only(LISTING), LONG_TIMEOUT_MS)
    assert.match(result, /^502 .*IMAPUnavailable/)
    await attack(
      on('LIST', ({ socket }) => flood(socket, CHUNK)),
      only(MAILBOXES)
    )
  })

  test('literals without an end, and more of them than fit into memory', async () => {
    const announce = (size: string, body: string) =>
      on('FETCH', ({ socket }) => {
        socket.write(`* 1 FETCH (UID 1 BODY[] {${size}}\r\n`)
        return flood(socket, body)
      })
    for (const size of ['99999999999', '67108865', '18446744073709551616']) {
      const [result = ''] = await attack(announce(size, CHUNK), only(LISTING), LONG_TIMEOUT_MS)
      assert.match(result, /^502 .*IMAPUnavailable/)
    }
    const part = `BODY[1] {${CHUNK.length}}\r\n${CHUNK} `
    await attack(
      on('FETCH', ({ socket }) => flood(socket, part)),
      only(LISTING)
    )
    const whole = `* 1 FETCH (UID 1 BODY[] {${CHUNK.length}}\r\n${CHUNK})\r\n`
    await attack(
      on('FETCH', ({ socket }) => flood(socket, whole)),
      only(LISTING)
    )
  })

  test('millions of responses', async () => {
    const many = (line: string) => line.repeat(500)
    for (const line of ['* LIST () "/" "a"\r\n', '* LIST () "/" "__proto__/b"\r\n']) {
      await attack(
        on('LIST', ({ socket }) => flood(socket, many(line))),
        only(MAILBOXES)
      )
    }
    const fetched = many(fetchLine(1))
    await attack(
      on('FETCH', ({ socket }) => flood(socket, fetched)),
      only(LISTING)
    )
    const found = many('* SEARCH 1 2 3\r\n')
    await attack(
      on('SEARCH', ({ socket }) => flood(socket, found)),
      only(SEARCH)
    )
  })

  test('news of a mailbox without end, after a response', async () => {
    const respond: Respond = ({ name, tag, socket }) => {
      if (name !== 'NAMESPACE') return undefined
      socket.write(`${tag} OK done\r\n`)
      return flood(socket, '* 1 EXISTS\r\n* 1 EXPUNGE\r\n'.repeat(500))
    }
    await attack({ respond }, only(LISTING))
  })

  test('a response with hundreds of thousands of numbers or names', async () => {
    const count = EFFORT > 1 ? 800_000 : 200_000
    const numbers = Array.from({ length: count }, (_, index) => index + 1).join(' ')
    const found = (text: string) => on('SEARCH', ({ tag }) => `* SEARCH ${text}\r\n${tag} OK\r\n`)
    await attack(found(numbers), only(SEARCH))
    const names = Array.from({ length: count }, (_, index) => `X${index}`).join(' ')
    const capable = on('CAPABILITY', ({ tag }) => `* CAPABILITY ${names}\r\n${tag} OK\r\n`)
    await attack(capable, only(LISTING))
    const nested = `* 1 FETCH (BODYSTRUCTURE ${'('.repeat(500_000)}\r\n`
    await attack(
      on('FETCH', ({ tag }) => `${nested}${tag} OK\r\n`),
      only(LISTING)
    )
  })

  test('lines that are not IMAP', async () => {
    const lines = [
      '\0\0\0\r\n',
      '* \r\n',
      '*\r\n',
      '\r\n\r\n\r\n',
      '* 1 FETCH\r\n',
      '* 1 FETCH (\r\n',
      '* 1 FETCH ((((\r\n',
      '* 1 FETCH (UID)\r\n',
      '* 1 FETCH (UID x FLAGS y ENVELOPE z BODYSTRUCTURE 1)\r\n',
      '* 1 FETCH (UID 1 ENVELOPE (1 2) BODYSTRUCTURE ((((NIL))))\r\n',
      '* 1 FETCH (UID 1 BODYSTRUCTURE (("TEXT" "__proto__" ("__proto__" "x") NIL NIL "7BIT" "x")))\r\n',
      '* LIST\r\n',
      '* LIST (\\Noselect) NIL NIL\r\n',
      '* LIST NIL NIL ""\r\n',
      '* LIST (\\Sent \\Trash \\All) "" "__proto__"\r\n',
      `* LIST () "/" "${'a/'.repeat(DEPTH)}"\r\n`,
      '* LIST () "/" "&AA-&&&\\"\r\n',
      '* STATUS x y\r\n',
      '* STATUS "__proto__" (MESSAGES -1 UIDNEXT x)\r\n',
      '* SEARCH x -1 99999999999999999999 NaN\r\n',
      '* ESEARCH (TAG "x") UID ALL 1:4294967295\r\n',
      '* BAD\r\n',
      '* NO [ALERT\r\n',
      '* OK [NIL] x\r\n',
      '* OK [UIDVALIDITY x]\r\n',
      '* VANISHED 1:4294967295\r\n',
      '* 99999999999999999999 EXPUNGE\r\n',
      '+ go on\r\n',
      '1 OK\r\nFF OK not sent yet\r\n',
      '* ID ("__proto__" "x" "constructor" NIL)\r\n',
      '* NAMESPACE x\r\n',
      '* CAPABILITY\r\n',
      '\xff\xfe\x00* OK\r\n'
    ]
    await Promise.all(
      ['CAPABILITY', 'LIST', 'EXAMINE', 'FETCH', 'SEARCH', 'STATUS'].map((name) =>
        attack(on(name, ({ tag }) => `${lines.join('')}${tag} OK\r\n`))
      )
    )
    await Promise.all(
      lines.map((line) =>
        attack(
          on('FETCH', ({ tag }) => `${line}${tag} OK\r\n`),
          only(LISTING)
        )
      )
    )
    await Promise.all(
      ['BAD', 'NO', 'MAYBE', 'OK [', '', 'BAD Request is throttled. Backoff Time: 92415'].flatMap(
        (text) =>
          STEPS.map((name) =>
            attack(
              on(name, ({ tag }) => `${tag} ${text}\r\n`),
              requestsOf(name)
            )
          )
      )
    )
  })

  test('lies about numbers of messages and UIDs', async () => {
    const lies = [
      '4294967295 EXISTS',
      '99999999999999999999 EXISTS',
      '-1 EXISTS',
      '0 EXISTS',
      'OK [UIDVALIDITY 0]',
      'OK [UIDVALIDITY 99999999999999999999999]',
      'OK [UIDNEXT 0]',
      'OK [HIGHESTMODSEQ 99999999999999999999999]'
    ]
    const fetched = [
      fetchLine(9),
      fetchLine(1).repeat(3),
      fetchLine(0),
      fetchLine(4294967296),
      '* 1 FETCH (FLAGS (\\Seen))\r\n',
      '* 1 FETCH (UID 1)\r\n',
      '* 1 FETCH (UID 1 FLAGS ("__proto__") RFC822.SIZE -5 INTERNALDATE "never")\r\n'
    ]
    await Promise.all([
      ...lies.map((lie) => attack(on('EXAMINE', ({ tag }) => `* ${lie}\r\n${tag} OK\r\n`))),
      ...fetched.map((line) => attack(on('FETCH', ({ tag }) => `${line}${tag} OK\r\n`)))
    ])
  })

  test('TLS that does not begin', async () => {
    const starts = (then: Respond): ImapServerOptions => ({
      respond(command) {
        if (command.name === 'CAPABILITY') {
          return `* CAPABILITY IMAP4rev1 STARTTLS\r\n${command.tag} OK\r\n`
        }
        return command.name === 'STARTTLS' ? then(command) : undefined
      }
    })
    await Promise.all([
      attack(
        starts(({ tag }) => `${tag} OK\r\n* OK injected\r\n`),
        only(LISTING)
      ),
      attack(
        starts(({ tag }) => `${tag} OK\r\n`),
        only(LISTING)
      ),
      attack(
        starts(({ tag }) => `${tag} NO\r\n`),
        only(LISTING)
      ),
      attack(
        starts(({ socket }) => flood(socket, CHUNK)),
        only(LISTING)
      )
    ])
  })

  test('no connection is left, and nothing was reported as a defect', async () => {
    const open = () => countDescriptors(nonet.ready.pid)
    const most = open()
    const deadline = performance.now() + 60_000
    while (open() > 60 && performance.now() < deadline) await wait(100)
    assert.ok(open() <= 60, `${most} descriptors, now ${open()}`)
    assert.equal(nonet.stderr(), '')
  })
})
