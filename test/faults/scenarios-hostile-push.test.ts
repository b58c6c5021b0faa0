/**
 * Hostile streams, sockets and files over raw connections. The generator: every kind of KINDS
 * gets REQUESTS_PER_KIND cases, drawn with a fixed seed, half of them in a workspace. A case
 * counts as opened when the handshake or the stream was accepted before the hostile part.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { EFFORT } from '../support/effort.ts'
import { type Launched, launchNonet } from '../support/launcher.ts'
import { runPool } from '../support/pool.ts'
import { createRandom, type Random } from '../support/random.ts'
import { sendRaw } from '../support/raw-socket.ts'

const REQUESTS_PER_KIND = 80 * EFFORT
const QUIET_MS = 1500
const ANSWER_MS = 20_000
const UNFINISHED_QUIET_MS = 1000
const AT_ONCE = 32

type Pieces = readonly (string | Uint8Array)[]
type Kind = (home: string, random: Random) => Pieces

function head(method: string, path: string, more = ''): string {
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`
}

const HANDSHAKE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'

/** A frame as RFC 6455 5.2 has it, every field open to nonsense. */
function frame(random: Random): Buffer {
  const content = random.bytes(random.below(200))
  const first = random.below(256)
  const isMasked = random.below(4) > 0
  const said = random.pick([content.length, 126, 127, random.below(128)]) & 0x7f
  const length =
    said === 126
      ? Buffer.from([random.below(256), random.below(256)])
      : said === 127
        ? Buffer.from(random.bytes(8))
        : Buffer.alloc(0)
  const mask = isMasked ? Buffer.from(random.bytes(4)) : Buffer.alloc(0)
  return Buffer.concat([Buffer.from([first, said | (isMasked ? 0x80 : 0)]), length, mask, content])
}

/** A text that a client may send, masked with zeros. */
function textFrame(text: string): Buffer {
  const content = Buffer.from(text)
  const long = content.length > 125
  const length = long
    ? [0x80 | 126, content.length >> 8, content.length & 255]
    : [0x80 | content.length]
  return Buffer.concat([Buffer.from([0x81, ...length, 0, 0, 0, 0]), content])
}

const PART =
  '--X\r\nContent-Disposition: form-data; name="a"; filename="b.txt"\r\n' +
  'Content-Type: text/plain\r\n\r\nhello\r\n'

/** A form with bytes changed, doubled or cut. */
function spoiledForm(random: Random): Buffer {
  const bytes = Buffer.from(`${PART.repeat(1 + random.below(30))}--X--\r\n`)
  for (let n = random.below(8); n > 0; n--) bytes[random.below(bytes.length)] = random.below(256)
  return bytes.subarray(0, random.below(4) === 0 ? random.below(bytes.length) : bytes.length)
}

const TEXTS = [
  ...['', '{"token":1}', '{"token":"\\u0000"}', '{"token":"a.b.c"}', '[[[[', '"', 'null', '\u0000'],
  ...['{"token":"wst_"}', '{"__proto__":{"token":"x"}}', `${'['.repeat(30_000)}`]
] as unknown as readonly [string, ...string[]]

const KINDS: Readonly<Record<string, Kind>> = {
  'spoiled frames': (home, random) => [
    head('GET', `${home}/ws`, HANDSHAKE),
    ...Array.from({ length: 1 + random.below(6) }, () => frame(random))
  ],
  'odd texts': (home, random) => [
    head('GET', `${home}/ws`, HANDSHAKE),
    ...Array.from({ length: 1 + random.below(4) }, () => textFrame(random.pick(TEXTS)))
  ],
  'spoiled handshakes': (home, random) => [
    head(
      random.pick(['GET', 'POST', 'HEAD', 'DELETE']),
      `${home}/${random.pick(['ws', 'ws/x', 'users', 'ws?interval=x', 'ws?token=%00', 'ws?scenario=hangs'])}`,
      HANDSHAKE.replace('13', random.pick(['13', '12', '', 'x'])).replace(
        'dGhlIHNhbXBsZSBub25jZQ==',
        random.pick(['', 'x', 'dGhlIHNhbXBsZSBub25jZQ==', '\u00ff', 'x'.repeat(2000)])
      ) + random.pick(['', 'Content-Length: 5\r\n', 'Transfer-Encoding: chunked\r\n'])
    ),
    random.bytes(random.below(50))
  ],
  'scenarios on sockets': (home, random) => [
    head(
      'GET',
      `${home}/ws?count=2&interval=10&scenario=${random.pick(['ws-close', 'ws-close:4999', 'ws-close:1006', 'reset', 'truncate', 'drip:1', 'redirect', 'malformed-json', 'status:204', 'upload-fail', 'cors', 'empty-body'])}`,
      HANDSHAKE
    ),
    frame(random)
  ],
  'odd streams': (home, random) => [
    head(
      'GET',
      `${home}/events?${random.pick(['count=1', 'interval=10&count=2', 'interval=', 'count=1e9', 'after=99999999999', 'after=5', 'count=1&scenario=sse-drop:0', 'count=2&interval=10&scenario=truncate', 'count=1&scenario=drip:1', 'count=1&scenario=malformed-json', 'count=1&scenario=wrong-type'])}`,
      `Last-Event-ID: ${random.pick(['', '-1', '\u00ff', '9'.repeat(400), 'x', '0'])}\r\nConnection: close\r\n`
    )
  ],
  'odd polls': (home, random) => [
    head(
      'GET',
      `${home}/events/poll?wait=0&after=${random.pick(['', '-1', '1e3', '%00', '9'.repeat(30), '3', 'NaN'])}`,
      'Connection: close\r\n'
    )
  ],
  'spoiled forms': (home, random) => {
    const body = spoiledForm(random)
    const type = random.pick([
      ...(['multipart/form-data; boundary=X', 'multipart/form-data; boundary="X"'] as const),
      ...([
        'multipart/form-data; boundary=',
        `multipart/form-data; boundary=${'b'.repeat(300)}`
      ] as const)
    ] as unknown as readonly [string, ...string[]])
    return [
      head(
        'POST',
        `${home}/uploads${random.pick(['', '', '?scenario=upload-slow:1000000', '?scenario=upload-fail:30'])}`,
        `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n`
      ),
      body
    ]
  },
  'forms that never end': (home, random) => [
    head(
      'POST',
      `${home}/uploads`,
      `Content-Type: multipart/form-data; boundary=X\r\n${random.pick(['Content-Length: 100000\r\n', 'Transfer-Encoding: chunked\r\n'])}`
    ),
    random.pick([PART, '5\r\n--X\r\n\r\n', '--X\r\n', 'ffff\r\n'])
  ]
}

/** The rest of a request never comes, so nobody can be answered. */
const UNFINISHED = /never end|spoiled/

describe('hostile streams, sockets and files', () => {
  let nonet: Launched
  const totals = { sent: 0, answered: 0, opened: 0, refused: 0, quiet: 0 }
  before(async () => {
    nonet = await launchNonet(['scenarios', '--ephemeral', '--quiet'])
  })
  after(async () => {
    const { code, stderr } = await nonet.end()
    assert.equal(code, 0)
    assert.equal(stderr, '', 'a defect was reported')
  })

  for (const [number, [name, make]] of Object.entries(KINDS).entries()) {
    test(`${name}: ${REQUESTS_PER_KIND} of them`, async () => {
      const url = nonet.ready.services.scenarios ?? ''
      const random = createRandom(number + 100)
      const cases = Array.from({ length: REQUESTS_PER_KIND }, (_, index) =>
        make(index % 2 === 0 ? '/api' : '/w/hostile/api', random)
      )
      await runPool(cases, AT_ONCE, (pieces) => play(url, name, pieces))
      assert.equal((await fetch(`${url}/api/users`)).status, 200)
    })
  }

  test('the generator was not easy on us, and everybody was let go', async (t) => {
    t.diagnostic(JSON.stringify(totals))
    assert.ok(totals.answered > totals.sent * 0.7, 'most cases must reach an answer')
    assert.ok(totals.opened > totals.sent * 0.2, 'many must get behind the handshake')
    const url = nonet.ready.services.scenarios ?? ''
    // Nothing is held any more: as many as one address may hold are accepted.
    const held = await Promise.all(
      Array.from({ length: 150 }, () => fetch(`${url}/api/events?interval=500&count=1`))
    )
    assert.deepEqual(new Set(held.map(({ status }) => status)), new Set([200]))
    await Promise.all(held.map((answer) => answer.text()))
  })

  async function play(url: string, name: string, pieces: Pieces): Promise<void> {
    const isUnfinished = UNFINISHED.test(name)
    const quietMs = isUnfinished ? UNFINISHED_QUIET_MS : QUIET_MS
    const firstByteMs = isUnfinished ? quietMs : ANSWER_MS
    const { statuses, closed, text } = await sendRaw(url, pieces, quietMs, firstByteMs)
    totals.sent += 1
    if (statuses.length > 0) totals.answered += 1
    else if (closed) totals.refused += 1
    else totals.quiet += 1
    if (statuses[0] === 101 || /^retry: 2000/m.test(text)) totals.opened += 1
    const isPlanned = /\r\nx-scenario-applied: /i.test(text)
    for (const status of statuses) {
      assert.ok(status < 500 || isPlanned, `${name}: ${status}\n${text.slice(0, 400)}`)
    }
    const shown = Buffer.concat(pieces.map((piece) => Buffer.from(piece))).toString('latin1')
    const isAnswered = statuses.length > 0 || closed || isUnfinished
    assert.ok(isAnswered, `${name} got no answer: ${shown.slice(0, 300)}`)
  }
})
