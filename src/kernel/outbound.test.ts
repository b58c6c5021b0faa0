import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSocketServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import {
  createOutbound,
  OutboundError,
  type OutboundOptions,
  type OutboundRequest
} from './outbound.ts'

const CALL: OutboundRequest = { method: 'GET', timeoutMs: 30_000, maxBytes: 1000 }

const NOT_LOOPBACK: OutboundOptions = { loopback: false, allow: [] }
const LOOPBACK: OutboundOptions = { ...NOT_LOOPBACK, loopback: true }

const responses: Record<string, RequestListener> = {
  '/echo': (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method, headers } = request
      const body = Buffer.concat(chunks).toString()
      response.end(
        JSON.stringify({
          ...{ method, body, encoding: headers['accept-encoding'], x: headers.x },
          via: headers.via
        })
      )
    })
  },
  '/redirect': (_request, response) => {
    response
      .writeHead(302, { location: 'http://10.0.0.1/', 'set-cookie': ['a=1', 'b=2'] })
      .end('moved')
  },
  '/silent': () => {},
  '/stalls': (_request, response) => void response.writeHead(200).write('some'),
  '/resets': (request) => void request.socket.resetAndDestroy(),
  '/exact': (_request, response) => void response.end('x'.repeat(1000)),
  '/announced': (_request, response) => {
    response.writeHead(200, { 'content-length': '1001' }).write('x')
  },
  '/streamed': (_request, response) => {
    response.write('x'.repeat(600))
    response.end('x'.repeat(600))
  },
  '/gzip': (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'GZIP' }).end(gzipSync('packed'))
  },
  '/deflate': (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'deflate' }).end(deflateSync('packed'))
  },
  '/br': (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync('packed'))
  },
  '/zstd': (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'zstd' }).end(zstdCompressSync('packed'))
  },
  '/bomb': (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(1001)))
  },
  '/mispacked': (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip')
  },
  '/nothing': (_request, response) => void response.writeHead(204).end(),
  '/unchanged': (_request, response) => void response.writeHead(304).end(),
  '/odd': (_request, response) => void response.writeHead(799).end()
}

let server: Server
let port = 0
let requests = 0
before(async () => {
  server = createServer((request, response) => {
    requests++
    responses[request.url ?? '']?.(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = Number(new URL(`http://${addressOf(server)}`).port)
})
after(() => {
  server.closeAllConnections()
  server.close()
})

function addressOf(listening: Server): string {
  const address = listening.address()
  return typeof address === 'object' ? `127.0.0.1:${address?.port}` : ''
}

async function fetchFrom(
  url: string,
  options: OutboundOptions,
  call: Partial<OutboundRequest> = {}
) {
  const outbound = createOutbound(options)
  try {
    return await outbound.fetch(url, { ...CALL, ...call })
  } finally {
    await outbound.close()
  }
}

function here(path: string): string {
  return `http://127.0.0.1:${port}${path}`
}

function failsWith(code: string) {
  return (error: unknown) => {
    assert.ok(error instanceof OutboundError)
    assert.equal(error.code, code)
    assert.equal(String(error), `OutboundError: Outbound request failed (${code})`)
    return true
  }
}

describe('an exchange', () => {
  test('sends method, headers and body and requests no compression', async () => {
    const request = { method: 'POST', headers: { x: '1' }, body: 'text' }
    const response = await fetchFrom(here('/echo'), LOOPBACK, request)
    assert.equal(response.status, 200)
    const echo = { method: 'POST', body: 'text', encoding: 'identity', x: '1', via: '1.1 nonet' }
    assert.deepEqual(await response.json(), echo)
  })

  test('returns redirects', async () => {
    const response = await fetchFrom(here('/redirect'), LOOPBACK)
    assert.equal(response.status, 302)
    assert.equal(response.headers.get('location'), 'http://10.0.0.1/')
    assert.deepEqual(response.headers.getSetCookie(), ['a=1', 'b=2'])
    assert.equal(await response.text(), 'moved')
  })

  for (const path of ['/gzip', '/deflate', '/br', '/zstd']) {
    test(`decodes ${path} that was not requested`, async () => {
      const response = await fetchFrom(here(path), LOOPBACK)
      assert.equal(await response.text(), 'packed')
      assert.equal(response.headers.get('content-encoding'), null)
      assert.equal(response.headers.get('content-length'), null)
    })
  }

  test('may have no body at all', async () => {
    assert.equal(await (await fetchFrom(here('/nothing'), LOOPBACK)).text(), '')
    assert.equal((await fetchFrom(here('/unchanged'), LOOPBACK)).status, 304)
  })

  test('may fill the limit', async () => {
    assert.equal((await (await fetchFrom(here('/exact'), LOOPBACK)).text()).length, 1000)
  })

  test('keeps its connections for the next ones', async () => {
    let connections = 0
    const count = () => connections++
    server.on('connection', count)
    const outbound = createOutbound(LOOPBACK)
    for (let call = 0; call < 20; call++) await outbound.fetch(here('/exact'), CALL)
    await outbound.close()
    server.off('connection', count)
    // undici opens a second connection if the first has not been released yet.
    assert.ok(connections <= 2, `${connections} connections`)
  })

  for (const [path, code] of [
    ['/announced', 'TOO_LARGE'],
    ['/streamed', 'TOO_LARGE'],
    ['/bomb', 'TOO_LARGE'],
    ['/mispacked', 'Z_DATA_ERROR'],
    ['/resets', 'ECONNRESET'],
    ['/odd', 'UNKNOWN']
  ] as const) {
    test(`fails with ${code} at ${path}`, async () => {
      await assert.rejects(fetchFrom(here(path), LOOPBACK), failsWith(code))
    })
  }

  for (const path of ['/silent', '/stalls']) {
    test(`ends in time at ${path}`, async () => {
      await assert.rejects(
        fetchFrom(here(path), LOOPBACK, { timeoutMs: 100 }),
        failsWith('TIMEOUT')
      )
    })
  }

  test('ends in time while it looks up a name', async () => {
    const never = { ...LOOPBACK, resolve: () => new Promise<never>(() => {}) }
    const outbound = createOutbound(never)
    const call = outbound.fetch(`http://slow.example:${port}/exact`, { ...CALL, timeoutMs: 100 })
    await assert.rejects(call, failsWith('TIMEOUT'))
  })

  test('fails with the code of the system if no server listens', async () => {
    const vacant = createSocketServer().listen(0, '127.0.0.1')
    await once(vacant, 'listening')
    const address = vacant.address()
    const free = typeof address === 'object' ? address?.port : 0
    await new Promise((resolve) => vacant.close(resolve))
    const call = fetchFrom(`http://127.0.0.1:${free}/`, LOOPBACK)
    await assert.rejects(call, failsWith('ECONNREFUSED'))
  })

  test('fails with ENOTFOUND if the name has no IP address', async () => {
    const unresolvable = { ...LOOPBACK, resolve: async () => [] }
    await assert.rejects(fetchFrom('http://missing.example/', unresolvable), failsWith('ENOTFOUND'))
  })
})

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

const REJECTED = words(`
  0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1
  172.31.255.255 192.0.0.1 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.19.255.255
  198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 127.1
  2130706433 0x7f000001 0177.0.0.1 [::] [::1] [::7f00:1] [::ffff:127.0.0.1] [::ffff:a01:203]
  [::ffff:0:10.1.2.3] [64:ff9b::10.1.2.3] [64:ff9b:1::8.8.8.8] [100::1] [2001::1]
  [2001:db8::1] [2002:a01:203::1] [2002:c0a8:101::] [3fff::1] [5f00::1] [fc00::1]
  [fd12:3456::1] [fe80::1] [febf::1] [fec0::1] [ff02::1]
`)

const ACCEPTED = words(`
  1.1.1.1 11.0.0.1 100.63.255.255 100.128.0.1 126.255.255.255 128.0.0.1 169.253.255.255
  172.15.255.255 172.32.0.1 192.0.1.1 198.17.255.255 198.20.0.1 223.255.255.255
  [::ffff:8.8.8.8] [64:ff9b::8.8.8.8] [2002:808:808::1] [2600::1] [2a00::1]
`)

describe('beyond loopback an IP address in the URL', () => {
  const outbound = createOutbound(NOT_LOOPBACK)

  for (const address of REJECTED) {
    test(`${address} is refused`, async () => {
      assert.equal(outbound.isBlocked(`http://${address}/`), true)
      await assert.rejects(outbound.fetch(`http://${address}/`, CALL), failsWith('ADDRESS_REFUSED'))
    })
  }

  for (const address of ACCEPTED) {
    test(`${address} is public`, () =>
      assert.equal(outbound.isBlocked(`https://${address}/`), false))
  }

  for (const url of [
    'ftp://1.1.1.1/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'http://user@1.1.1.1/',
    'http://:pass@1.1.1.1/',
    'nonsense'
  ]) {
    test(`${url} is refused`, async () => {
      assert.equal(outbound.isBlocked(url), true)
      await assert.rejects(outbound.fetch(url, CALL), failsWith('ADDRESS_REFUSED'))
    })
  }
})

describe('on loopback', () => {
  const outbound = createOutbound(LOOPBACK)

  for (const address of ['127.0.0.1', '127.9.9.9', '[::1]', '[::ffff:127.0.0.1]', '2130706433']) {
    test(`${address} may be called`, () => {
      assert.equal(outbound.isBlocked(`http://${address}/`), false)
    })
  }

  for (const address of [
    '0.0.0.0',
    '[::]',
    '10.1.2.3',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]'
  ]) {
    test(`${address} may not`, () => assert.equal(outbound.isBlocked(`http://${address}/`), true))
  }
})

describe('a name', () => {
  async function check(addresses: readonly string[], options: Partial<OutboundOptions> = {}) {
    const asked: string[] = []
    const resolve = async (name: string) => {
      asked.push(name)
      return addresses
    }
    const response = await fetchFrom(`http://hooks.example:${port}/exact`, {
      ...NOT_LOOPBACK,
      resolve,
      ...options
    })
    assert.equal(response.status, 200)
    return asked
  }

  test('of the real resolver that resolves to loopback is rejected', async () => {
    const before = requests
    const call = fetchFrom(`http://localhost:${port}/exact`, NOT_LOOPBACK)
    await assert.rejects(call, failsWith('ADDRESS_REFUSED'))
    assert.equal(requests, before)
  })

  test('of the real resolver is called if loopback is allowed', async () => {
    const response = await fetchFrom(`http://localhost:${port}/exact`, LOOPBACK)
    assert.equal(response.status, 200)
  })

  for (const addresses of [
    ['127.0.0.1'],
    ['10.0.0.1'],
    ['169.254.169.254'],
    ['::ffff:127.0.0.1'],
    ['1.1.1.1', '127.0.0.1'],
    ['127.0.0.1', '1.1.1.1']
  ]) {
    test(`with the addresses ${addresses} is refused`, async () => {
      const before = requests
      await assert.rejects(check(addresses), failsWith('ADDRESS_REFUSED'))
      assert.equal(requests, before)
    })
  }

  test('is resolved once: the connection uses the IP address that was checked', async () => {
    const responsesInTurn = [['127.0.0.1'], ['10.0.0.1']]
    const asked: string[] = []
    const resolve = async (name: string) => {
      asked.push(name)
      return responsesInTurn[asked.length - 1] ?? []
    }
    const response = await fetchFrom(`http://rebinds.example:${port}/exact`, {
      ...LOOPBACK,
      resolve
    })
    assert.equal(response.status, 200)
    assert.deepEqual(asked, ['rebinds.example'])
  })

  test('may be allowed by the operator', async () => {
    await check(['127.0.0.1'], { allow: ['HOOKS.example'] })
    await assert.rejects(check(['127.0.0.1'], { allow: ['other.example'] }))
  })

  test('may resolve to an IP address or a range the operator allows', async () => {
    await check(['127.0.0.1'], { allow: ['127.0.0.1'] })
    await check(['127.0.0.1'], { allow: ['10.0.0.0/8', '127.0.0.0/30'] })
    await assert.rejects(check(['127.0.0.1'], { allow: ['10.0.0.0/8'] }))
  })
})

test('closing waits for running requests', async () => {
  const outbound = createOutbound(LOOPBACK)
  const call = outbound.fetch(here('/exact'), CALL)
  await outbound.fetch(here('/exact'), CALL)
  await outbound.close()
  assert.equal((await call).status, 200)
  await createOutbound(LOOPBACK).close()
})

test('a request for which only the status counts does not wait for the body', async () => {
  const outbound = createOutbound(LOOPBACK)
  const call = { ...CALL, maxBytes: 0, statusOnly: true }
  for (const path of ['/stalls', '/announced', '/exact', '/gzip']) {
    const response = await outbound.fetch(here(path), call)
    assert.deepEqual([response.status, await response.text()], [200, ''], path)
  }
  assert.equal((await outbound.fetch(here('/redirect'), call)).status, 302)
})

test('a request can be aborted, before and while it runs', async () => {
  const outbound = createOutbound(LOOPBACK)
  const stop = new AbortController()
  const running = outbound.fetch(here('/silent'), { ...CALL, signal: stop.signal })
  stop.abort()
  await assert.rejects(running, failsWith('ABORTED'))
  const later = outbound.fetch(here('/exact'), { ...CALL, signal: stop.signal })
  await assert.rejects(later, failsWith('ABORTED'))
  await outbound.close()
})
