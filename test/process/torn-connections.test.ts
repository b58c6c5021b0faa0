import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { launchLoadedNonet } from '../support/launcher.ts'

const HEADS: Readonly<Record<string, string>> = {
  tunnel: 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
  upgrade: 'GET /api/ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  nonsense: 'NONSENSE\r\n\r\n',
  request: 'POST /api/users HTTP/1.1\r\nHost: x\r\nContent-Length: 90000\r\n\r\n'
}

for (const [name, head] of Object.entries(HEADS)) {
  test(`a ${name} that is torn by the client stops nobody`, async () => {
    await using nonet = await launchLoadedNonet(['scenarios', '--ephemeral', '--quiet'])
    const url = new URL(nonet.ready.services.scenarios ?? '')
    for (let n = 0; n < 40; n++) {
      const socket = connect(Number(url.port), url.hostname)
      socket.on('error', () => {})
      await once(socket, 'connect')
      await new Promise((sent) => socket.write(head + 'a'.repeat(n * 1000), sent))
      if (n % 2 === 0) await new Promise(setImmediate)
      socket.resetAndDestroy()
    }
    assert.equal((await fetch(new URL('/api/users', url))).status, 200)
    const { code, stderr } = await nonet.end()
    assert.deepEqual([code, stderr], [0, ''])
  })
}

test('a tunnel that nobody digs is closed', async () => {
  await using nonet = await launchLoadedNonet(['scenarios', '--ephemeral', '--quiet'])
  const url = new URL(nonet.ready.services.scenarios ?? '')
  const socket = connect({ port: Number(url.port), host: url.hostname, allowHalfOpen: true })
  socket.setEncoding('latin1')
  let text = ''
  socket.on('data', (piece) => {
    text += piece
  })
  socket.on('error', () => {})
  socket.write(HEADS.tunnel ?? '')
  await once(socket, 'end')
  assert.match(text, /^HTTP\/1.1 400 /)
  // Whoever does not leave by itself finds out by writing.
  while (!socket.destroyed) {
    socket.write('x')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
})
