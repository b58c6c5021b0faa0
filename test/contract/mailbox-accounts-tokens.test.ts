/** What a token of an account may change, and what is left of a token after its account. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type Nonet, start } from '../../src/host/start.ts'
import { send } from '../support/contract.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'
import { ADMIN_TOKEN, type Asked, type Sandbox, sandboxOf } from './mailbox-site.ts'

const admin = { token: ADMIN_TOKEN }

interface Rejected {
  fields: { key: string; message: string }[]
}

for (const engine of ENGINES) {
  describe(`tokens and their accounts, on ${engine}`, () => {
    let nonet: Nonet<'mailbox'>
    let sandbox: Sandbox
    let listening: Server
    let connections = 0
    before(async () => {
      listening = createServer((socket) => {
        connections++
        socket.on('error', () => {}).end('* BYE\r\n')
      })
      await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
      nonet = await start({
        services: ['mailbox'],
        adminToken: ADMIN_TOKEN,
        ...engineOptions(engine)
      })
      sandbox = sandboxOf(nonet)
    })
    after(async () => {
      await nonet.stop()
      listening.close()
    })

    const post = (path: string, body: object, status?: number) =>
      sandbox.json({ method: 'POST', path, body, ...admin }, status)
    const put = <T>(id: string, body: object, token: string, status = 200) =>
      sandbox.json<T>({ method: 'PUT', path: `/v1/account/${id}`, body, token }, status)
    /** As `nonet token create mailbox` does. */
    const createToken = async (account: string) => {
      const { status, text } = await send(nonet.console?.url ?? '', {
        method: 'POST',
        path: '/mailbox/tokens',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${ADMIN_TOKEN}` },
        body: JSON.stringify({ flags: { account } })
      })
      return { status, ...JSON.parse(text) }
    }
    const idsSeenBy = async (token: string) => {
      const { accounts } = await sandbox.json<{ accounts: { account: string }[] }>({
        path: '/v1/accounts',
        token
      })
      return accounts.map(({ account }) => account)
    }
    async function errorOf(id: string) {
      for (let tried = 0; tried < 600; tried++) {
        const { state, lastError } = await sandbox.json<{
          state: string
          lastError: { serverResponseCode?: string } | null
        }>({ path: `/v1/account/${id}`, ...admin })
        if (state.endsWith('Error')) return lastError?.serverResponseCode
        await wait(50)
      }
      return assert.fail('no error')
    }

    test('servers that the token of an account names must be public', async () => {
      const address = listening.address()
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0
      const imap = { host: '127.0.0.1', port, auth: { user: 'u', pass: 'p' } }
      await post('/v1/account', { account: 'named', name: '' })
      const { secret } = await createToken('named')
      for (const host of ['127.0.0.1', 'localhost', '::1', '10.0.0.1', '169.254.169.254']) {
        await put('named', { imap: { ...imap, host } }, secret)
        assert.equal(await errorOf('named'), 'ADDRESS_REFUSED', host)
      }
      assert.equal(connections, 0)
      // Other fields leave the servers of an operator as they are.
      await put('named', { imap }, ADMIN_TOKEN)
      const sameServer = { ...imap, auth: { user: 'u', pass: 'another' } }
      for (const body of [{ name: 'Renamed' }, { imap: sameServer }]) {
        connections = 0
        await put('named', body, secret)
        await put('named/reconnect', { reconnect: true }, secret)
        assert.notEqual(await errorOf('named'), 'ADDRESS_REFUSED', JSON.stringify(body))
        assert.ok(connections > 0)
      }
      await put('named', { imap: { ...sameServer, port: port - 1 } }, secret)
      assert.equal(await errorOf('named'), 'ADDRESS_REFUSED')
    })

    test('the token of an account cannot have stored secrets sent to another server', async () => {
      const imap = {
        host: 'imap.example.org',
        port: 993,
        secure: true,
        auth: { user: 'u', pass: 'stored' }
      }
      const smtp = { host: 'smtp.example.org', port: 465, secure: true, auth: { user: 'u' } }
      const oauth2 = {
        auth: { user: 'u' },
        accessToken: 'stored',
        refreshToken: 'stored',
        tokenUrl: 'https://login.example.org/token',
        clientId: 'c'
      }
      await post('/v1/account', { account: 'stored', name: '', imap, smtp, oauth2 })
      const { secret } = await createToken('stored')
      const attempts: [body: object, key: string][] = [
        [{ imap: { partial: true, host: 'evil.example' } }, 'imap.host'],
        [{ imap: { partial: true, port: 143 } }, 'imap.host'],
        [{ imap: { partial: true, secure: false } }, 'imap.host'],
        [{ imap: { partial: true, tls: { rejectUnauthorized: false } } }, 'imap.host'],
        [{ smtp: { host: 'evil.example', port: 465 } }, 'smtp.host'],
        [{ smtp: { host: 'evil.example', port: 465, auth: { user: 'x' } } }, 'smtp.host'],
        [{ imap: { host: 'evil.example', port: 993 } }, 'imap.host'],
        [{ oauth2: { partial: true, tokenUrl: 'https://evil.example/' } }, 'oauth2.tokenUrl'],
        [
          {
            smtp: { partial: true, host: 'evil.example' },
            oauth2: { partial: true, clientId: 'd' }
          },
          'smtp.host'
        ],
        [
          {
            imap: { partial: true, host: 'evil.example' },
            oauth2: { auth: { user: 'u' }, accessToken: 'sent' }
          },
          'imap.host'
        ],
        // The OAuth2 tokens were never used for this server.
        [{ imap: { host: 'imap.example.org', port: 993, secure: true } }, 'imap.host']
      ]
      async function rejects(body: object, key: string): Promise<void> {
        const { fields } = await put<Rejected>('stored', body, secret, 400)
        const keys = fields.map((field) => field.key)
        assert.deepEqual(keys, [key], JSON.stringify(body))
      }
      for (const [body, key] of attempts) await rejects(body, key)
      // In two steps: a server that needs no stored secret, then without what signs in there.
      for (const auth of [false, { user: 'u', pass: 'sent' }]) {
        const evil = { host: 'evil.example', port: 993, secure: true }
        await put('stored', { imap: { ...evil, auth } }, secret)
        await rejects({ imap: evil }, 'imap.host')
      }
      await put('stored', { imap }, ADMIN_TOKEN)
      const sent = { user: 'u', pass: 'sent' }
      await put('stored', { imap: { partial: true, host: 'other.example', auth: sent } }, secret)
      await put('stored', { imap: { partial: true, disabled: true }, name: 'New' }, secret)
      await put(
        'stored',
        { smtp: { host: 'other.example', port: 587 }, oauth2: { ...oauth2, accessToken: 'new' } },
        secret
      )
      await put('stored', { imap: { partial: true, host: 'moved.example' } }, ADMIN_TOKEN)
    })

    test('a token is bound to any account by id or address, unless two have the address', async () => {
      for (const account of ['one', 'two', 'three']) {
        const email = account === 'three' ? 'Three@Example.org' : 'shared@example.org'
        await post('/v1/account', { account, name: account, email })
      }
      const three = await createToken('three@EXAMPLE.org')
      assert.deepEqual(three.token.boundTo, ['Three@Example.org'])
      assert.deepEqual(await idsSeenBy(three.secret), ['three'])
      const shared = await createToken('shared@example.org')
      assert.deepEqual([shared.status, shared.error], [409, 'TOKEN_ACCOUNT_AMBIGUOUS'])
      const both = await createToken('one, two')
      assert.deepEqual(await idsSeenBy(both.secret), ['one', 'two'])
      assert.equal((await createToken('*')).status, 404)
    })

    test('an account is removed with its queue; its tokens open no later account', async () => {
      const smtp = { host: '127.0.0.1', port: 2525, auth: false }
      for (const account of ['gone', 'stays']) {
        await post('/v1/account', { account, name: '', email: `${account}@example.org`, smtp })
        const sendAt = new Date(Date.now() + 86_400_000).toISOString()
        const body = { to: { address: 'x@example.org' }, subject: 's', text: 't', sendAt }
        await post(`/v1/account/${account}/submit`, body)
      }
      const alone = (await createToken('gone')).secret
      const several = (await createToken('gone,stays')).secret
      const remove: Asked = { method: 'DELETE', path: '/v1/account/gone', token: alone }
      assert.deepEqual(await sandbox.json(remove), { account: 'gone', deleted: true })
      await sandbox.json(remove, 401)
      await sandbox.json({ ...remove, ...admin }, 404)
      assert.deepEqual(await idsSeenBy(several), ['stays'])
      const { messages } = await sandbox.json<{ messages: { account: string }[] }>({
        path: '/v1/outbox',
        ...admin
      })
      assert.deepEqual(
        messages.map(({ account }) => account),
        ['stays']
      )
      const { state } = await post('/v1/account', { account: 'gone', name: 'Another' })
      assert.equal(state, 'new')
      await sandbox.json({ path: '/v1/account/gone', token: several }, 404)
      await sandbox.json({ path: '/v1/account/gone', token: alone }, 401)
      const shown = await sandbox.json({ path: '/v1/account/gone', ...admin })
      assert.equal(shown.email, undefined)
    })

    test('an account of the sandbox is removed with its mail', async () => {
      const { account, address, token } = await sandbox.account()
      await sandbox.deliver({ to: [address], source: 'Subject: s\r\n\r\nt\r\n' })
      const other = await sandbox.account()
      const { secret: several } = await createToken(`${account},${other.account}`)
      const path = `/v1/account/${account}`
      await sandbox.json({ method: 'DELETE', path, token })
      await sandbox.json({ path: `/v1/sandbox/accounts/${account}`, ...admin }, 404)
      await sandbox.json({ path, ...admin }, 404)
      const again = await sandbox.account({ account })
      const { total } = await sandbox.json({
        path: '/v1/sandbox/messages',
        token: again.token
      })
      assert.equal(total, 0)
      assert.deepEqual(await idsSeenBy(several), [other.account])
      await sandbox.json({ path, token: several }, 404)
      await sandbox.json({ path, token }, 401)
    })
  })
}
