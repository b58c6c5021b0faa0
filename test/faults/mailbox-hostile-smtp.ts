/** SMTP servers that do not follow the protocol: each attempt ends, and other accounts go on. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { test } from 'node:test'
import { sandboxes } from '../contract/mailbox-site.ts'
import { openSender } from '../contract/mailbox-submit-site.ts'
import { openSink } from '../support/smtp-sink.ts'

const TO = { address: 'bob@example.test' }
const ENDLESS_BYTES = 32 * 1024 * 1024

interface Hostile extends AsyncDisposable {
  port: number
}

/** Replies of the server by the first word of a command; undefined drops the connection. */
type Replies = (word: string, socket: Socket) => string | undefined

async function openHostile(greeting: string, replies: Replies): Promise<Hostile> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    let isData = false
    socket.on('error', () => {})
    socket.write(greeting)
    socket.on('data', (chunk) => {
      for (const line of chunk.toString('latin1').split('\r\n')) {
        if (line === '' || (isData && line !== '.')) continue
        const word = isData ? '.' : (line.split(' ')[0] ?? '').toUpperCase()
        isData = word === 'DATA'
        const reply = replies(word, socket)
        if (reply === undefined) socket.destroy()
        else socket.write(reply)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    }
  }
}

/** A server that works until one command. */
function until(last: string, reply: string | undefined): Replies {
  return (word) => {
    if (word === last) return reply
    return word === 'DATA' ? '354 go on\r\n' : '250 ok\r\n'
  }
}

function endless(socket: Socket): string {
  const line = Buffer.alloc(64 * 1024, '250-more text\r\n')
  let sent = 0
  const more = () => {
    while (!socket.destroyed && sent < ENDLESS_BYTES) {
      sent += line.length
      if (!socket.write(line)) {
        socket.once('drain', more)
        return
      }
    }
  }
  more()
  return '250-\r\n'
}

sandboxes('hostile SMTP servers', {}, (sandbox) => {
  test('end an attempt with an error, and are tried again unless that is of no use', async () => {
    const GREETING = '220 ready\r\n'
    const cases: [string, string, Replies, { retried: boolean; error: RegExp }][] = [
      [
        'no SMTP',
        'SSH-2.0-secret-banner\r\n',
        () => '',
        { retried: false, error: /not speak SMTP/ }
      ],
      ['goodbye', '421 too busy\r\n', () => undefined, { retried: true, error: /421/ }],
      ['drop at EHLO', GREETING, until('EHLO', undefined), { retried: true, error: /closed/i }],
      ['drop at MAIL', GREETING, until('MAIL', undefined), { retried: true, error: /closed/i }],
      ['drop at DATA', GREETING, until('DATA', undefined), { retried: true, error: /closed/i }],
      ['drop at the end', GREETING, until('.', undefined), { retried: true, error: /closed/i }],
      [
        'rejected at the end',
        GREETING,
        until('.', '552 full\r\n'),
        { retried: false, error: /full/ }
      ],
      ['not now at the end', GREETING, until('.', '452 full\r\n'), { retried: true, error: /452/ }],
      ['nonsense', GREETING, until('MAIL', '\0\xff\x01 250\r\n'), { retried: false, error: /./ }],
      [
        'endless',
        GREETING,
        (word, socket) => (word === 'EHLO' ? endless(socket) : '250 ok\r\n'),
        { retried: false, error: /size|exceeds/i }
      ]
    ]
    for (const [name, greeting, replies, { retried, error }] of cases) {
      await using server = await openHostile(greeting, replies)
      const ada = await openSender(sandbox(), server, { imap: false })
      const { queueId } = await ada.submit({ to: TO, text: name })
      const entry = await ada.entry(queueId, ['error'])
      assert.match(entry.progress.error?.message ?? '', error, name)
      assert.equal(entry.nextAttempt !== false, retried, `${name}: ${JSON.stringify(entry)}`)
      assert.equal(JSON.stringify(entry).includes('secret-banner'), false)
    }
  })

  test('that say nothing delay no other account', async () => {
    await using silent = await openHostile('', () => '')
    await using sink = await openSink()
    const stuck = await openSender(sandbox(), silent, { imap: false })
    for (let number = 0; number < 4; number++) await stuck.submit({ to: TO })
    const ada = await openSender(sandbox(), sink, { imap: false })
    await ada.submitted((await ada.submit({ to: TO })).queueId)
  })
})
