import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { test } from 'node:test'
import { bindPort, PortUnavailable } from './bind-port.ts'

const HOSTS = ['127.0.0.1', '127.0.0.2']
const portOf = (server: Server | undefined) => (server?.address() as AddressInfo | null)?.port

async function close(...servers: Server[]): Promise<void> {
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
}

test('a port that the system chose and that is in use on another host is chosen again', async () => {
  const created: Server[] = []
  const other = createServer()
  const bound = await bindPort({ name: 'boxes', hosts: HOSTS, port: 0 }, () => {
    created.push(createServer())
    // The first server listens already; this one is to listen on the other host.
    if (created.length === 2) other.listen(portOf(created[0]), HOSTS[1])
    return created.at(-1) ?? assert.fail()
  })
  assert.equal(created.length, 4)
  assert.notEqual(bound.port, portOf(other))
  assert.deepEqual(bound.servers.map(portOf), [bound.port, bound.port])
  assert.equal(created[0]?.listening, false)
  await close(other, ...bound.servers)
})

test('a chosen port that is in use is an error at once', async () => {
  const other = createServer().listen(0, HOSTS[1])
  await once(other, 'listening')
  const options = { name: 'boxes', hosts: HOSTS, port: portOf(other) ?? 0 }
  let created = 0
  const binding = bindPort(options, () => {
    created += 1
    return createServer()
  })
  await assert.rejects(binding, PortUnavailable)
  assert.equal(created, 2)
  await close(other)
})
