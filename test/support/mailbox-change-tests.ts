import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mail } from '../contract/mailbox-site.ts'
import type { AccountTests, MailAccount } from './mail-account.ts'

const NO_ID = 'AAAAAQAAAAE'

interface Moved {
  path: string
  id: string
  uid: number
}

export const changeTests: AccountTests = (open) => {
  test('flags are added, deleted and replaced', async () => {
    await using account = await open()
    const id = await account.add(mail('one'), { flags: ['\\Seen'] })
    const put = (flags: object) =>
      account.call({ method: 'PUT', path: `/message/${id}`, body: { flags } })
    assert.deepEqual(await put({ add: ['\\flagged', 'urgent', '$Label1'], delete: '\\SEEN' }), {
      flags: { add: true, delete: true }
    })
    assert.deepEqual(await account.flagsIn('INBOX'), { one: ['$Label1', '\\Flagged', 'urgent'] })
    // `set` wins over the others.
    assert.deepEqual(await put({ set: ['\\Answered'], add: ['\\Draft'] }), { flags: { set: true } })
    assert.deepEqual(await account.flagsIn('INBOX'), { one: ['\\Answered'] })
    assert.deepEqual(await put({ set: [] }), { flags: { set: true } })
    assert.deepEqual(await account.flagsIn('INBOX'), { one: [] })
  })

  test('flags that IMAP does not have are rejected, and nothing is sent', async () => {
    await using account = await open()
    const id = await account.add(mail('one'))
    const bad = [
      ...['', ' ', 'a b', 'a\r\nA1 LOGOUT', '\\Recent', '\\Foo', '\\*', '*', '%', 'a)', '(', '{1}'],
      ...['"a"', 'a]', 'é', 'a\\b', '\u0000', 'x'.repeat(300)]
    ]
    for (const flag of bad) {
      const body = { flags: { add: [flag] } }
      const { fields } = await account.call<{ fields: { key: string }[] }>(
        { method: 'PUT', path: `/message/${id}`, body },
        400
      )
      assert.ok(
        fields.every(({ key }) => key === 'flags.add.0'),
        JSON.stringify(flag)
      )
    }
    for (const body of [{}, { flags: {} }, { flags: { remove: ['\\Seen'] } }, { labels: {} }]) {
      await account.call({ method: 'PUT', path: `/message/${id}`, body }, 400)
    }
    const body = { labels: { add: ['Work'] } }
    const { code } = await account.call({ method: 'PUT', path: `/message/${id}`, body }, 422)
    assert.equal(code, 'MissingServerExtension')
    assert.deepEqual(await account.flagsIn('INBOX'), { one: [] })
  })

  test('a message that is gone, or was never there, is not found', async () => {
    await using account = await open()
    const id = await account.add(mail('one'))
    await account.client.mailboxOpen('INBOX')
    await account.client.messageDelete('1:*')
    for (const message of [id, NO_ID, 'x', 'AAAAAAAAAAA']) {
      for (const request of requestsOn(message)) {
        const { code } = await account.call(request, 404)
        assert.equal(code, 'MessageNotFound', JSON.stringify(request))
      }
    }
  })

  test('a message whose mailbox was made anew is not found', async () => {
    await using account = await open()
    await account.client.mailboxCreate('Projects')
    const id = await account.add(mail('old'), { mailbox: 'Projects' })
    await account.client.mailboxClose()
    await account.client.mailboxDelete('Projects')
    for (const request of requestsOn(id)) await account.call(request, 404)
    // UIDVALIDITY of some servers is a time in seconds.
    await new Promise((resolve) => setTimeout(resolve, 1100))
    await account.client.mailboxCreate('Projects')
    await account.add(mail('new'), { mailbox: 'Projects' })
    for (const request of requestsOn(id)) await account.call(request, 404)
    assert.deepEqual(await account.flagsIn('Projects'), { new: [] })
  })

  test('a message is moved, and has another id', async () => {
    await using account = await open()
    const id = await account.add(mail('one'), { flags: ['\\Seen', 'urgent'] })
    const move = (message: string, body: object, status = 200) =>
      account.call<Moved>({ method: 'PUT', path: `/message/${message}/move`, body }, status)
    await account.client.mailboxCreate('Büro & mehr')
    let moved = await move(id, { path: 'Büro & mehr', source: '\\Inbox' })
    assert.equal(moved.path, 'Büro & mehr')
    assert.deepEqual(await account.flagsIn('Büro & mehr'), { one: ['\\Seen', 'urgent'] })
    assert.deepEqual(await account.flagsIn('INBOX'), {})
    const shown = await account.call({ path: `/message/${moved.id}` })
    assert.partialDeepStrictEqual(shown, { id: moved.id, uid: moved.uid, path: 'Büro & mehr' })
    await account.call({ path: `/message/${id}` }, 404)

    const again = await move(moved.id, { path: 'Büro & mehr' })
    assert.deepEqual(again, moved, 'a message that is there already stays')
    await move(moved.id, { path: '\\Archive', source: 'INBOX' }, 404)
    const back = await move(moved.id, { path: 'inbox' })
    assert.equal(back.path, 'INBOX')
    const { messages } = await account.call<{ messages: Moved[] }>({ path: '/messages?path=INBOX' })
    assert.deepEqual(
      messages.map(({ id: listed }) => listed),
      [back.id]
    )
    moved = await move(back.id, { path: 'Büro & mehr' })
    await move(moved.id, { path: 'Nowhere' }, 404)
    await move(moved.id, { path: 'a\r\nA1 LOGOUT' }, 400)
    await move(moved.id, {}, 400)
    assert.deepEqual(Object.keys(await account.flagsIn('Büro & mehr')), ['one'])
  })

  test('deletion moves to the trash; there, in junk and by force it is final', async () => {
    await using account = await open()
    const remove = (message: string, query = '') =>
      account.call<{ deleted: boolean; moved?: { destination: string; message: string } }>({
        method: 'DELETE',
        path: `/message/${message}${query}`
      })
    const { deleted, moved } = await remove(await account.add(mail('one')))
    assert.equal(deleted, false)
    assert.equal(moved?.destination, 'Trash')
    assert.deepEqual(await account.flagsIn('Trash'), { one: [] })
    assert.deepEqual(await remove(moved?.message ?? ''), { deleted: true })
    assert.deepEqual(await account.flagsIn('Trash'), {})

    const spam = await account.add(mail('spam'), { mailbox: 'Junk' })
    assert.deepEqual(await remove(spam), { deleted: true })
    const forced = await account.add(mail('two'))
    const kept = await account.add(mail('marked'), { flags: ['\\Deleted'] })
    assert.deepEqual(await remove(forced, '?force=true'), { deleted: true })
    assert.deepEqual(await account.flagsIn('INBOX'), { marked: ['\\Deleted'] })
    assert.deepEqual(await account.flagsIn('Trash'), {})
    await account.call({ path: `/message/${kept}` })
  })

  test('all that a search finds is changed, moved and deleted', async () => {
    await using account = await open()
    const subjects = ['red 1', 'red 2', 'blue 1', 'blue 2']
    const ids = await addAll(account, subjects)
    const put = <T>(path: string, body: object, status = 200) =>
      account.call<T>({ method: 'PUT', path, body }, status)

    const update = { flags: { add: ['\\Flagged'], delete: '\\Seen' } }
    const red = { search: { subject: 'red' } }
    assert.deepEqual(await put('/messages?path=INBOX', { ...red, update }), {
      flags: { add: true, delete: true }
    })
    assert.deepEqual(await account.flagsIn('INBOX'), {
      ...{
        'red 1': ['\\Flagged'],
        'red 2': ['\\Flagged'],
        'blue 1': ['\\Seen'],
        'blue 2': ['\\Seen']
      }
    })
    assert.deepEqual(
      await put('/messages?path=%5CInbox', { search: { subject: 'green' }, update }),
      { flags: { add: false, delete: false } },
      'nothing is found'
    )

    const { path, idMap } = await put<{ path: string; idMap: [string, string][] }>(
      '/messages/move?path=INBOX',
      { search: { flagged: true }, path: '\\Archive' }
    )
    assert.equal(path, 'Archive')
    assert.deepEqual(
      idMap.map(([old]) => old),
      ids.slice(0, 2)
    )
    for (const [index, [, id]] of idMap.entries()) {
      assert.partialDeepStrictEqual(await account.call({ path: `/message/${id}` }), {
        ...{ path: 'Archive', subject: subjects[index] }
      })
    }

    const gone = await put<{ deleted: boolean; moved: { destination: string; idMap: string[][] } }>(
      '/messages/delete?path=INBOX',
      { search: {} }
    )
    assert.equal(gone.deleted, false)
    assert.equal(gone.moved.destination, 'Trash')
    assert.deepEqual(
      gone.moved.idMap.map(([old]) => old),
      ids.slice(2)
    )
    assert.deepEqual(await account.flagsIn('INBOX'), {})
    assert.deepEqual(await put('/messages/delete?path=Trash', { search: {} }), { deleted: true })
    assert.deepEqual(await put('/messages/delete?path=Trash', { search: {} }), { deleted: false })
    assert.deepEqual(
      await put('/messages/delete?path=Archive&force=true', { search: { uid: '1:*' } }),
      { deleted: true }
    )
    assert.deepEqual(await account.flagsIn('Archive'), {})
  })

  test('a change of many messages needs one mailbox that exists and a valid search', async () => {
    await using account = await open()
    await account.add(mail('one'))
    const update = { flags: { add: ['\\Flagged'] } }
    const bad: [path: string, body: object, status: number][] = [
      ['/messages?path=*', { search: {}, update }, 400],
      ['/messages', { search: {}, update }, 400],
      ['/messages?path=Nowhere', { search: {}, update }, 404],
      ['/messages?path=INBOX', { update }, 400],
      ['/messages?path=INBOX', { search: {} }, 400],
      ['/messages?path=INBOX', { search: {}, update: {} }, 400],
      ['/messages?path=INBOX', { search: { colour: 'red' }, update }, 400],
      ['/messages?path=INBOX', { search: {}, update: { labels: { set: ['a'] } } }, 422],
      ['/messages/move?path=INBOX', { search: {} }, 400],
      ['/messages/move?path=INBOX', { search: {}, path: 'Nowhere' }, 404],
      ['/messages/move?path=*', { search: {}, path: 'Archive' }, 400],
      ['/messages/delete?path=*', { search: {} }, 400],
      ['/messages/delete?path=INBOX', {}, 400],
      ['/messages/delete?path=INBOX&force=perhaps', { search: {} }, 400]
    ]
    for (const [path, body, status] of bad) {
      await account.call({ method: 'PUT', path, body }, status)
    }
    assert.deepEqual(await account.flagsIn('INBOX'), { one: [] })
  })

  test('messages with gaps between their numbers are moved', async () => {
    await using account = await open()
    await account.client.mailboxOpen('INBOX')
    for (let number = 0; number < 20; number += 1) {
      await account.client.append(
        'INBOX',
        Buffer.from(mail(`m${number}`)),
        number % 2 ? ['odd'] : []
      )
    }
    const { idMap } = await account.call<{ idMap: string[][] }>({
      method: 'PUT',
      path: '/messages/move?path=INBOX',
      body: { search: { uid: '1,3,5,7:9,1000:*' }, path: 'Archive' }
    })
    assert.equal(idMap.length, 7)
    assert.equal(Object.keys(await account.flagsIn('Archive')).length, 7)
    assert.equal(Object.keys(await account.flagsIn('INBOX')).length, 13)
  })
}

async function addAll(account: MailAccount, subjects: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const subject of subjects) ids.push(await account.add(mail(subject), { flags: ['\\Seen'] }))
  return ids
}

function requestsOn(message: string) {
  return [
    { method: 'PUT', path: `/message/${message}`, body: { flags: { add: ['\\Flagged'] } } },
    { method: 'DELETE', path: `/message/${message}` },
    { method: 'DELETE', path: `/message/${message}?force=true` },
    { method: 'PUT', path: `/message/${message}/move`, body: { path: 'Archive' } }
  ]
}
