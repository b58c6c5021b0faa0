/** Which servers accounts may connect to, by who named them. */
import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import dns from 'node:dns/promises'
import { once } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { after, before, test } from 'node:test'
import { entryWith } from './mailbox-queue-entry.ts'
import { ADMIN_TOKEN, type NewAccount, type Sandbox, sandboxes } from './mailbox-site.ts'

const admin = { token: ADMIN_TOKEN }
const BANNER = 'a banner of a private service'

/** Where names of the tests lead: the next of the addresses with each look-up. */
const names = new Map<string, string[]>()
const lookups: string[] = []
const { lookup } = dns
let connections = 0
const secretServer = createServer((socket) => {
  connections += 1
  socket.on('error', () => {}).end(`* BYE ${BANNER}\r\n220 ${BANNER}\r\n`)
})
before(async () => {
  const replaced = async (name: string, options: object): Promise<LookupAddress[]> => {
    const turns = names.get(name)
    if (turns === undefined) return await lookup(name, { ...options, all: true })
    lookups.push(name)
    const [address = '', ...rest] = turns
    names.set(name, rest.length === 0 ? turns : rest)
    return [{ address, family: address.includes(':') ? 6 : 4 }]
  }
  Object.assign(dns, { lookup: replaced })
  syncBuiltinESMExports()
  await once(secretServer.listen(0, '127.0.0.1'), 'listening')
})
after(() => {
  Object.assign(dns, { lookup })
  syncBuiltinESMExports()
  secretServer.close()
})
const secretPort = () => (secretServer.address() as AddressInfo).port

let number = 0

/** An account that an operator registers with these servers. */
async function register(sandbox: Sandbox, servers: object): Promise<string> {
  number += 1
  const account = `egress-${number}`
  const body = { account, name: 'Jo', email: 'jo@example.test', ...servers }
  await sandbox.json({ method: 'POST', path: '/v1/account', body, ...admin })
  return account
}

async function bind(sandbox: Sandbox, account: string): Promise<string> {
  const body = { account, description: 'of one account', scopes: ['api'] }
  const path = '/v1/tokens'
  return (await sandbox.json<{ token: string }>({ method: 'POST', path, body, ...admin })).token
}

/** Settings of an account of the sandbox, which is on loopback, for another one. */
const imapOf = ({ imap }: NewAccount, more: object = {}) => ({ imap: { ...imap, ...more } })

function list(sandbox: Sandbox, account: string, status = 200) {
  return sandbox.json({ path: `/v1/account/${account}/mailboxes`, ...admin }, status)
}

async function isRefused(sandbox: Sandbox, account: string): Promise<void> {
  const before = connections
  const { state } = await list(sandbox, account, 503)
  assert.equal(state, 'connectError')
  const shown = await sandbox.json<{ lastError: { response: string; serverResponseCode: string } }>(
    { path: `/v1/account/${account}`, ...admin }
  )
  assert.equal(shown.lastError.serverResponseCode, 'ADDRESS_REFUSED')
  assert.ok(!JSON.stringify(shown).includes(BANNER))
  assert.equal(connections, before)
}

const DENIED = ['169.254.169.254', '[fe80::1]', 'fd00:ec2::254', '::ffff:169.254.169.254']

// Without watching, whose attempts to connect would be counted too.
sandboxes('mail servers', { mailbox: { watch: false } }, (sandbox) => {
  test('that an operator names may be private, but never link-local', async () => {
    const account = await register(sandbox(), imapOf(await sandbox().account()))
    await list(sandbox(), account)
    for (const host of DENIED) {
      const servers = {
        imap: { host: host.replace(/[[\]]/g, ''), port: 143, auth: { user: 'jo', pass: 'x' } }
      }
      await isRefused(sandbox(), await register(sandbox(), servers))
    }
  })

  test('that the token of an account names must be public and on mail ports', async () => {
    const there = await sandbox().account()
    const account = await register(sandbox(), imapOf(there))
    await list(sandbox(), account)
    const token = await bind(sandbox(), account)
    const path = `/v1/account/${account}`
    const auth = { user: 'jo', pass: 'x' }
    names.set('private.egress.example', ['10.1.2.3'])
    names.set('public.egress.example', ['1.1.1.1'])
    // What an operator named stays allowed if it is sent again.
    await sandbox().json({ method: 'PUT', path, body: { imap: there.imap }, token })
    await list(sandbox(), account)
    for (const imap of [
      { host: '127.0.0.1', port: secretPort(), auth },
      there.imap,
      { host: 'localhost', port: 143, auth },
      { host: '2130706433', port: 143, auth },
      { host: '10.1.2.3', port: 993, secure: true, auth },
      { host: 'private.egress.example', port: 993, secure: true, auth },
      // Public, but not a port of mail servers.
      { host: 'public.egress.example', port: 6379, auth },
      { host: '1.1.1.1', port: 80, auth }
    ]) {
      await sandbox().json({ method: 'PUT', path, body: { imap }, token })
      await isRefused(sandbox(), account)
    }
    // What an operator names again is allowed again.
    await sandbox().json({ method: 'PUT', path, body: { imap: there.imap }, ...admin })
    await list(sandbox(), account)
  })

  test('cannot be changed by a part of the settings', async () => {
    const there = await sandbox().account()
    const account = await register(sandbox(), imapOf(there))
    const token = await bind(sandbox(), account)
    const path = `/v1/account/${account}`
    const change = (imap: object) =>
      sandbox().json({ method: 'PUT', path, body: { imap: { partial: true, ...imap } }, token })
    await change({ sentMailPath: 'Sent' })
    await list(sandbox(), account)
    await change({ port: secretPort(), auth: { user: 'jo', pass: 'x' } })
    await isRefused(sandbox(), account)
  })

  test('are those that were checked, if a name changes its address', async () => {
    const there = await sandbox().account()
    names.set('turns.egress.example', ['127.0.0.1', '169.254.169.254'])
    lookups.length = 0
    const tls = { rejectUnauthorized: false }
    const account = await register(sandbox(), imapOf(there, { host: 'turns.egress.example', tls }))
    await list(sandbox(), account)
    assert.deepEqual(lookups, ['turns.egress.example'])
    const body = { reconnect: true }
    await sandbox().json({
      method: 'PUT',
      path: `/v1/account/${account}/reconnect`,
      body,
      ...admin
    })
    await isRefused(sandbox(), account)
  })

  test('for sending are checked alike', async () => {
    const there = await sandbox().account()
    const account = await register(sandbox(), { ...imapOf(there), smtp: there.smtp })
    const token = await bind(sandbox(), account)
    names.set('smtp.egress.example', ['1.1.1.1', '127.0.0.1'])
    const auth = { user: 'jo', pass: 'x' }
    for (const [smtp, who] of [
      [{ host: '169.254.169.254', port: 587, auth }, ADMIN_TOKEN],
      [{ host: '127.0.0.1', port: secretPort(), auth }, token],
      [{ host: '1.1.1.1', port: 80, auth }, token]
    ] as const) {
      const path = `/v1/account/${account}`
      await sandbox().json({ method: 'PUT', path, body: { smtp }, token: who })
      const message = { to: [{ address: 'ada@example.test' }], subject: 'Hello', text: 'Hello' }
      const before = connections
      const { queueId } = await sandbox().json<{ queueId: string }>({
        ...{
          method: 'POST',
          path: `${path}/submit`,
          body: { ...message, deliveryAttempts: 1 },
          token
        }
      })
      const entry = await entryWith(sandbox(), queueId, 'error')
      assert.ok(!JSON.stringify(entry).includes(BANNER))
      assert.equal(connections, before)
    }
  })
})

sandboxes(
  'mail servers with --mailbox-mail-egress public',
  { mailbox: { mailEgress: 'public', watch: false } },
  (sandbox) => {
    test('must be public, also for an operator; the sandbox is ours', async () => {
      const there = await sandbox().account()
      await sandbox().json({ path: `/v1/account/${there.account}/mailboxes`, ...admin })
      await isRefused(sandbox(), await register(sandbox(), imapOf(there)))
    })

    test('that are only tried are checked, and their texts are not shown', async () => {
      const auth = { user: 'jo', pass: 'x' }
      const server = { host: '127.0.0.1', port: secretPort(), auth }
      const before = connections
      const tried = await sandbox().json<Record<'imap' | 'smtp', { success: boolean }>>({
        ...{
          method: 'POST',
          path: '/v1/verifyAccount',
          body: { imap: server, smtp: server },
          ...admin
        }
      })
      assert.equal(tried.imap.success, false)
      assert.equal(tried.smtp.success, false)
      assert.ok(!JSON.stringify(tried).includes(BANNER), JSON.stringify(tried))
      assert.equal(connections, before)
    })
  }
)

sandboxes(
  'mail servers with --mailbox-mail-egress any',
  { mailbox: { mailEgress: 'any', watch: false } },
  (sandbox) => {
    test('may be private whoever names them, but never link-local', async () => {
      const there = await sandbox().account()
      const account = await register(sandbox(), imapOf(there))
      const token = await bind(sandbox(), account)
      const path = `/v1/account/${account}`
      await sandbox().json({ method: 'PUT', path, body: { imap: there.imap }, token })
      await list(sandbox(), account)
      const imap = { host: '169.254.169.254', port: 143, auth: { user: 'jo', pass: 'x' } }
      await sandbox().json({ method: 'PUT', path, body: { imap }, token })
      await isRefused(sandbox(), account)
    })
  }
)
