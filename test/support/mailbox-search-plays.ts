/** Tests of searches and of lists of all mailboxes that every mail server must pass. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type Body, lines, type Reader } from './mailbox-reader.ts'

const DAY_MS = 24 * 60 * 60 * 1000

function subjects({ messages }: Body): string {
  return messages.map((one: Body) => one.subject).join()
}

export function playSearch(reader: () => Promise<Reader>): void {
  it('finds by each key, and by all of them together', async () => {
    const { json, append } = await reader()
    // Noon, so that no time of the rows is of another day.
    const today = new Date(new Date().setUTCHours(12, 0, 0, 0) - DAY_MS)
    const lastWeek = new Date(today.getTime() - 7 * DAY_MS)
    await append(
      lines(
        'From: Ada <ada@example.test>',
        'To: bob@example.test',
        'Cc: carol@example.test',
        'Bcc: dave@example.test',
        'Date: Thu, 1 Jan 2026 12:00:00 +0000',
        'Subject: first',
        'X-Kind: =?utf-8?q?gr=C3=BCn?=',
        '',
        'the quick brown fox'
      ),
      { flags: ['\\Seen', '\\Flagged'], date: lastWeek }
    )
    await append(
      lines(
        'From: =?utf-8?q?J=C3=BCrgen?= <j@example.test>',
        'To: eve@example.test',
        'Date: Fri, 2 Jan 2026 12:00:00 +0000',
        'Subject: =?utf-8?q?zweite_Gr=C3=BC=C3=9Fe?=',
        'Content-Type: text/plain; charset=utf-8',
        '',
        `the lazy dog ${'x'.repeat(900)}`
      ),
      { flags: ['\\Draft', '\\Answered'], date: today }
    )
    const search = async (keys: object) =>
      subjects(await json('/search?path=INBOX', { method: 'POST', body: { search: keys } }))
    const [FIRST, SECOND] = ['first', 'zweite Grüße']
    const BOTH = `${SECOND},${FIRST}`
    const dayOf = (date: Date) => date.toISOString().slice(0, 10)
    const tomorrow = new Date(today.getTime() + 2 * DAY_MS)
    const found: readonly (readonly [object, string])[] = [
      [{}, BOTH],
      [{ from: 'ada' }, FIRST],
      [{ from: 'jürgen' }, SECOND],
      [{ to: 'eve@example.test' }, SECOND],
      [{ cc: 'carol' }, FIRST],
      [{ bcc: 'dave' }, FIRST],
      [{ body: 'quick brown' }, FIRST],
      [{ subject: 'Grüße' }, SECOND],
      [{ seen: true }, FIRST],
      [{ seen: false }, SECOND],
      [{ unseen: true }, SECOND],
      [{ unseen: 'false' }, FIRST],
      [{ flagged: true }, FIRST],
      [{ answered: true }, SECOND],
      [{ draft: false }, FIRST],
      [{ deleted: false }, BOTH],
      [{ deleted: true }, ''],
      [{ larger: 500 }, SECOND],
      [{ larger: 0 }, BOTH],
      [{ smaller: '500' }, FIRST],
      [{ seq: '1' }, FIRST],
      [{ seq: '2:*' }, SECOND],
      [{ uid: '1,2' }, BOTH],
      [{ uid: '2:1000' }, SECOND],
      [{ modseq: 0 }, BOTH],
      [{ modseq: 1 }, BOTH],
      // Days, not seconds from now.
      [{ since: today.toISOString() }, SECOND],
      [{ since: new Date(lastWeek.getTime() + 60_000).toISOString() }, BOTH],
      [{ since: dayOf(tomorrow) }, ''],
      [{ since: dayOf(today) }, SECOND],
      [{ before: dayOf(today) }, FIRST],
      [{ before: `${dayOf(today)}T00:00:00Z` }, FIRST],
      [{ before: new Date(today.getTime() + 60_000).toISOString() }, BOTH],
      [{ before: dayOf(lastWeek) }, ''],
      [{ sentSince: '2026-01-02T10:00:00Z' }, SECOND],
      [{ sentBefore: '2026-01-02T00:00:00Z' }, FIRST],
      [{ sentBefore: '2026-01-02T10:00:00+01:00' }, BOTH],
      [{ header: { 'X-Kind': '' } }, FIRST],
      [{ header: { subject: 'first' } }, FIRST],
      [{ header: { 'X-Other': '' } }, ''],
      [{ from: 'ada', flagged: true, body: 'fox' }, FIRST],
      [{ from: 'ada', flagged: false }, ''],
      [{ body: 'nothing has this' }, '']
    ]
    for (const [keys, wanted] of found) {
      assert.equal(await search(keys), wanted, JSON.stringify(keys))
    }
  })

  it('rejects searches that it would not follow', async () => {
    const { json } = await reader()
    const search = (body: object, path = 'INBOX') =>
      json(`/search?path=${encodeURIComponent(path)}`, { method: 'POST', body }, 400)
    const fieldsOf = async (keys: object, path?: string) => {
      const { fields } = await search({ search: keys }, path)
      return fields.map((field: Body) => field.key).join()
    }
    const rejected: readonly (readonly [object, string])[] = [
      [{ from: '' }, 'search.from'],
      [{ from: 'a\r\nA1 LOGOUT' }, 'search.from'],
      [{ body: 'a\0b' }, 'search.body'],
      [{ uid: '0' }, 'search.uid'],
      [{ uid: '1;2' }, 'search.uid'],
      [{ seq: '' }, 'search.seq'],
      [{ smaller: 0 }, 'search.smaller'],
      [{ larger: -1 }, 'search.larger'],
      [{ since: 'yesterday' }, 'search.since'],
      // A key that is left out would find more, also to delete it.
      [{ before: '2016-12-31T23:59:60Z' }, 'search.before'],
      [{ seen: null }, 'search.seen'],
      [{ header: { X: null } }, 'search.header.X'],
      [{ header: { 'X:Y': 'a' } }, 'search.header'],
      [{ header: { X: 'a\nb' } }, 'search.header.X'],
      [{ or: [] }, 'search.or'],
      [{ text: 'x' }, 'search.text'],
      [{ emailIds: [] }, 'search.emailIds'],
      [{ seen: 'maybe', nothing: 1 }, 'search.nothing,search.seen']
    ]
    for (const [keys, wanted] of rejected) {
      const keysOf = (await fieldsOf(keys)).split(',')
      assert.deepEqual([...new Set(keysOf)].sort(), wanted.split(','), JSON.stringify(keys))
    }
    assert.equal(await fieldsOf({ uid: '1', modseq: 2 }, '*'), 'search.uid,search.modseq')
    assert.equal((await search({})).fields[0].key, 'search')
    const [field] = (await json('/messages', {}, 400)).fields
    assert.deepEqual(field, { key: 'path', message: 'is required' })
    const [store] = (await json('/messages?path=INBOX&documentStore=true', {}, 400)).fields
    assert.match(store.message, /document store/)
    for (const [cursor, code] of [
      ['gmail_e30', 'InvalidCursorType'],
      ['imap_e30', 'InvalidCursorValue'],
      ['imap_%00', 'InvalidCursorValue'],
      [`imap_${Buffer.from('{"page":-1}').toString('base64url')}`, 'InvalidCursorValue'],
      [`imap_${Buffer.from('{"page":1,"all":""}').toString('base64url')}`, 'InvalidCursorType']
    ]) {
      assert.equal((await json(`/messages?path=INBOX&cursor=${cursor}`, {}, 400)).code, code)
    }
    assert.equal((await json('/messages?path=Missing', {}, 404)).code, 'FolderNotFound')
    assert.equal((await json('/messages?path=%5CFlagged', {}, 404)).code, 'FolderNotFound')
    const raw = { method: 'POST', body: { search: { gmailRaw: 'x' } } }
    const missing = await json('/search?path=INBOX', raw, 422)
    assert.equal(missing.code, 'MissingServerExtension')
  })

  it('lists and searches all mailboxes, the newest arrivals first', async () => {
    const { json, append, withClient } = await reader()
    const start = Date.UTC(2026, 0, 1)
    const paths = ['INBOX', 'Sent', 'Archive', 'Trash']
    await withClient(async (client) => {
      for (let number = 0; number < 13; number++) {
        const source = lines(`Subject: ${number}`, `X-Odd: ${number % 2}`, '', 'x')
        const path = paths[number % paths.length] ?? ''
        await client.append(path, source, [], new Date(start + number * 60_000))
      }
    })
    const read = async (body?: object) => {
      const pages: Body[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const path = `?path=*&pageSize=5${cursor === '' ? '' : `&cursor=${cursor}`}`
        const page: Body = body
          ? await json(`/search${path}`, { method: 'POST', body })
          : await json(`/messages${path}`)
        pages.push(page)
        cursor = page.nextPageCursor
      }
      return pages
    }
    const pages = await read()
    assert.deepEqual(pages.map(subjects), ['12,11,10,9,8', '7,6,5,4,3', '2,1,0'])
    assert.deepEqual(
      pages.map(({ page, pages: all, total }) => [page, all, total]),
      [
        [0, 3, 13],
        [1, 3, 13],
        [2, 3, 13]
      ]
    )
    assert.deepEqual(pages[0].incomplete, [])
    const [entry] = pages[0].messages
    assert.equal(entry.path, 'INBOX')
    assert.equal((await json(`/message/${entry.id}`)).subject, '12')
    const odd = await read({ search: { header: { 'X-Odd': '1' } } })
    assert.deepEqual(odd.map(subjects), ['11,9,7,5,3', '1'])
    assert.equal(odd[0].total, 6)
    // What arrives between two pages changes nothing on the second.
    const first = await json('/messages?path=*&pageSize=5')
    await append(lines('Subject: new', '', 'x'))
    await append(lines('Subject: new', '', 'x'), { path: 'Archive' })
    const second = await json(`/messages?path=*&pageSize=5&cursor=${first.nextPageCursor}`)
    assert.equal(subjects(second), '7,6,5,4,3')
    const fields = (await json('/messages?path=*&page=1', {}, 400)).fields
    assert.equal(fields[0].key, 'page')
    const other = (await json('/messages?path=INBOX&pageSize=1')).nextPageCursor
    assert.equal(
      (await json(`/messages?path=*&cursor=${other}`, {}, 400)).code,
      'InvalidCursorType'
    )
  })
}
