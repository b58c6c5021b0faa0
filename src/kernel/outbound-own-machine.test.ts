import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { createOutbound, type OutboundOptions, type OutboundRequest } from './outbound.ts'

const CALL: OutboundRequest = { method: 'GET', timeoutMs: 30_000, maxBytes: 1000 }
const NOT_LOOPBACK: OutboundOptions = { loopback: false, allow: [] }
const LOOPBACK: OutboundOptions = { ...NOT_LOOPBACK, loopback: true }

let port = 0
const server = createServer(({ headers: { via } }, response) => {
  response.end(JSON.stringify({ via }))
})
before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
after(() => {
  server.closeAllConnections()
  server.close()
})

function here(path: string): string {
  return `http://127.0.0.1:${port}${path}`
}

async function fetchFrom(
  url: string,
  options: OutboundOptions,
  call: Partial<OutboundRequest> = {}
): Promise<Response> {
  const outbound = createOutbound(options)
  try {
    return await outbound.fetch(url, { ...CALL, ...call })
  } finally {
    await outbound.close()
  }
}

describe('a request to this machine', () => {
  const viaOf = async (response: Promise<Response>) => (await (await response).json()).via
  const asName = (ips: readonly string[]) => async () => ips

  test('tells that nonet sends it, whatever the host is called', async () => {
    for (const host of ['127.0.0.1', '2130706433', 'localhost', '[::ffff:127.0.0.1]']) {
      const url = `http://${host}:${port}/echo`
      assert.equal(await viaOf(fetchFrom(url, LOOPBACK)), '1.1 nonet', host)
    }
    const resolve = asName(['127.0.0.1'])
    const named = fetchFrom(`http://named.example:${port}/echo`, { ...LOOPBACK, resolve })
    assert.equal(await viaOf(named), '1.1 nonet')
    const allowed = { ...NOT_LOOPBACK, allow: ['named.example'], resolve }
    const url = `http://named.example:${port}/echo`
    assert.equal(await viaOf(fetchFrom(url, allowed)), '1.1 nonet')
    const headers = { via: '1.1 other' }
    assert.equal(await viaOf(fetchFrom(url, allowed, { headers })), '1.1 other, 1.1 nonet')
  })

  test('is refused if a request that came through a proxy causes it', async () => {
    const resolve = asName(['127.0.0.1'])
    const outbound = createOutbound({ ...LOOPBACK, resolve })
    const urls = [here('/'), `http://localhost:${port}/`]
    for (const url of [...urls, `http://named.example:${port}/`]) {
      // A kept connection of another request must not be used.
      assert.equal((await outbound.fetch(url, CALL)).status, 200)
      const call = outbound.fetch(url, { ...CALL, forwarded: true })
      await assert.rejects(call, { code: 'ADDRESS_REFUSED' })
    }
    await outbound.close()
    const allow = { ...LOOPBACK, allow: ['127.0.0.1'], resolve }
    for (const url of urls) {
      assert.equal((await fetchFrom(url, allow, { forwarded: true })).status, 200)
    }
  })

  test('is always allowed to the console', async () => {
    const response = fetchFrom(here('/echo'), NOT_LOOPBACK, { toConsole: true, forwarded: true })
    assert.equal(await viaOf(response), '1.1 nonet')
  })
})

describe('a request to a URL that an operator named', () => {
  const egress = 'any'

  test('may lead to this machine and to private addresses, and tells of itself here', async () => {
    const response = await fetchFrom(here('/'), NOT_LOOPBACK, { egress, forwarded: true })
    assert.deepEqual(await response.json(), { via: '1.1 nonet' })
    const resolve = async () => ['127.0.0.1']
    const named = await fetchFrom(
      `http://named.example:${port}/`,
      { ...NOT_LOOPBACK, resolve },
      { egress }
    )
    assert.deepEqual(await named.json(), { via: '1.1 nonet' })
    const outbound = createOutbound(NOT_LOOPBACK)
    for (const url of ['http://10.1.2.3/', 'http://[fd12::1]/', 'http://192.168.1.1:8080/x']) {
      assert.equal(outbound.isBlocked(url), true, url)
      assert.equal(outbound.isBlocked(url, { egress }), false, url)
    }
  })

  test('never leads to link-local addresses or metadata services, by name or number', async () => {
    const outbound = createOutbound(NOT_LOOPBACK)
    for (const ip of ['169.254.169.254', '[fe80::1]', '[fd00:ec2::254]', '[::ffff:169.254.1.1]']) {
      assert.equal(outbound.isBlocked(`http://${ip}/`, { egress }), true, ip)
    }
    const resolve = async () => ['10.0.0.1', '169.254.169.254']
    const refused = fetchFrom('http://named.example/', { ...NOT_LOOPBACK, resolve }, { egress })
    await assert.rejects(refused, { code: 'ADDRESS_REFUSED' })
  })

  test('opens no connection that other requests use', async () => {
    const outbound = createOutbound(NOT_LOOPBACK)
    await (await outbound.fetch(here('/'), { ...CALL, egress })).text()
    await assert.rejects(outbound.fetch(here('/'), CALL), { code: 'ADDRESS_REFUSED' })
    await outbound.close()
  })
})
