import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { createOutbound, OutboundError, type OutboundOptions } from './outbound.ts'
import { type EgressPolicy, PUBLIC_PORTS } from './outbound-sockets.ts'

const NONE_ALLOWED: OutboundOptions = { loopback: false, allow: [] }
const LIMITS = { timeoutMs: 10_000 }
/** Of loopback and of this process, so that the port is not in use, not even by another test run. */
const NETWORK = `127.${64 + ((process.pid >> 16) & 63)}.${(process.pid >> 8) & 255}`
const MAIL_IP = `${NETWORK}.${process.pid & 255}`
const MAIL_PORT = 2525

let connections = 0
const accepted = new Set<Socket>()
function greet(socket: Socket): void {
  connections += 1
  accepted.add(socket)
  socket.on('error', () => {}).end('220 hello\r\n')
}
const server = createServer(greet)
const mailServer = createServer(greet)
before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  await once(mailServer.listen(MAIL_PORT, MAIL_IP), 'listening')
})
after(() => {
  for (const socket of accepted) socket.destroy()
  server.close()
  mailServer.close()
})
const port = () => (server.address() as AddressInfo).port

function failsWith(code: string) {
  return (error: unknown) => {
    assert.ok(error instanceof OutboundError, String(error))
    assert.equal(error.code, code)
    return true
  }
}

async function connectsTo(
  host: string,
  to: number,
  policy: EgressPolicy,
  options: Partial<OutboundOptions> = {}
): Promise<string> {
  const outbound = createOutbound({ ...NONE_ALLOWED, ...options })
  const socket = await outbound.connect(host, to, { ...LIMITS, policy })
  const [greeting] = await once(socket, 'data')
  const { remoteAddress = '' } = socket
  socket.destroy()
  assert.equal(String(greeting), '220 hello\r\n')
  return remoteAddress
}

async function isRefused(
  host: string,
  to: number,
  policy: EgressPolicy,
  options: Partial<OutboundOptions> = {}
): Promise<void> {
  const outbound = createOutbound({ ...NONE_ALLOWED, ...options })
  const before = connections
  const call = { ...LIMITS, policy }
  await assert.rejects(outbound.connect(host, to, call), failsWith('ADDRESS_REFUSED'), host)
  await assert.rejects(outbound.check(host, to, call), failsWith('ADDRESS_REFUSED'), host)
  assert.equal(connections, before)
}

const asName = (ips: readonly string[]) => ({ resolve: async () => ips })

const METADATA = [
  ...['169.254.169.254', '169.254.170.2', '169.254.0.1', '169.254.255.255'],
  ...['100.100.100.200', '192.0.0.192', '168.63.129.16'],
  ...['fe80::1', 'febf::1', 'FE80::1', 'fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254'],
  ...['::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '::FFFF:169.254.169.254'],
  ...['64:ff9b::169.254.169.254', '64:ff9b::a9fe:a9fe', '64:ff9b:1::a9fe:a9fe'],
  ...['64:ff9b::100.100.100.200', '::ffff:100.100.100.200', '2002:a9fe:a9fe::1'],
  ...['::169.254.169.254', '::ffff:0:169.254.169.254']
]
const PRIVATE = [
  ...['127.0.0.1', '127.9.9.9', '::1', '0.0.0.0', '::', '10.0.0.1', '172.16.0.1', '192.168.1.1'],
  ...['100.64.0.1', 'fc00::1', 'fd12:3456::1', '::ffff:127.0.0.1', '::ffff:7f00:1'],
  ...['64:ff9b::10.0.0.1', '2002:7f00:1::', '224.0.0.1', '255.255.255.255']
]

describe('any host', () => {
  test('may be private or this machine, on any port', async () => {
    assert.equal(await connectsTo('127.0.0.1', port(), 'any'), '127.0.0.1')
    assert.equal(
      await connectsTo('mail.example', port(), 'any', asName(['127.0.0.1'])),
      '127.0.0.1'
    )
    assert.equal(await connectsTo('localhost', port(), 'any'), '127.0.0.1')
    const outbound = createOutbound(NONE_ALLOWED)
    for (const ip of PRIVATE) {
      assert.equal((await outbound.check(ip, 1143, { ...LIMITS, policy: 'any' })).address, ip)
    }
  })

  for (const ip of METADATA) {
    test(`except ${ip}, also as one of several addresses of a name`, async () => {
      for (const policy of ['any', 'public'] as const) {
        await isRefused(ip, 143, policy)
        await isRefused(`[${ip}]`, 143, policy)
        await isRefused('mail.example', 143, policy, asName([ip]))
        await isRefused('mail.example', 143, policy, asName(['1.1.1.1', ip]))
        await isRefused('mail.example', 143, policy, asName([ip, '1.1.1.1']))
      }
    })
  }

  test('has no zone', () => isRefused('fe80::1%lo', 143, 'any'))
})

describe('a public host', () => {
  for (const ip of PRIVATE) {
    test(`is not ${ip}`, async () => {
      await isRefused(ip, 143, 'public')
      await isRefused('mail.example', 993, 'public', asName(['1.1.1.1', ip]))
    })
  }

  test('of the system resolver that is this machine is rejected', async () => {
    for (const host of ['localhost', '2130706433', '0x7f.1', '127.1', 'LOCALHOST.']) {
      await isRefused(host, 143, 'public')
    }
  })

  test('is rejected on ports that are not of mail, before its name is resolved', async () => {
    const names: string[] = []
    const resolve = async (name: string) => {
      names.push(name)
      return ['1.1.1.1']
    }
    for (const other of [1, 22, 80, 110, 443, 2526, 6379, 8080, 65_535]) {
      await isRefused('1.1.1.1', other, 'public')
      await isRefused('mail.example', other, 'public', { resolve })
    }
    assert.deepEqual(names, [])
    const outbound = createOutbound({ ...NONE_ALLOWED, resolve })
    for (const allowed of PUBLIC_PORTS) {
      const { address } = await outbound.check('mail.example', allowed, {
        ...LIMITS,
        policy: 'public'
      })
      assert.equal(address, '1.1.1.1')
    }
  })

  test('may be one that the operator allows, on the same ports', async () => {
    const allow = [`${MAIL_IP}/32`]
    assert.equal(await connectsTo(MAIL_IP, MAIL_PORT, 'public', { allow }), MAIL_IP)
    const named = { allow: ['MAIL.example'], ...asName([MAIL_IP]) }
    assert.equal(await connectsTo('mail.example', MAIL_PORT, 'public', named), MAIL_IP)
    await isRefused('other.example', MAIL_PORT, 'public', named)
    await isRefused(MAIL_IP, MAIL_PORT, 'public', { allow: ['10.0.0.0/8'] })
    await isRefused('127.0.0.1', port(), 'public', { allow: ['127.0.0.1'] })
  })
})

describe('an own host', () => {
  test('is an IP address, never a name', async () => {
    assert.equal(await connectsTo('127.0.0.1', port(), 'own'), '127.0.0.1')
    await isRefused('localhost', port(), 'own')
    await isRefused('mail.example', port(), 'own', asName(['127.0.0.1']))
  })
})

describe('a name that changes its IP address', () => {
  function changing(...turns: readonly (readonly string[])[]) {
    const names: string[] = []
    const resolve = async (name: string) => {
      names.push(name)
      return turns[Math.min(names.length, turns.length) - 1] ?? []
    }
    return { names, resolve }
  }

  test('is connected where it was checked', async () => {
    const { names, resolve } = changing(['127.0.0.1'], ['169.254.169.254'])
    assert.equal(await connectsTo('turns.example', port(), 'any', { resolve }), '127.0.0.1')
    assert.deepEqual(names, ['turns.example'])
    await isRefused('turns.example', port(), 'any', { resolve })
  })

  test('gives a library only IP addresses that were checked', async () => {
    const { names, resolve } = changing(['127.0.0.1'], ['169.254.169.254'])
    const outbound = createOutbound({ ...NONE_ALLOWED, resolve })
    const found = await outbound.check('Turns.Example.', port(), { ...LIMITS, policy: 'any' })
    assert.equal(found.servername, 'turns.example')
    assert.equal(found.address, '127.0.0.1')
    for (const all of [true, false]) {
      const addresses = await new Promise((resolve, reject) => {
        found.lookup('turns.example', { all }, (error, address) =>
          error === null ? resolve(address) : reject(error)
        )
      })
      const expected = all ? [{ address: '127.0.0.1', family: 4 }] : '127.0.0.1'
      assert.deepEqual(addresses, expected)
    }
    assert.deepEqual(names, ['turns.example'])
  })
})

test('all IP addresses of a name are tried', async () => {
  const ips = ['127.63.25.26', '::1', MAIL_IP]
  assert.equal(await connectsTo('mail.example', MAIL_PORT, 'any', asName(ips)), MAIL_IP)
})

test('a name may be internationalised; what is no host is rejected', async () => {
  const names: string[] = []
  const resolve = async (name: string) => {
    names.push(name)
    return ['127.0.0.1']
  }
  assert.equal(await connectsTo('Bücher.example', port(), 'any', { resolve }), '127.0.0.1')
  assert.deepEqual(names, ['xn--bcher-kva.example'])
  const hosts = [
    '',
    '.',
    'a..b',
    'a b',
    'a/b',
    'a\0b',
    'a\r\nb',
    '%',
    '-a',
    '[x]',
    'a?b',
    'x'.repeat(64)
  ]
  for (const host of [...hosts, 'mail.example:25', 'user@mail.example', `${'a.'.repeat(127)}a`]) {
    await isRefused(host, 143, 'any', { resolve })
  }
  for (const bad of [0, -1, 65_536, 1.5, Number.NaN]) await isRefused('127.0.0.1', bad, 'any')
  assert.equal(names.length, 1)
})

describe('a connection that does not open', () => {
  const call = { ...LIMITS, policy: 'any' as const }

  test('has the code of the system', async () => {
    const outbound = createOutbound({ ...NONE_ALLOWED, resolve: async () => [] })
    await assert.rejects(outbound.connect('none.example', 143, call), failsWith('ENOTFOUND'))
    const closed = outbound.connect('127.63.25.26', MAIL_PORT, call)
    await assert.rejects(closed, failsWith('ECONNREFUSED'))
    const two = createOutbound({ ...NONE_ALLOWED, ...asName(['127.63.25.26', '127.63.25.27']) })
    await assert.rejects(two.connect('none.example', MAIL_PORT, call), failsWith('ECONNREFUSED'))
    const failing = createOutbound({
      ...NONE_ALLOWED,
      resolve: () => Promise.reject(Object.assign(new Error('dns'), { code: 'EAI_AGAIN' }))
    })
    await assert.rejects(failing.connect('none.example', 143, call), failsWith('EAI_AGAIN'))
  })

  test('ends in time, also while its name is resolved', async () => {
    const endless = { resolve: () => new Promise<never>(() => {}) }
    const outbound = createOutbound({ ...NONE_ALLOWED, ...endless })
    const soon = { ...call, timeoutMs: 30 }
    await assert.rejects(outbound.connect('slow.example', 143, soon), failsWith('TIMEOUT'))
    await assert.rejects(outbound.check('slow.example', 143, soon), failsWith('TIMEOUT'))
    let answer: (ips: string[]) => void = () => {}
    const late = createOutbound({
      ...NONE_ALLOWED,
      resolve: () =>
        new Promise((resolve) => {
          answer = resolve
        })
    })
    await assert.rejects(late.connect('slow.example', port(), soon), failsWith('TIMEOUT'))
    const before = connections
    answer(['127.0.0.1'])
    await new Promise((resolve) => setTimeout(resolve, 30))
    assert.equal(connections, before)
  })

  test('ends with the signal', async () => {
    const endless = { resolve: () => new Promise<never>(() => {}) }
    const outbound = createOutbound({ ...NONE_ALLOWED, ...endless })
    const controller = new AbortController()
    const opening = outbound.connect('slow.example', 143, { ...call, signal: controller.signal })
    controller.abort()
    await assert.rejects(opening, failsWith('ABORTED'))
    const aborted = { ...call, signal: AbortSignal.abort() }
    await assert.rejects(outbound.connect('127.0.0.1', port(), aborted), failsWith('ABORTED'))
  })
})

test('SRV records that cannot be found are none', async () => {
  const records = [{ name: 'imap.example', port: 993, priority: 0, weight: 1 }]
  const outbound = createOutbound({ ...NONE_ALLOWED, resolveServices: async () => records })
  assert.deepEqual(await outbound.findServices('_imaps._tcp.example', 1000), records)
  const failing = createOutbound({
    ...NONE_ALLOWED,
    resolveServices: () => Promise.reject(new Error('ENODATA'))
  })
  assert.deepEqual(await failing.findServices('_imaps._tcp.example', 1000), [])
  const endless = createOutbound({
    ...NONE_ALLOWED,
    resolveServices: () => new Promise<never>(() => {})
  })
  assert.deepEqual(await endless.findServices('_imaps._tcp.example', 20), [])
})
