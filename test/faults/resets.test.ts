import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { scaled } from '../support/effort.ts'
import { launchNonet } from '../support/launcher.ts'

const RESETS_OF_EACH = scaled(12, 40)

/** Requests that Node hands over as a bare socket, or gives up on. */
const REQUESTS = [
  'CONNECT other.example:443 HTTP/1.1\r\nHost: other.example:443\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: nonsense\r\n\r\n',
  'nonsense\r\n\r\n'
]

test('a connection that is reset after any request ends nothing but itself', async () => {
  await using nonet = await launchNonet(['--ephemeral', '--quiet'])
  const addresses = Object.values(nonet.ready.services).map((url) => new URL(url))
  for (const request of REQUESTS) {
    await Promise.all(
      addresses.flatMap((address) =>
        Array.from({ length: RESETS_OF_EACH }, () => sendAndReset(address, request))
      )
    )
  }
  for (const address of addresses) assert.ok((await fetch(address)).status >= 200, address.href)
  assert.equal((await nonet.end('SIGTERM')).code, 0)
})

async function sendAndReset({ hostname, port }: URL, request: string): Promise<void> {
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(request, () => socket.resetAndDestroy())
  await once(socket, 'close')
}
