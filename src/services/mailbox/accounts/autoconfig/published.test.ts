import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { createOutbound, type OutboundOptions } from '../../../../kernel/outbound.ts'
import { parseEmailAddress } from './email-address.ts'
import { findServers } from './find-servers.ts'

const XML = (host: string) => `<clientConfig version="1.1"><emailProvider id="x">
<incomingServer type="imap"><hostname>${host}</hostname><port>993</port><socketType>SSL</socketType>
<username>%EMAILADDRESS%</username></incomingServer></emailProvider></clientConfig>`

/** Responses by the host and path that were requested. */
const responses = new Map<string, RequestListener>()
const requested: string[] = []
const server = createServer((request, response) => {
  const url = `${request.headers.host}${request.url}`
  requested.push(url)
  const respond = responses.get(url.split('?')[0] ?? '')
  if (respond === undefined) response.writeHead(404).end()
  else respond(request, response)
})
before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
after(() => {
  server.closeAllConnections()
  server.close()
})

/** HTTPS needs port 443: requests are sent to the server of the test, with their host in a header. */
function outboundTo(options: Partial<OutboundOptions> = {}) {
  const none = async () => []
  const outbound = createOutbound({
    ...{ loopback: true, allow: [], resolveServices: none, resolveExchangers: none },
    ...options
  })
  const { port } = server.address() as AddressInfo
  return {
    ...outbound,
    fetch: (url: string, request: Parameters<typeof outbound.fetch>[1]) => {
      const { protocol, host, pathname, search } = new URL(url)
      assert.equal(protocol, 'https:')
      const headers = { ...request.headers, host }
      return outbound.fetch(`http://127.0.0.1:${port}${pathname}${search}`, { ...request, headers })
    }
  }
}

async function find(address: string, options?: Partial<OutboundOptions>) {
  const email = parseEmailAddress(address)
  assert.ok(email)
  requested.length = 0
  const { imap, smtp, source } = await findServers(outboundTo(options), email)
  return { source, imap: imap?.host, smtp: smtp?.host }
}

const send = (body: string, status = 200, headers = {}): RequestListener => {
  return (_request, response) => void response.writeHead(status, headers).end(body)
}

describe('what a domain publishes', () => {
  test('is read from its autoconfig host first', async () => {
    responses.set('autoconfig.one.example/mail/config-v1.1.xml', send(XML('imap.one.example')))
    responses.set(
      'one.example/.well-known/autoconfig/mail/config-v1.1.xml',
      send(XML('no.example'))
    )
    const found = await find('jo+x@one.example')
    assert.deepEqual(found, { source: 'autoconfig', imap: 'imap.one.example', smtp: undefined })
    const url = 'autoconfig.one.example/mail/config-v1.1.xml?emailaddress=jo%2Bx%40one.example'
    assert.ok(requested.includes(url), String(requested))
  })

  test('is read from its well-known address else', async () => {
    responses.set('autoconfig.two.example/mail/config-v1.1.xml', send('<html>Not found</html>'))
    responses.set(
      'two.example/.well-known/autoconfig/mail/config-v1.1.xml',
      send('', 301, { location: 'https://config.two.example/x.xml' })
    )
    responses.set('config.two.example/x.xml', send(XML('imap.two.example')))
    assert.deepEqual(await find('jo@two.example'), {
      source: 'well-known',
      imap: 'imap.two.example',
      smtp: undefined
    })
  })

  test('is not read over HTTP, after many redirects or if it is too large', async () => {
    const path = 'three.example/.well-known/autoconfig/mail/config-v1.1.xml'
    for (const respond of [
      send('', 302, { location: 'http://three.example/x.xml' }),
      send('', 302, { location: 'file:///etc/passwd' }),
      send('', 302, {
        location: 'https://three.example/.well-known/autoconfig/mail/config-v1.1.xml'
      }),
      send('', 302, { location: 'https://' }),
      send('', 302),
      send(XML('imap.three.example'), 500),
      send(XML(`imap.three.example`).padEnd(200_000)),
      ((_request, response) => response.destroy()) satisfies RequestListener
    ]) {
      responses.set(path, respond)
      assert.equal((await find('jo@three.example')).source, 'unknown')
      assert.ok(requested.length <= 4, String(requested))
    }
  })

  test('may be SRV records', async () => {
    const record = (name: string, port: number, priority = 0, weight = 0) => ({
      ...{ name, port, priority, weight }
    })
    const records: Record<string, ReturnType<typeof record>[]> = {
      '_imaps._tcp.four.example': [
        record('late.four.example', 993, 10),
        record('light.four.example', 993, 0, 1),
        record('Imap.Four.Example', 10_993, 0, 9),
        record('127.0.0.1', 993),
        record('', 0)
      ],
      '_imap._tcp.four.example': [record('plain.four.example', 143)],
      '_submissions._tcp.four.example': [record('.', 0)],
      '_submission._tcp.four.example': [record('smtp.four.example', 587)]
    }
    const email = parseEmailAddress('jo@four.example')
    assert.ok(email)
    const outbound = outboundTo({ resolveServices: async (name) => records[name] ?? [] })
    assert.deepEqual(await findServers(outbound, email), {
      source: 'srv',
      imap: { host: 'imap.four.example', port: 10_993, secure: true, user: 'jo@four.example' },
      smtp: { host: 'smtp.four.example', port: 587, secure: false, user: 'jo@four.example' }
    })
  })

  test('may be a provider of the table that receives its mail', async () => {
    const exchangers = [
      { name: 'backup.five.example', priority: 20 },
      { name: 'ASPMX.L.GOOGLE.COM', priority: 1 }
    ]
    const resolveExchangers = async () => exchangers
    const email = parseEmailAddress('jo@five.example')
    assert.ok(email)
    const found = await findServers(outboundTo({ resolveExchangers }), email)
    assert.equal(found.source, 'mx')
    assert.equal(found.imap?.host, 'imap.gmail.com')
    assert.equal(found.imap?.user, 'jo@five.example')
    assert.equal(found.appPassword?.required, true)
    const others = async () => [
      { name: 'notgoogle.com', priority: 0 },
      { name: '', priority: 1 }
    ]
    assert.equal(
      (await findServers(outboundTo({ resolveExchangers: others }), email)).source,
      'unknown'
    )
    const longest = async () => [{ name: 'x.olc.protection.outlook.com', priority: 0 }]
    const personal = await findServers(outboundTo({ resolveExchangers: longest }), email)
    assert.equal(personal.smtp?.host, 'smtp-mail.outlook.com')
  })

  test('is not read for domains of the table', async () => {
    assert.equal((await find('jo@gmail.com')).source, 'table')
    assert.deepEqual(requested, [])
  })
})
