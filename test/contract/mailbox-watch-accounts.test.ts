/** Connections that wait for changes: how they are opened, what they do to states, and the requests about them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../support/delivery-receiver.ts'
import { ALL_EXTENSIONS, type ImapModel, openImapModel } from '../support/imap-model.ts'
import { readLog, untilLogged } from './mailbox-events-site.ts'
import { ADMIN_TOKEN, mail, type Sandbox, sandboxes } from './mailbox-site.ts'

const without = (...names: string[]) =>
  ['NAMESPACE', ...ALL_EXTENSIONS].filter((name) => !names.includes(name))
let count = 0

interface Shown {
  state: string
  lastError: { response: string } | null
  connections: number
}

sandboxes('I-6, watched accounts', {}, (sandbox) => {
  const admin = (): Sandbox => {
    const { json, ...rest } = sandbox()
    return { ...rest, json: (request, status) => json({ token: ADMIN_TOKEN, ...request }, status) }
  }
  const put = <T>(account: string, path: string, body: object, status = 200) =>
    admin().json<T>({ method: 'PUT', path: `/v1/account/${account}${path}`, body }, status)
  const show = (account: string) => admin().json<Shown>({ path: `/v1/account/${account}` })
  const untilState = (account: string, wanted: string) =>
    until(async () => (await show(account)).state === wanted, `${account} to be ${wanted}`)
  const namesOf = async (account: string) =>
    (await readLog(sandbox(), { account, pageSize: '250' })).events.map(({ event }) => event)

  async function register({ server: { port } }: ImapModel, fields: object = {}, pass = 'right') {
    const account = `watched-${++count}`
    const imap = { host: '127.0.0.1', port, auth: { user: 'a', pass } }
    await admin().json({
      method: 'POST',
      path: '/v1/account',
      body: { account, name: 'A', imap, ...fields }
    })
    return account
  }

  test('an account has one connection that waits; requests do not change its state', async () => {
    await using model = await openImapModel({ messages: 2 })
    const account = await register(model)
    await untilLogged(sandbox(), { account, event: 'accountInitialized' })
    await untilState(account, 'connected')
    assert.equal(model.commands('LOGIN').length, 1)
    assert.equal(model.commands('NOTIFY').length, 1)
    await admin().json({ path: `/v1/account/${account}/mailboxes` })
    assert.equal(model.commands('LOGIN').length, 2)
    assert.equal((await show(account)).connections, 2)
    assert.equal((await show(account)).state, 'connected')
    assert.deepEqual((await namesOf(account)).toSorted(), [
      'accountAdded',
      'accountInitialized',
      'authenticationSuccess'
    ])
  })

  test('a message is reported at once, with NOTIFY, with IDLE, and with sync on any server', async () => {
    for (const hidden of [[], ['NOTIFY'], ['NOTIFY', 'IDLE']]) {
      await using model = await openImapModel({ extensions: without(...hidden), messages: 1 })
      const account = await register(model)
      await untilLogged(sandbox(), { account, event: 'accountInitialized' })
      model.append()
      if (hidden.includes('IDLE')) await put(account, '/sync', { sync: true })
      else await model.tell()
      const [event] = await untilLogged(sandbox(), { account, event: 'messageNew' })
      assert.equal(event?.data.uid, 2, hidden.join())
    }
  })

  test('a mailbox of subconnections is told of by a connection of its own, without NOTIFY only', async () => {
    await using model = await openImapModel({ extensions: without('NOTIFY') })
    model.add('Alerts')
    const account = await register(model, { subconnections: ['Alerts', 'Missing'] })
    await until(() => model.waiting() === 2, 'two connections in IDLE')
    model.append('Alerts')
    await model.push('* 1 EXISTS\r\n')
    const [event] = await untilLogged(sandbox(), { account, event: 'messageNew' })
    assert.equal(event?.path, 'Alerts')
    await put(account, '', { subconnections: [] })
    await until(() => model.waiting() === 1, 'one connection in IDLE')
    await using other = await openImapModel({ extensions: without() })
    other.add('Alerts')
    const told = await register(other, { subconnections: ['Alerts'] })
    await untilLogged(sandbox(), { account: told, event: 'accountInitialized' })
    assert.equal(other.commands('LOGIN').length, 1)
  })

  test('a wrong password is reported once, and the sign-in that succeeds after it', async () => {
    await using model = await openImapModel({
      respond: ({ name, line, tag }) =>
        name === 'LOGIN' && line.includes('wrong')
          ? `${tag} NO [AUTHENTICATIONFAILED] Wrong password\r\n`
          : undefined
    })
    const account = await register(model, {}, 'wrong')
    const [event] = await untilLogged(sandbox(), { account, event: 'authenticationError' })
    assert.deepEqual(event?.data, {
      response: 'Wrong password',
      serverResponseCode: 'AUTHENTICATIONFAILED'
    })
    await untilState(account, 'authenticationError')
    // The second attempt follows after two seconds.
    await until(() => model.commands('LOGIN').length > 1, 'another attempt')
    await untilState(account, 'authenticationError')
    assert.deepEqual((await namesOf(account)).toSorted(), ['accountAdded', 'authenticationError'])
    const imap = { partial: true, auth: { user: 'a', pass: 'right' } }
    await put(account, '', { imap })
    await untilLogged(sandbox(), { account, event: 'accountInitialized' })
    const [success] = await untilLogged(sandbox(), { account, event: 'authenticationSuccess' })
    assert.deepEqual(success?.data, { user: 'a' })
    await untilState(account, 'connected')
    assert.equal((await show(account)).lastError, null)
  })

  test('a connection that is lost is replaced, and what happened meanwhile is reported once', async () => {
    await using model = await openImapModel({ messages: 1 })
    const account = await register(model)
    await untilLogged(sandbox(), { account, event: 'accountInitialized' })
    await untilState(account, 'connected')
    model.append()
    model.server.disconnect()
    await untilLogged(sandbox(), { account, event: 'messageNew' })
    await untilState(account, 'connected')
    assert.equal(model.commands('LOGIN').length, 2)
    assert.deepEqual((await namesOf(account)).toSorted(), [
      'accountAdded',
      'accountInitialized',
      'authenticationSuccess',
      'messageNew'
    ])
  })

  test('flush reads the mailboxes again without reporting their mail, one at a time', async () => {
    await using model = await openImapModel({ messages: 3 })
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const account = await register(model)
    await untilLogged(sandbox(), { account, event: 'accountInitialized' })
    model.behave(({ name }) => (name === 'EXAMINE' ? promise : undefined))
    // The mail of this server is of a later time than all tests.
    const flush = { flush: true, notifyFrom: '2040-01-01T00:00:00.000Z' }
    assert.deepEqual(await put(account, '/flush', flush), { flush: true })
    const { message } = await put<{ message: string }>(account, '/flush', flush, 429)
    assert.match(message, /being made again/)
    resolve(undefined)
    await untilState(account, 'connected')
    await until(async () => {
      const { status } = await sandbox().ask({
        method: 'PUT',
        path: `/v1/account/${account}/flush`,
        body: flush,
        token: ADMIN_TOKEN
      })
      return status === 200
    }, 'another flush')
    await untilState(account, 'connected')
    assert.deepEqual((await namesOf(account)).toSorted(), [
      'accountAdded',
      'accountInitialized',
      'authenticationSuccess'
    ])
    assert.deepEqual(await put(account, '/flush', { flush: false }), { flush: false })
  })

  test('a change of flags after a flush is another event than one before it', async () => {
    const { address, imap } = await sandbox().account()
    const account = `watched-${++count}`
    const body = { account, name: 'A', imap }
    await admin().json({ method: 'POST', path: '/v1/account', body })
    await untilLogged(sandbox(), { account, event: 'accountInitialized' })
    await sandbox().deliver({ to: [address], source: mail('Flagged') })
    const [event] = await untilLogged(sandbox(), { account, event: 'messageNew' })
    const path = `/v1/account/${account}/message/${event?.data.id}`
    for (const [index, flag] of ['\\Seen', '\\Flagged', '\\Answered'].entries()) {
      await put(account, '/flush', { flush: true })
      await untilState(account, 'connected')
      await admin().json({ method: 'PUT', path, body: { flags: { add: [flag] } } })
      await untilLogged(sandbox(), { account, event: 'messageUpdated' }, index + 1)
    }
  })

  test('sync and flush need an account with IMAP, and valid fields', async () => {
    const smtp = { host: '127.0.0.1', port: 25, auth: false }
    const body = { account: `watched-${++count}`, name: 'A', smtp }
    await admin().json({ method: 'POST', path: '/v1/account', body })
    for (const name of ['sync', 'flush']) {
      const { state } = await put<Shown>(body.account, `/${name}`, { [name]: true }, 503)
      assert.equal(state, 'unset')
      await put('nobody', `/${name}`, { [name]: true }, 404)
      await put(body.account, `/${name}`, {}, 400)
      await put(body.account, `/${name}`, { [name]: 'perhaps' }, 400)
    }
    await put(body.account, '/flush', { flush: true, notifyFrom: 'yesterday' }, 400)
    await put(body.account, '/flush', { flush: true, imapIndexer: 'slow' }, 400)
  })

  test('an account of the sandbox is connected only while its events are needed', async () => {
    const { account, address } = await sandbox().account()
    await sandbox().deliver({ to: [address], source: mail('Before') })
    assert.equal((await show(account)).connections <= 1, true)
    assert.deepEqual(
      (await admin().json<{ counters: object }>({ path: `/v1/account/${account}` })).counters,
      { events: { accountAdded: 1 } }
    )
    await readLog(sandbox(), { account })
    await untilLogged(sandbox(), { account, event: 'accountInitialized' })
  })

  test('an account that is removed or disabled is not watched any more', async () => {
    await using model = await openImapModel()
    const account = await register(model)
    await untilLogged(sandbox(), { account, event: 'accountInitialized' })
    await put(account, '', { imap: { partial: true, disabled: true } })
    await until(() => model.server.openSockets() === 0, 'no connection')
    await put(account, '', { imap: { partial: true, disabled: false } })
    await until(() => model.waiting() === 1, 'a connection')
    await admin().json({ method: 'DELETE', path: `/v1/account/${account}` })
    await until(() => model.server.openSockets() === 0, 'no connection')
  })
})
