import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { type ImapServer, openImapServer } from '../support/imap-server.ts'
import { sandboxAccounts } from '../support/mail-account.ts'
import { changeTests } from '../support/mailbox-change-tests.ts'
import { ADMIN_TOKEN, mail, sandboxOf } from './mailbox-site.ts'

sandboxAccounts('changes of messages', changeTests)

describe('changes of messages on a server of the test', () => {
  let nonet: Nonet<'mailbox'>
  before(async () => {
    nonet = await start({ services: ['mailbox'], adminToken: ADMIN_TOKEN })
  })
  after(() => nonet.stop())

  /** An account on the server, and the id of its first message. */
  async function register({ port }: ImapServer) {
    const site = sandboxOf(nonet)
    const imap = { host: '127.0.0.1', port, auth: { user: 'ada', pass: 'right' } }
    const { account } = await site.json<{ account: string }>({
      ...{ method: 'POST', path: '/v1/account', token: ADMIN_TOKEN },
      body: { account: null, name: 'Ada', email: 'ada@example.test', imap }
    })
    const path = `/v1/account/${account}`
    const { messages } = await site.json<{ messages: { id: string }[] }>({
      ...{ path: `${path}/messages?path=INBOX`, token: ADMIN_TOKEN }
    })
    const put = <T>(route: string, body: object, status = 200) =>
      site.json<T>({ method: 'PUT', path: `${path}${route}`, token: ADMIN_TOKEN, body }, status)
    return { put, id: messages.at(-1)?.id ?? assert.fail('there are messages') }
  }

  test('labels of Gmail are changed, whatever characters they have', async () => {
    const capability = 'CAPABILITY IMAP4rev1 X-GM-EXT-1'
    await using server = await openImapServer({
      greet: () => `* OK [${capability}] ready\r\n`,
      respond: ({ tag, name }) =>
        name === 'CAPABILITY' ? `* ${capability}\r\n${tag} OK\r\n` : undefined
    })
    const { put, id } = await register(server)
    const labels = { add: ['\\Important', 'Büro "A" (1)', 'x'], delete: 'old' }
    assert.deepEqual(await put(`/message/${id}`, { labels }), {
      labels: { add: true, delete: true }
    })
    const stored = server.lines.filter((line) => line.includes('STORE'))
    assert.deepEqual(stored, [
      'UID STORE 1 +X-GM-LABELS (\\Important "B&APw-ro \\"A\\" (1)" "x")',
      'UID STORE 1 -X-GM-LABELS ("old")'
    ])
    await put(`/message/${id}`, { labels: { add: ['a\r\nb'] } }, 400)
  })

  test('the reason of the server is told, and a message that cannot be copied stays', async () => {
    await using server = await openImapServer({
      respond: ({ tag, name }) =>
        name === 'COPY' ? `${tag} NO [OVERQUOTA] The mailbox is full\r\n` : undefined
    })
    const { put, id } = await register(server)
    const error = await put(`/message/${id}/move`, { path: 'Archive' }, 400)
    assert.partialDeepStrictEqual(error, {
      ...{ code: 'OVERQUOTA', info: { response: 'The mailbox is full' } }
    })
    assert.deepEqual(
      server.lines.filter((line) => /STORE|EXPUNGE/.test(line)),
      []
    )
  })

  test('a server that ends in the middle of a change gets no error of ours', async () => {
    await using server = await openImapServer({
      respond({ name, socket }) {
        if (name !== 'STORE') return undefined
        socket.destroy()
        return ''
      }
    })
    const { put, id } = await register(server)
    const body = { flags: { add: ['\\Seen'] } }
    const { code } = await put<{ code: string }>(`/message/${id}`, body, 502)
    assert.equal(code, 'IMAPUnavailable')
  })
})

sandboxAccounts(
  'changes of messages without MOVE and UIDPLUS',
  (open) => {
    test('a moved message is in the other mailbox only, and its new id is not known', async () => {
      await using account = await open()
      const id = await account.add(mail('one'), { flags: ['\\Flagged'] })
      await account.add(mail('marked'), { flags: ['\\Deleted', 'mine'] })
      const path = `/message/${id}/move`
      const moved = await account.call({ method: 'PUT', path, body: { path: 'Archive' } })
      assert.deepEqual(moved, { path: 'Archive' })
      assert.deepEqual(await account.flagsIn('Archive'), { one: ['\\Flagged'] })
      // What another program has marked is not removed.
      assert.deepEqual(await account.flagsIn('INBOX'), { marked: ['\\Deleted', 'mine'] })
    })

    test('deletion removes no other message', async () => {
      await using account = await open()
      const id = await account.add(mail('one'))
      await account.add(mail('two'))
      await account.add(mail('marked'), { flags: ['\\Deleted'] })
      const forced = { method: 'DELETE', path: `/message/${id}?force=true` }
      assert.deepEqual(await account.call(forced), { deleted: true })
      assert.deepEqual(await account.flagsIn('INBOX'), { two: [], marked: ['\\Deleted'] })
      const body = { search: { subject: 'two' } }
      const removed = await account.call({
        ...{ method: 'PUT', path: '/messages/delete?path=INBOX', body }
      })
      assert.deepEqual(removed, { deleted: false, moved: { destination: 'Trash', idMap: [] } })
      assert.deepEqual(await account.flagsIn('INBOX'), { marked: ['\\Deleted'] })
      assert.deepEqual(await account.flagsIn('Trash'), { two: [] })
    })

    test('a stored message has no id', async () => {
      await using account = await open()
      const body = { path: 'Drafts', flags: ['\\Draft'], subject: 'Draft' }
      const stored = await account.call({ method: 'POST', path: '/message', body })
      assert.equal(stored.id, undefined)
      assert.equal(stored.uid, undefined)
      assert.deepEqual(await account.flagsIn('Drafts'), { Draft: ['\\Draft'] })
    })
  },
  { mailbox: { sandboxWithout: ['MOVE', 'UIDPLUS'] } }
)
