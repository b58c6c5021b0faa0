/** What only some mail servers, tokens and messages do. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { openImap } from '../support/imap-client.ts'
import { fetchLine, type ImapServer, openImapServer } from '../support/imap-server.ts'
import { type Body, lines, type Reader, readerOf } from '../support/mailbox-reader.ts'
import { userOf } from './mailbox-imap-site.ts'
import { ADMIN_TOKEN, sandboxes } from './mailbox-site.ts'

sandboxes('Unusual mail of an account', {}, (sandbox) => {
  const reader = async () => {
    const account = await sandbox().account()
    return { ...account, ...readerOf({ url: sandbox().url, ...account }) }
  }
  const subjects = ({ messages }: Body) => messages.map((one: Body) => one.subject).join()

  it('shows copies of \\All once, whatever the pages', async () => {
    const { json, append, withClient, imap } = await reader()
    const start = Date.UTC(2026, 0, 1)
    using user = userOf(await openImap({ port: imap.port }))
    await user.ok(`LOGIN ${imap.auth.user} ${imap.auth.pass}`)
    await user.ok('CREATE Everything (USE (\\All))')
    await withClient(async (client) => {
      for (let number = 0; number < 6; number++) {
        const path = number % 2 === 0 ? 'INBOX' : 'Sent'
        await client.append(
          path,
          lines(`Subject: ${number}`, '', 'x'),
          [],
          new Date(start + number * 60_000)
        )
      }
      // Not in the order of arrival.
      for (const path of ['Sent', 'INBOX']) {
        await client.mailboxOpen(path)
        await client.messageCopy('1:*', 'Everything')
      }
    })
    await append(lines('Subject: archived', '', 'x'), {
      path: 'Everything',
      date: new Date(start + 150_000)
    })
    const { mailboxes } = await json('/mailboxes')
    assert.ok(mailboxes.some((one: Body) => one.specialUse === '\\All'))
    for (const pageSize of [1, 2, 3, 100]) {
      const found: string[] = []
      let cursor: string | null = ''
      for (let pages = 0; cursor !== null && pages < 20; pages++) {
        const path: string = `?path=*&pageSize=${pageSize}${cursor === '' ? '' : `&cursor=${cursor}`}`
        const page: Body = await json(`/messages${path}`)
        found.push(...page.messages.map((one: Body) => one.subject))
        cursor = page.nextPageCursor
      }
      assert.equal(cursor, null)
      assert.deepEqual([...found].sort(), ['0', '1', '2', '3', '4', '5', 'archived'], `${pageSize}`)
    }
    const all = await json('/messages?path=*')
    assert.equal(subjects(all), '5,4,3,archived,2,1,0')
    assert.equal(all.total, 7)
    const search = { method: 'POST', body: { search: { subject: 'archived' } } }
    const found = await json('/search?path=*', search)
    assert.deepEqual([subjects(found), found.messages[0].path], ['archived', 'Everything'])
  })

  it('finds by the ids of the server', async () => {
    const { json, append } = await reader()
    await append(lines('Subject: one', '', 'x'))
    await append(lines('Subject: two', '', 'y'))
    const { messages } = await json('/messages?path=INBOX')
    const [two, one] = messages
    const search = async (keys: object) =>
      subjects(await json('/search?path=*', { method: 'POST', body: { search: keys } }))
    assert.equal(await search({ emailId: one.emailId }), 'one')
    assert.equal(await search({ threadId: two.threadId }), 'two')
    assert.equal(await search({ emailIds: [one.emailId, two.emailId] }), 'two,one')
    assert.equal(await search({ emailIds: one.emailId }), 'one')
  })

  it('reads texts of all charsets, wrapped lines and many parts', async () => {
    const { json, append } = await reader()
    const textOf = async (source: Buffer | string, query = 'textType=*') => {
      await append(source)
      const [{ id }] = (await json('/messages?path=INBOX&pageSize=1')).messages
      return (await json(`/message/${id}?${query}`)).text
    }
    const plain = async (type: string, body: Buffer | string) => {
      const head = lines('Subject: x', `Content-Type: text/plain; ${type}`, '')
      return (await textOf(Buffer.concat([Buffer.from(head), Buffer.from(body)]))).plain
    }
    assert.equal(await plain('charset=utf-8', 'Grüße\r\n'), 'Grüße\n')
    assert.equal(await plain('charset=windows-1252', Buffer.from('\x80uro', 'latin1')), '€uro')
    assert.equal(await plain('charset=utf-16le', Buffer.from('Ä€', 'utf16le')), 'Ä€')
    const japanese = Buffer.from('1b24422546253925481b2842', 'hex')
    assert.equal(await plain('charset=iso-2022-jp', japanese), 'テスト')
    assert.equal(await plain('charset=x-unknown', 'Grüße'), 'Grüße')
    assert.match(await plain('charset=utf-8', Buffer.from('a\xffb\0c', 'latin1')), /^a\ufffdb.c$/)
    const flowed = 'one \r\ntwo\r\n> three \r\n> four\r\n-- \r\nme\r\n'
    assert.equal(await plain('format=flowed', flowed), 'one two\n> three four\n-- \nme\n')
    assert.equal(await plain('format=flowed; delsp=yes', 'one \r\ntwo\r\n'), 'onetwo\n')
    const parts = lines(
      'Content-Type: multipart/mixed; boundary=b',
      '',
      ...['one', 'two', 'three'].flatMap((text) => ['--b', 'Content-Type: text/plain', '', text]),
      ...['--b', 'Content-Type: text/html', '', '<b>four</b>', '--b--']
    )
    const joined = await textOf(parts)
    assert.deepEqual([joined.plain, joined.html], ['one\ntwo\nthree', '<b>four</b>'])
    const cut = await textOf(parts, 'textType=*&maxBytes=5')
    assert.deepEqual([cut.plain, cut.html, cut.hasMore], ['one\nt', '<b>fo', true])
    const none = await textOf(lines('Content-Type: application/pdf', '', 'x'))
    assert.equal(none, undefined)
  })

  it('describes messages that have more levels than can be read', async () => {
    const { json, append, bytes } = await reader()
    let source = lines('Content-Type: text/plain', '', 'deep')
    for (let level = 0; level < 60; level++) {
      source = `${lines(`Content-Type: multipart/mixed; boundary=b${level}`, '', `--b${level}`)}${source}${lines('', `--b${level}--`)}`
    }
    await append(lines('Subject: before', '', 'x'))
    await append(`Subject: deep\r\n${source}`)
    const list = await json('/messages?path=INBOX')
    assert.equal(subjects(list), 'deep,before')
    const [{ id }] = list.messages
    assert.equal((await json(`/message/${id}?textType=*`)).subject, 'deep')
    assert.match((await bytes(`/message/${id}/source`)).bytes.toString(), /^Subject: deep\r\n/)
    const found = await json('/search?path=INBOX', {
      method: 'POST',
      body: { search: { subject: 'deep' } }
    })
    assert.equal(subjects(found), 'deep')
  })

  it('takes ids of others, of the sandbox and malformed ones for unknown', async () => {
    const { json, append, ask } = await reader()
    const other = await reader()
    await append(lines('Subject: mine', '', 'x'))
    await other.append(lines('Subject: theirs', '', 'x'))
    const [mine] = (await json('/messages?path=INBOX')).messages
    const [theirs] = (await other.json('/messages?path=INBOX')).messages
    const { messages } = await sandbox().json<Body>({
      path: `/v1/sandbox/messages?account=${other.account}`,
      token: other.token
    })
    const ids = [
      theirs.id,
      messages[0].id,
      'AAAAAAAAAAA',
      '__________8',
      'short',
      `${mine.id}A`,
      '%00',
      'x'.repeat(20_000 - 9000)
    ]
    for (const id of ids) {
      for (const suffix of ['', '/source']) {
        const { status } = await ask({ path: `/message/${id}${suffix}` })
        assert.equal(status, 404, id)
      }
      assert.equal((await ask({ path: `/text/${id}` })).status, 404, id)
      assert.equal((await ask({ path: `/attachment/${id}` })).status, 404, id)
    }
    assert.equal((await ask({ path: `/text/${theirs.text.id}` })).status, 404)
    const zero = Buffer.from(mine.id, 'base64url')
    zero.writeUInt32BE(0, 4)
    assert.equal((await ask({ path: `/message/${zero.toString('base64url')}` })).status, 404)
  })

  it('keeps ids over a new registration and shows no others', async () => {
    const { json, append, account, imap } = await reader()
    await append(lines('Subject: one', '', 'x'))
    // Only this mailbox is watched: what is watched is known before it is read.
    const registered = { account: `${account}-again`, name: 'Again', imap, path: ['Trash'] }
    const register = () =>
      sandbox().json({ method: 'POST', path: '/v1/account', token: ADMIN_TOKEN, body: registered })
    await register()
    const again = readerOf({
      url: sandbox().url,
      account: registered.account,
      token: ADMIN_TOKEN,
      imap
    })
    const [{ id }] = (await again.json('/messages?path=INBOX')).messages
    await again.json('', { method: 'DELETE' })
    await register()
    await again.json('/messages?path=Sent')
    await again.json(`/message/${id}`, {}, 404)
    await again.json('/messages?path=INBOX')
    assert.equal((await again.json(`/message/${id}`)).subject, 'one')
    assert.equal((await json('/messages?path=INBOX')).total, 1)
  })

  it('uses the mailboxes that the account names for special uses', async () => {
    const { json, append, account, imap } = await reader()
    await json('/mailbox', { method: 'POST', body: { path: 'Mine' } })
    await append(lines('Subject: one', '', 'x'), { path: 'Mine' })
    const named = {
      account: `${account}-named`,
      name: 'Named',
      imap: { ...imap, sentMailPath: 'Mine' }
    }
    await sandbox().json({ method: 'POST', path: '/v1/account', token: ADMIN_TOKEN, body: named })
    const other = readerOf({ url: sandbox().url, account: named.account, token: ADMIN_TOKEN, imap })
    const list = await other.json('/messages?path=%5Csent')
    assert.deepEqual(
      [list.total, list.messages[0].path, list.messages[0].messageSpecialUse],
      [1, 'Mine', '\\Sent']
    )
    const { mailboxes } = await other.json('/mailboxes')
    const mine = mailboxes.find((one: Body) => one.path === 'Mine')
    assert.equal(mine.specialUseSource, 'user')
  })

  it('does not let a token that may only read mark a message', async () => {
    const { json, append, account, imap } = await reader()
    await append(lines('Subject: one', '', 'x'))
    const [{ id }] = (await json('/messages?path=INBOX')).messages
    const body = { account, description: 'Reads', permissions: { actions: ['read'] } }
    const { token } = await sandbox().json<Body>({
      method: 'POST',
      path: '/v1/tokens',
      token: ADMIN_TOKEN,
      body
    })
    const limited = readerOf({ url: sandbox().url, account, token, imap })
    const denied = await limited.json(`/message/${id}?markAsSeen=true`, {}, 403)
    assert.deepEqual(denied.requiredPermission, { group: 'message', action: 'write' })
    assert.equal((await limited.json(`/message/${id}`)).unseen, true)
  })
})

describe('Mail of unusual servers', () => {
  async function withServer(
    respond: Parameters<ImapServer['behave']>[0],
    use: (reader: Reader, server: ImapServer) => Promise<void>
  ): Promise<void> {
    await using server = await openImapServer(respond === undefined ? {} : { respond })
    const nonet: Nonet<'mailbox'> = await start({ services: ['mailbox'], adminToken: ADMIN_TOKEN })
    try {
      const imap = {
        host: '127.0.0.1',
        port: server.port,
        auth: { user: 'a', pass: 'right' },
        secure: false
      }
      const { url } = nonet.mailbox
      const response = await fetch(`${url}/v1/account`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
        body: JSON.stringify({ account: 'a', name: 'a', imap })
      })
      assert.equal(response.status, 200, await response.text())
      await use(readerOf({ url, account: 'a', token: ADMIN_TOKEN, imap }), server)
    } finally {
      await nonet.stop()
    }
  }

  it('names a mailbox that fails, and shows the others', async () => {
    const list = '* LIST () "/" INBOX\r\n* LIST () "/" Locked\r\n* LIST (\\Noselect) "/" Group\r\n'
    await withServer(
      ({ tag, name, line }) => {
        if (name === 'LIST' && line.endsWith('"" ""')) {
          return `* LIST (\\Noselect) "/" ""\r\n${tag} OK done\r\n`
        }
        if (name === 'LIST') return `${list}${tag} OK done\r\n`
        if (name === 'EXAMINE' && line.includes('Locked')) return `${tag} NO [NOPERM] Not yours\r\n`
        return undefined
      },
      async ({ json }) => {
        const all = await json('/messages?path=*')
        assert.equal(all.messages.length, 3)
        assert.deepEqual(all.incomplete, [{ path: 'Locked', error: 'Not yours' }])
        const { code, info } = await json('/messages?path=Locked', {}, 400)
        assert.equal(code, 'NOPERM')
        assert.match(info.response, /Not yours/)
        const { mailboxes } = await json('/mailboxes')
        const group = mailboxes.find((one: Body) => one.path === 'Group')
        assert.deepEqual([group.noSelect, group.messages, group.uidNext], [true, false, false])
      }
    )
  })

  it('tells a rejected search from one without results', async () => {
    await withServer(
      ({ tag, name }) => (name === 'SEARCH' ? `${tag} NO [BADCHARSET] no\r\n` : undefined),
      async ({ json }) => {
        const request = { method: 'POST', body: { search: { subject: 'ü' } } }
        assert.equal((await json('/search?path=INBOX', request, 422)).code, 'UnsupportedSearchTerm')
        const all = await json('/search?path=*', request)
        assert.deepEqual([all.messages, all.incomplete.length], [[], 1])
      }
    )
  })

  it('shows each message once, whatever else FETCH tells', async () => {
    await withServer(
      ({ tag, name, line }) => {
        if (name !== 'FETCH' || !/ENVELOPE/.test(line)) return undefined
        const flags = '* 2 FETCH (UID 2 FLAGS (\\Seen))\r\n* 900 FETCH (UID 900 FLAGS ())\r\n'
        const messages = [1, 2, 3, 2].map((number) => fetchLine(number)).join('')
        return `${messages}${flags}* 1 FETCH (FLAGS ())\r\n${tag} OK done\r\n`
      },
      async ({ json }) => {
        const { messages, total } = await json('/messages?path=INBOX')
        assert.deepEqual(
          messages.map(({ uid, subject, unseen }: Body) => [uid, subject, unseen]),
          [
            [3, 'Subject', true],
            [2, 'Subject', undefined],
            [1, 'Subject', true]
          ]
        )
        assert.equal(total, 3)
      }
    )
  })

  it('counts no more than a page, whatever number of messages a server tells', async () => {
    await withServer(
      ({ tag, name }) =>
        name === 'EXAMINE'
          ? `* 4294967295 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n${tag} OK done\r\n`
          : undefined,
      async ({ json }) => {
        const { messages, total } = await json('/messages?path=INBOX&page=1048576&pageSize=1000')
        assert.deepEqual([messages, total], [[], 4_294_967_295])
      }
    )
  })

  it('ends the download of a part that a server repeats for ever', async () => {
    const chunk = 'x'.repeat(256 * 1024)
    await withServer(
      ({ tag, name, line }) => {
        const [, part = '', start = ''] = /BODY\.PEEK\[([^\]]*)\]<(\d+)/.exec(line) ?? []
        if (name !== 'FETCH' || start === '') return undefined
        const body = `* 1 FETCH (UID 1 BODY[${part}]<${start}> {${chunk.length}}\r\n${chunk})\r\n`
        return `${body}${tag} OK done\r\n`
      },
      async ({ json, bytes }, server) => {
        const { messages } = await json('/messages?path=INBOX')
        const { id } = messages.at(-1)
        await assert.rejects(bytes(`/message/${id}/source`), 'the response is cut')
        assert.ok(server.countOf('FETCH') < 10)
      }
    )
  })
})
