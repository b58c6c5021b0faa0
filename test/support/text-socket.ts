import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { connect as connectTls, type PeerCertificate, type TLSSocket } from 'node:tls'

const DEADLINE_MS = 60_000

/** A client that writes anything and shows what arrives. */
export interface TextSocket extends Disposable {
  socket: Socket
  text: () => string
  isClosed: () => boolean
  write: (data: string | Uint8Array) => void
  /** Resolves when the text after the last match has the pattern. */
  until: (pattern: RegExp) => Promise<string>
  untilClosed: () => Promise<void>
  untilMatchOrClosed: (pattern: RegExp) => Promise<void>
  /** Continues with TLS; the certificate is not checked. */
  startTls: () => Promise<SecureTextSocket>
}

export interface SecureTextSocket extends TextSocket {
  peerCertificate: () => PeerCertificate
}

export function openText(port: number, allowHalfOpen = false): TextSocket {
  return wrap(connect({ host: '127.0.0.1', port, allowHalfOpen, noDelay: true }))
}

function wrap(socket: Socket | TLSSocket): TextSocket {
  let text = ''
  let isClosed = false
  let seen = 0
  let waiting: (() => void)[] = []
  const wake = () => {
    const woken = waiting
    waiting = []
    for (const resolve of woken) resolve()
  }
  const collect = (chunk: Buffer) => {
    text += chunk.toString('latin1')
    wake()
  }
  socket.on('data', collect)
  socket.on('error', () => undefined)
  socket.once('close', () => {
    isClosed = true
    wake()
  })
  async function wait(isDone: () => boolean, what: string): Promise<void> {
    const timer = setTimeout(wake, DEADLINE_MS)
    const deadline = performance.now() + DEADLINE_MS
    while (!isDone()) {
      const isLate = performance.now() > deadline - 10
      assert.ok(!isLate, `no ${what} in time after ${text.slice(-500)}`)
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
      })
    }
    clearTimeout(timer)
  }
  return {
    socket,
    text: () => text,
    isClosed: () => isClosed,
    write: (data) => socket.write(data),
    async until(pattern) {
      let found: RegExpExecArray | null = null
      await wait(() => {
        found = pattern.exec(text.slice(seen))
        return found !== null || isClosed
      }, String(pattern))
      found = pattern.exec(text.slice(seen))
      assert.ok(found, `closed before ${pattern} after ${text.slice(-500)}`)
      seen += found.index + found[0].length
      return found[0]
    },
    untilClosed: () => wait(() => isClosed, 'close'),
    untilMatchOrClosed: (pattern) =>
      wait(() => isClosed || pattern.test(text.slice(seen)), String(pattern)),
    async startTls() {
      socket.off('data', collect)
      const secure = connectTls({ socket, rejectUnauthorized: false })
      await new Promise((resolve, reject) => {
        secure.once('secureConnect', resolve).once('error', reject)
      })
      return { ...wrap(secure), peerCertificate: () => secure.getPeerCertificate() }
    },
    [Symbol.dispose]: () => socket.destroy()
  }
}
